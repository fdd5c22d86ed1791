package io.sluice.billing.outbox;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Faults of a real disk. A test that needs more than this machine has is skipped, with the reason. */
final class Faults {
    private Faults() {}

    /** Compiles the library under which syncs and writes fail; returns the variables of a process that loads it. */
    static Map<String, String> preload(Path directory) throws IOException {
        assumeThat(ended("gcc", "--version")).as("gcc, to make a disk fail").isTrue();
        var source = directory.resolve("faults.c");
        var library = directory.resolve("faults.so");
        try (InputStream code = Objects.requireNonNull(Faults.class.getResourceAsStream("/faults.c"))) {
            Files.copy(code, source);
        }
        if (!ended("gcc", "-shared", "-fPIC", "-O1", "-o", library.toString(), source.toString(), "-ldl")) {
            throw new IOException(source + " cannot be compiled");
        }
        return Map.of("LD_PRELOAD", library.toString(), "FAULT_PATH", "outbox-");
    }

    /** A disk of its own for a directory, with that many MiB, which a filler can take. */
    static final class SmallDisk implements AutoCloseable {
        private final Path directory;

        SmallDisk(Path directory, int mib) {
            assumeThat(ended("mount", "-t", "tmpfs", "-o", "size=" + mib + "m", "tmpfs", directory.toString()))
                    .as("the right to mount a small disk")
                    .isTrue();
            this.directory = directory;
        }

        /** Leaves no room. */
        void fill() throws IOException {
            try (var filler = Files.newOutputStream(
                    directory.resolve("filler"), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
                while (true) {
                    filler.write(new byte[512]);
                }
            } catch (IOException full) {
                if (!String.valueOf(full.getMessage()).contains("No space")) {
                    throw full;
                }
            }
        }

        /** Gives the room back. */
        void clear() throws IOException {
            Files.delete(directory.resolve("filler"));
        }

        @Override
        public void close() {
            ended("umount", "-l", directory.toString());
        }
    }

    private static boolean ended(String... command) {
        try {
            var process = new ProcessBuilder(List.of(command))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor() == 0;
        } catch (IOException absent) {
            return false;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException(stopped));
        }
    }
}
