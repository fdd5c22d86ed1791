package io.sluice.simulation.planted;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.JavaFileObject.Kind;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** The product with one bug, compiled in memory; the files on disk stay unchanged. */
final class Mutant {
    /** Modules are built with their own folder as the working directory. */
    private static final Path TOP = Path.of("..", "..");

    private static final String CLASS_PATH =
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

    /** Opens the jars of the class path once for each thread. */
    private static final ThreadLocal<JavaFileManager> FILES = ThreadLocal.withInitial(
            () -> ToolProvider.getSystemJavaCompiler().getStandardFileManager(null, null, null));

    private Mutant() {}

    /** Loads the product and the simulation anew, so that both are linked with the bug. */
    static ClassLoader of(PlantedBug bug) {
        return new MutantLoader(compiled(bug));
    }

    private static Map<String, byte[]> compiled(PlantedBug bug) {
        var compiler = ToolProvider.getSystemJavaCompiler();
        var classes = new HashMap<String, ByteArrayOutputStream>();
        var complaints = new StringWriter();
        var options = List.of("-proc:none", "-nowarn", "-classpath", CLASS_PATH);
        try {
            var source = new Source(bug.className(), bug.plantedIn(Files.readString(TOP.resolve(bug.file()))));
            var files = new InMemory(FILES.get(), classes);
            var task = compiler.getTask(complaints, files, null, options, null, List.of(source));
            if (!task.call()) {
                throw new AssertionError("\"" + bug.name() + "\" does not compile: " + complaints);
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        var bytes = new HashMap<String, byte[]>();
        classes.forEach((name, written) -> bytes.put(name, written.toByteArray()));
        return bytes;
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String className, String text) {
            super(URI.create("planted:///" + className.replace('.', '/') + Kind.SOURCE.extension), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class Target extends SimpleJavaFileObject {
        private final OutputStream bytes;

        Target(String className, OutputStream bytes) {
            super(URI.create("planted:///" + className.replace('.', '/') + Kind.CLASS.extension), Kind.CLASS);
            this.bytes = bytes;
        }

        @Override
        public OutputStream openOutputStream() {
            return bytes;
        }
    }

    private static final class InMemory extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, ByteArrayOutputStream> classes;

        InMemory(JavaFileManager files, Map<String, ByteArrayOutputStream> classes) {
            super(files);
            this.classes = classes;
        }

        @Override
        public JavaFileObject getJavaFileForOutput(Location location, String name, Kind kind, FileObject sibling) {
            return new Target(name, classes.computeIfAbsent(name, ignored -> new ByteArrayOutputStream()));
        }
    }
}
