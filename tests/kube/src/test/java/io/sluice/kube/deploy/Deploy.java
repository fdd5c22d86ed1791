package io.sluice.kube.deploy;

import java.nio.file.Path;
import java.util.List;

/** The content of {@code deploy/}, and the distribution that it runs. */
public final class Deploy {
    /** The overlays that run Sluice. */
    static final List<String> OVERLAYS = List.of("scheduler", "agent", "all-in-one", "placement");

    /** The examples that can be applied. */
    static final List<String> EXAMPLES = List.of("vm", "contend", "pgbench");

    public static final Path CHECKOUT = Path.of("..", "..").toAbsolutePath().normalize();

    private static final Path DISTRIBUTION =
            CHECKOUT.resolve("verticles").resolve("launcher").resolve("target").resolve("sluice");

    private Deploy() {}

    /** The folder of an overlay. */
    public static Path overlay(String name) {
        return CHECKOUT.resolve("deploy").resolve("overlays").resolve(name);
    }

    static Path example(String name) {
        return CHECKOUT.resolve("deploy").resolve("examples").resolve(name);
    }

    /** The folder of a component. */
    public static Path component(String name) {
        return CHECKOUT.resolve("deploy").resolve("components").resolve(name);
    }

    /** The program as {@code mvn package} makes it. */
    public static Path program() {
        return DISTRIBUTION.resolve("bin").resolve("sluice");
    }

    /** A config file of the distribution. */
    static Path config(String name) {
        return DISTRIBUTION.resolve("config").resolve(name);
    }
}
