package io.sluice.architecture;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import javax.tools.ToolProvider;

/** The repository's Java sources, parsed by the compiler and not resolved. */
final class ParsedSources {
    private ParsedSources() {}

    /**
     * Hands over each file with its syntax tree.
     *
     * @param chosen which files, by their path from the repository's top
     * @param reader takes the path and the tree
     */
    static void each(Predicate<String> chosen, BiConsumer<String, CompilationUnitTree> reader) {
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            var sources = Sources.endingWith(".java").stream()
                    .filter(source -> chosen.test(Sources.relative(source)))
                    .toList();
            var units = files.getJavaFileObjectsFromPaths(sources);
            var parser = (JavacTask) compiler.getTask(null, files, null, List.of("-proc:none"), null, units);
            for (var unit : parser.parse()) {
                reader.accept(Sources.relative(Path.of(unit.getSourceFile().toUri())), unit);
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
