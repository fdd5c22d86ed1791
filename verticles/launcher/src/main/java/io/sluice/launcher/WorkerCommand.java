package io.sluice.launcher;

import io.sluice.shell.Quantities;
import io.sluice.shell.config.ConfigException;
import io.sluice.units.Resources;
import io.sluice.workers.WorkersTls;
import io.sluice.workers.agent.WorkerAgent;
import io.sluice.workers.agent.WorkerDirectory;
import io.sluice.workers.agent.WorkerOptions;
import io.vertx.core.Vertx;
import io.vertx.core.net.HostAndPort;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Registers this machine with a scheduler, and runs the instances that it is given. */
@Command(
        name = "worker",
        description = {
            "Registers this machine with a scheduler, and runs the instances that it is given, until SIGTERM or"
                    + " Ctrl-C.",
            "The instances run on while the scheduler is away."
        },
        mixinStandardHelpOptions = true)
final class WorkerCommand implements Callable<Integer> {
    private static final Duration START_MAX = Duration.ofSeconds(30);
    private static final Duration STOP_MAX = Duration.ofSeconds(30);
    private static final int ROOT = 0;
    private static final long MILLI = 1_000;

    @ParentCommand
    private Main main;

    @Option(names = "--id", required = true, paramLabel = "NAME", description = "the name of this worker")
    private String id;

    @Option(
            names = "--scheduler",
            paramLabel = "HOST:PORT",
            split = ",",
            defaultValue = "127.0.0.1:4995",
            description = "where the scheduler listens for workers, or each of several, separated by commas; by"
                    + " default ${DEFAULT-VALUE}")
    private List<String> schedulers;

    @Option(
            names = "--cpu",
            paramLabel = "CPU",
            description = "what instances may use, such as 4 or 2500m; by default all")
    private Optional<String> cpu;

    @Option(names = "--memory", paramLabel = "BYTES", description = "the same of memory, such as 8Gi; by default all")
    private Optional<String> memory;

    @Option(names = "--label", paramLabel = "KEY=VALUE", description = "a label of this worker; may be repeated")
    private Map<String, String> labels = Map.of();

    @Option(
            names = "--allow",
            required = true,
            paramLabel = "PATH",
            description = "a program that instances may start, or a directory of them if it ends with a slash; may be"
                    + " repeated")
    private List<String> allowed;

    @Option(
            names = "--allow-rootfs",
            paramLabel = "DIR",
            description =
                    "a directory that may be the root of a pod, which runc runs, or a directory of them if it ends"
                            + " with a slash; may be repeated")
    private List<String> roots = List.of();

    @Option(names = "--allow-root", description = "start although this user is root, as which all instances run")
    private boolean allowRoot;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "what belongs to the run of this worker, its key for one: it is made, or must belong to this"
                    + " user, and no one else may write it; by default worker-NAME in /var/lib/sluice for root, and in"
                    + " $XDG_STATE_HOME/sluice or ~/.local/state/sluice for others")
    private Optional<Path> directory;

    @Option(names = "--cert", paramLabel = "FILE", description = "PEM file with this worker's certificate, for TLS")
    private String cert = "";

    @Option(names = "--key", paramLabel = "FILE", description = "PEM file with the certificate's private key")
    private String key = "";

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "PEM file with the issuers of the scheduler's certificate")
    private String issuers = "";

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "the token by which this machine gets its first certificate, as 'sluice workers token'"
                    + " writes it; the certificate is kept in --directory, and renewed")
    private Optional<Path> token;

    @Override
    public Integer call() throws Exception {
        boolean isRoot = isRoot();
        if (isRoot && !allowRoot) {
            System.err.println("sluice: all instances would run as root: another user is needed, or --allow-root");
            return Main.MISUSED;
        }
        Agent.run(options(isRoot), main.life());
        return Main.OK;
    }

    private static boolean isRoot() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid") instanceof Integer user && user == ROOT;
    }

    private WorkerOptions options(boolean isRoot) {
        try {
            return new WorkerOptions(
                    id,
                    schedulers.stream().map(Agent::address).toList(),
                    capacity(),
                    labels,
                    allowed,
                    roots,
                    directory.orElseGet(() -> WorkerDirectory.standard(
                            id, isRoot, System.getenv(), Path.of(System.getProperty("user.home")))),
                    new WorkersTls(cert, key, issuers),
                    token);
        } catch (IndexOutOfBoundsException | IllegalArgumentException wrong) {
            throw new ConfigException(List.of(
                    "--scheduler, --cpu, --memory and --cert must have their form: " + wrong.getMessage() + "."));
        }
    }

    private Resources capacity() {
        return new Resources(
                cpu.map(Quantities::milliCpu)
                        .orElseGet(() -> Runtime.getRuntime().availableProcessors() * MILLI),
                memory.map(Quantities::bytes).orElseGet(WorkerCommand::machineMemory));
    }

    private static long machineMemory() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean machine
                ? machine.getTotalMemorySize()
                : Runtime.getRuntime().maxMemory();
    }

    /** The program itself. All that needs Vert.x is here, so that no other command loads it. */
    private static final class Agent {
        static HostAndPort address(String scheduler) {
            int colon = scheduler.lastIndexOf(':');
            return HostAndPort.create(scheduler.substring(0, colon), Integer.parseInt(scheduler.substring(colon + 1)));
        }

        static void run(WorkerOptions options, ProcessLifetime life) throws Exception {
            var vertx = Vertx.vertx();
            try {
                BlockingWait.on(
                        vertx.deployVerticle(new WorkerAgent(options, new Random())),
                        START_MAX,
                        "the worker did not start");
                life.await();
            } finally {
                BlockingWait.on(vertx.close(), STOP_MAX, "the worker did not stop");
            }
        }
    }
}
