package io.sluice.launcher;

import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.LinkTree;
import com.sun.source.doctree.LiteralTree;
import com.sun.source.doctree.ParamTree;
import com.sun.source.doctree.TextTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;

/** The Javadoc of records' components, read from their sources. */
final class RecordDocs {
    private final Path modules;
    private final Map<Class<?>, Map<String, String>> read = new HashMap<>();

    /** @param modules the directory whose subdirectories are modules with sources */
    RecordDocs(Path modules) {
        this.modules = modules;
    }

    /** The description of one component, with a capital first letter. */
    String of(RecordComponent component) {
        var owner = component.getDeclaringRecord();
        var sentence = read.computeIfAbsent(owner, this::parse).get(component.getName());
        if (sentence == null || sentence.isBlank()) {
            throw new IllegalStateException("the Javadoc of " + owner + " has no @param " + component.getName());
        }
        return Character.toUpperCase(sentence.charAt(0)) + sentence.substring(1);
    }

    private Map<String, String> parse(Class<?> record) {
        var outermost = record;
        while (outermost.getEnclosingClass() != null) {
            outermost = outermost.getEnclosingClass();
        }
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            var task = (JavacTask) compiler.getTask(
                    null, files, null, List.of("-proc:none"), null, files.getJavaFileObjects(source(outermost)));
            var params = new HashMap<String, String>();
            for (var unit : task.parse()) {
                new Params(DocTrees.instance(task), record.getSimpleName(), params).scan(unit, null);
            }
            return params;
        } catch (IOException unreadable) {
            throw new IllegalStateException("the source of " + record + " cannot be read", unreadable);
        }
    }

    private Path source(Class<?> type) throws IOException {
        var name = type.getName().replace('.', '/') + ".java";
        try (var folders = Files.list(modules)) {
            return folders.map(module -> module.resolve("src/main/java").resolve(name))
                    .filter(Files::exists)
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(name + " is in none of " + modules));
        }
    }

    /** Collects the {@code @param} of the record with that name. */
    private static final class Params extends TreePathScanner<Void, Void> {
        private final DocTrees docs;
        private final String record;
        private final Map<String, String> params;

        Params(DocTrees docs, String record, Map<String, String> params) {
            this.docs = docs;
            this.record = record;
            this.params = params;
        }

        @Override
        public Void visitClass(ClassTree type, Void nothing) {
            var comment = docs.getDocCommentTree(getCurrentPath());
            if (type.getSimpleName().contentEquals(record) && comment != null) {
                comment.getBlockTags().stream()
                        .filter(ParamTree.class::isInstance)
                        .map(ParamTree.class::cast)
                        .forEach(tag -> params.put(tag.getName().toString(), text(tag.getDescription())));
            }
            return super.visitClass(type, nothing);
        }

        private static String text(List<? extends DocTree> parts) {
            return parts.stream()
                    .map(Params::text)
                    .collect(Collectors.joining())
                    .replaceAll("\\s+", " ");
        }

        private static String text(DocTree part) {
            return switch (part) {
                case TextTree plain -> plain.getBody();
                case LiteralTree literal -> "`" + literal.getBody().getBody() + "`";
                case LinkTree link when !link.getLabel().isEmpty() -> text(link.getLabel());
                case LinkTree link -> link.getReference().getSignature();
                default -> part.toString();
            };
        }
    }
}
