package io.sluice.launcher.replay;

import io.sluice.replay.Assumptions;
import io.sluice.replay.Replay;
import io.sluice.replay.ReplayOptions;
import io.sluice.replay.TerminalTable;
import io.sluice.replay.core.nodes.NodeSizes;
import io.sluice.replay.openb.OpenbRun;
import io.sluice.replay.read.MalformedTraceException;
import io.sluice.replay.read.PrometheusException;
import io.sluice.replay.read.PrometheusExporter;
import io.sluice.replay.read.PrometheusSource;
import io.sluice.replay.report.ReportFiles;
import io.sluice.shell.config.ConfigException;
import io.sluice.shell.config.Durations;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Replays recorded load against policies. The types that it needs are those of {@link Run}, as its help needs none. */
@Command(
        name = "replay",
        description = "Replays recorded load against scaling policies: what would they have saved, and which VMs would"
                + " have lacked something? Touches nothing that runs.",
        mixinStandardHelpOptions = true)
public final class ReplayCommand implements Callable<Integer> {
    @ParentCommand
    private StoppableProcess process;

    @Option(
            names = "--trace",
            paramLabel = "PATH",
            description = "a recording of sluice record, a PlanetLab or CloudWatch file, or a folder in the form of"
                    + " Bitbrains or openb")
    private Optional<Path> trace;

    @Option(
            names = "--from-prometheus",
            paramLabel = "URL",
            description = "read the load from a Prometheus instead, such as http://127.0.0.1:9090")
    private Optional<URI> prometheus;

    @Option(
            names = "--exporter",
            paramLabel = "NAME",
            defaultValue = "node",
            description = "what fills that Prometheus: node (node_exporter), cadvisor (pods) or kubevirt (VMs)")
    private String exporter;

    @Option(
            names = "--last",
            paramLabel = "TIME",
            defaultValue = "7d",
            description = "how much of its past is replayed, such as 7d or 12h")
    private String last;

    @Option(names = "--token-file", paramLabel = "FILE", description = "a file with a bearer token for it")
    private Optional<Path> token;

