package io.sluice.cluster.roles;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

/** The program as {@code mvn package} leaves it. */
public final class Distribution {
    private static final Path HOME = Path.of("..", "..", "verticles", "launcher", "target", "sluice")
            .toAbsolutePath()
            .normalize();

    private Distribution() {}

    /** Its folder; the test is skipped if it is not built. */
    public static Path home() {
        assumeTrue(
                Files.isExecutable(HOME.resolve("bin").resolve("sluice")),
                () -> "nothing is built at " + HOME + ": mvn package builds it");
        return HOME;
    }

    /**
     * The timeouts of its demo, which are short: all sections but those of roles and of the lab. NUMA zones of nodes
     * are read too.
     *
     * @param pods whether labelled pods are scaled
     */
    static String hurry(boolean pods) {
        try {
            return Files.readString(home().resolve("config").resolve("demo.yaml"))
                    .lines()
                    .filter(line -> !line.startsWith("roles:"))
                    .takeWhile(line -> !line.startsWith("lab:"))
                    .map(line -> line.equals("cluster:") ? line + "\n  zones: true\n  scalePods: " + pods : line)
                    .collect(Collectors.joining("\n", "", "\n"));
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }
}
