package io.sluice.kills;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** This JVM's class path with a jar for each directory, because class data archives need jars. */
final class ClassPath {
    private ClassPath() {}

    static String ofJars(Path folder) throws IOException {
        var entries = new ArrayList<String>();
        for (var entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            var path = Path.of(entry);
            entries.add(
                    Files.isDirectory(path) ? jar(path, folder.resolve("classes-" + entries.size() + ".jar")) : entry);
        }
        return String.join(File.pathSeparator, entries);
    }

    private static String jar(Path directory, Path jar) throws IOException {
        try (var out = new ZipOutputStream(Files.newOutputStream(jar));
                var files = Files.walk(directory)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                add(out, directory.relativize(file).toString(), file);
            }
        }
        return jar.toString();
    }

    private static void add(ZipOutputStream out, String name, Path file) throws IOException {
        out.putNextEntry(new ZipEntry(name));
        Files.copy(file, (OutputStream) out);
        out.closeEntry();
    }
}
