package io.sluice.launcher;

import io.sluice.replay.Assumptions;
import io.sluice.replay.Replay;
import io.sluice.replay.ReplayOptions;
import io.sluice.replay.TerminalTable;
import io.sluice.replay.read.MalformedTraceException;
import io.sluice.replay.report.ReportFiles;
import io.sluice.shell.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Replays recorded load against policies. The types that it needs are those of {@link Run}, as its help needs none. */
@Command(
        name = "replay",
        description = "Replays recorded load against scaling policies: what would they have saved, and which VMs would"
                + " have lacked something? Touches nothing that runs.",
        mixinStandardHelpOptions = true)
final class ReplayCommand implements Callable<Integer> {
    @ParentCommand
    private Main main;

    @Option(
            names = "--trace",
            paramLabel = "PATH",
            required = true,
            description = "a PlanetLab or CloudWatch file, or a folder in the form of Bitbrains")
    private Path trace;

    @Option(
            names = "--policy",
            paramLabel = "FILE",
            description = "a policy, or a config of production; repeatable. By default p99.5+20, hindsight, reference"
                    + " and sluice, which come with the program")
    private List<String> policies = new ArrayList<>();

    @Option(names = "--out", paramLabel = "DIR", description = "a folder for report.json and report.html")
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
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "also consolidate the VMs on so many nodes of the papers of Beloglazov and Buyya, who have 800")
    private int nodes;

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
        if (fromDay < 1 || toDay < fromDay || trainingDays < 0 || threads < 0 || nodes < 0) {
            throw new ConfigException(
                    List.of("--from-day, --to-day, --training, --threads and --nodes must not be below"
                            + " 1, 1, 0, 0 and 0, and --to-day not below --from-day."));
        }
        if (!Files.exists(trace)) {
            throw new ConfigException(List.of("the trace " + trace + " does not exist."));
        }
        return Run.of(this, main.life()::isEnding);
    }

    /** What loads the classes of a replay. */
    private static final class Run {
        private static final int BAR = 40;
        private static final int LINES = 10;

        static int of(ReplayCommand command, BooleanSupplier stop) throws IOException, InterruptedException {
            var options = new ReplayOptions(
                    command.trace,
                    command.policies,
                    command.out,
                    command.lenient,
                    command.exact,
                    command.fromDay,
                    command.toDay,
                    command.trainingDays,
                    command.nodes,
                    Assumptions.of(command.assumptions),
                    command.threads == 0 ? Runtime.getRuntime().availableProcessors() : command.threads);
            try {
                var result = new Replay(options, stop, Run::show).run();
                TerminalTable.lines(result).forEach(System.out::println);
                if (command.out.isPresent()) {
                    ReportFiles.write(result, command.out.get());
                }
                return Main.OK;
            } catch (MalformedTraceException bad) {
                System.err.println("sluice: " + bad.getMessage() + ". --lenient leaves such lines out.");
                return Main.FAILED;
            }
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