    @Option(
            names = "--policy",
            paramLabel = "FILE",
            description = "a policy, or a config of production; repeatable. By default p99.5+20, hindsight, reference"
                    + " and sluice, which come with the program")
    private List<String> policies = new ArrayList<>();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "a folder for report.json, report.html and its charts as PNGs")
    private Optional<Path> out;

    @Option(names = "--lenient", description = "leave bad lines out instead of refusing the trace")
    private boolean lenient;

    @Option(names = "--exact", description = "let the core decide after each scrape, not only when its goal changes")
    private boolean exact;

    @Option(names = "--from-day", paramLabel = "N", defaultValue = "1", description = "the first day of the trace: 1")
    private int fromDay;

    @Option(names = "--to-day", paramLabel = "N", defaultValue = "10000", description = "the last day of it")
    private int toDay;

    @Option(
            names = "--training",
            paramLabel = "DAYS",
            defaultValue = "0",
            description = "the days at the beginning from which sizes are taken; by default the first third")
    private int trainingDays;

    @Option(
            names = "--nodes",
            paramLabel = "SPEC",
            defaultValue = "0",
            description = "also replay the VMs on nodes: 20x32/128GiB for 20 nodes, each of 32 CPUs and 128 GiB, with"
                + " production's placement, ledger and pressure; recorded for those of a recording; or a number, such"
                + " as 800, to consolidate them on nodes of the papers of Beloglazov and Buyya")
    private String nodes;

    @Option(
            names = "--assume",
            paramLabel = "NAME=VALUE",
            description = "another value of an assumption of the model, such as peakToMean=2; repeatable."
                    + " docs/replay.md has all of them")
    private Map<String, String> assumptions = new LinkedHashMap<>();

    @Option(names = "--threads", paramLabel = "N", defaultValue = "0", description = "by default one for each CPU")
    private int threads;

    @Override
    public Integer call() throws Exception {
        if (fromDay < 1 || toDay < fromDay || trainingDays < 0 || threads < 0) {
            throw new ConfigException(
                    List.of("--from-day, --to-day, --training and --threads must not be below 1, 1, 0 and 0, and"
                            + " --to-day not below --from-day."));
        }
        if (trace.isPresent() == prometheus.isPresent()) {
            throw new ConfigException(List.of("one of --trace and --from-prometheus names the recorded load."));
        }
        if (trace.isPresent() && !Files.exists(trace.get())) {
            throw new ConfigException(List.of("the trace " + trace.get() + " does not exist."));
        }
        return Run.of(this, process::isEnding);
    }

    /** What loads the classes of a replay. */
    private static final class Run {
        private static final int BAR = 40;
        private static final int LINES = 10;
        private static final Duration PAST_MIN = Duration.ofHours(1);
        private static final Duration PAST_MAX = Duration.ofDays(90);

        static int of(ReplayCommand command, BooleanSupplier stop) throws IOException, InterruptedException {
            int threads = command.threads == 0 ? Runtime.getRuntime().availableProcessors() : command.threads;
            if (command.trace.filter(OpenbRun::reads).isPresent()) {
                var model = Assumptions.of(command.assumptions);
                OpenbRun.run(command.trace.get(), model.seed(), threads, command.out)
                        .forEach(System.out::println);
                return ExitCode.OK;
            }
            var spec = NodeSizes.parse(command.nodes);
            var options = new ReplayOptions(
                    command.trace,
                    command.prometheus.map(url -> source(url, command)),
                    command.policies,
                    command.out,
                    command.lenient,
                    command.exact,
                    command.fromDay,
                    command.toDay,
                    command.trainingDays,
                    spec.isPresent() ? 0 : papersNodes(command.nodes),
                    spec,
                    Assumptions.of(command.assumptions),
                    threads);
            try {
                var result = new Replay(options, stop, Run::show).run();
                TerminalTable.lines(result).forEach(System.out::println);
                if (command.out.isPresent()) {
                    ReportFiles.write(result, command.out.get())
                            .ifPresent(lacking -> System.err.println("sluice: " + lacking + "."));
                }
                return ExitCode.OK;
            } catch (PrometheusException refused) {
                System.err.println("sluice: " + refused.getMessage() + ".");
                return ExitCode.SOFTWARE;
            } catch (ConnectException | HttpTimeoutException none) {
                System.err.println("sluice: nothing replies at "
                        + command.prometheus.map(URI::toString).orElse("") + ".");
                return ExitCode.SOFTWARE;
            } catch (MalformedTraceException bad) {
                System.err.println("sluice: " + bad.getMessage() + ". --lenient leaves such lines out.");
                return ExitCode.SOFTWARE;
            }
        }

        private static int papersNodes(String text) {
            if (!text.matches("\\d{1,5}")) {
                throw new ConfigException(
                        List.of("--nodes=" + text + " must be nodes such as 20x32/128GiB, each with at"
                                + " least one CPU, or recorded, or a number such as 800."));
            }
            return Integer.parseInt(text);
        }

        private static PrometheusSource source(URI url, ReplayCommand command) {
            var past = past(command.last);
            if (past.compareTo(PAST_MIN) < 0 || past.compareTo(PAST_MAX) > 0) {
                throw new ConfigException(List.of("--last=" + command.last + " must be between 1h and 90d."));
            }
            return new PrometheusSource(url, exporter(command.exporter), past, Instant.now(), command.token);
        }

        private static Duration past(String text) {
            return text.matches("\\d{1,3}d")
                    ? Duration.ofDays(Integer.parseInt(text.substring(0, text.length() - 1)))
                    : Durations.parse(text)
                            .orElseThrow(() ->
                                    new ConfigException(List.of("--last=" + text + " is no time such as 7d or 12h.")));
        }

        private static PrometheusExporter exporter(String name) {
            return Arrays.stream(PrometheusExporter.values())
                    .filter(exporter -> exporter.name().equalsIgnoreCase(name))
                    .findFirst()
                    .orElseThrow(() -> new ConfigException(
                            List.of("--exporter=" + name + " must be node, cadvisor or kubevirt.")));
        }

        /** A bar on a terminal; elsewhere a line for each tenth. */
        private static void show(int done, int of) {
            boolean terminal = System.console() != null && System.console().isTerminal();
            int step = Math.max(1, of / (terminal ? BAR : LINES));
            if (done % step != 0 && done != of) {
                return;
            }
            var text = done + " of " + of + " series are replayed";
            if (terminal) {
                int bars = done * BAR / of;
                System.err.print("\r[" + "#".repeat(bars) + " ".repeat(BAR - bars) + "] " + text
                        + (done == of ? System.lineSeparator() : ""));
            } else {
                System.err.println(text);
            }
        }
    }
}
