package io.sluice.launcher.replay;

import io.sluice.replay.report.ReportDiff;
import io.sluice.shell.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Replays the same load with two releases, and compares their reports. */
@Command(
        name = "diff",
        description = "Replays recorded load with two releases and prints what differs: which VMs would get another"
                + " size, and which recorded decisions the new release makes otherwise. Touches nothing that runs.",
        mixinStandardHelpOptions = true)
public final class DiffCommand implements Callable<Integer> {
    private static final String REPORT = "report.json";
    private static final long HOURS_MAX = 24;

    @Parameters(
            index = "0",
            paramLabel = "OLD",
            description = "the folder of a release, which has bin/sluice, or a report.json of its replay")
    private Path old;

    @Parameters(index = "1", paramLabel = "NEW", description = "the same of the other release")
    private Path fresh;

    @Option(names = "--trace", paramLabel = "PATH", description = "the load, as in sluice replay; not for two reports")
    private Optional<Path> trace;

    @Option(names = "--policy", paramLabel = "FILE", description = "as in sluice replay; repeatable")
    private List<String> policies = new ArrayList<>();

    @Option(names = "--nodes", paramLabel = "SPEC", description = "as in sluice replay")
    private Optional<String> nodes;

    @Option(names = "--assume", paramLabel = "NAME=VALUE", description = "as in sluice replay; repeatable")
    private Map<String, String> assumptions = Map.of();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "a folder for both reports; by default one that is deleted")
    private Optional<Path> out;

    @Override
    public Integer call() throws IOException, InterruptedException {
        var folder = out.isPresent() ? Files.createDirectories(out.get()) : Files.createTempDirectory("sluice-diff-");
        try {
            var before = report(old, folder.resolve("old"));
            var after = report(fresh, folder.resolve("new"));
            if (before.isEmpty() || after.isEmpty()) {
                return ExitCode.SOFTWARE;
            }
            ReportDiff.of(before.get(), after.get()).lines().forEach(System.out::println);
            return ExitCode.OK;
        } finally {
            if (out.isEmpty()) {
                delete(folder);
            }
        }
    }

    /** The report of a release, or the one that is given; empty if its replay failed. */
    private Optional<Path> report(Path release, Path folder) throws IOException, InterruptedException {
        if (Files.isRegularFile(release)) {
            return Optional.of(release);
        }
        var program = release.resolve("bin").resolve("sluice");
        if (!Files.isExecutable(program)) {
            throw new ConfigException(List.of(release + " is no report and no release: it has no bin/sluice to run."));
        }
        var process = new ProcessBuilder(arguments(program, folder))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            if (!process.waitFor(HOURS_MAX, TimeUnit.HOURS) || process.exitValue() != 0) {
                System.err.println("sluice: the replay of " + release + " failed.");
                return Optional.empty();
            }
        } finally {
            process.destroy();
        }
        return Optional.of(folder.resolve(REPORT));
    }

    private List<String> arguments(Path program, Path folder) {
        var load = trace.orElseThrow(() -> new ConfigException(List.of("--trace names the load that is replayed.")));
        var all = new ArrayList<>(
                List.of(program.toString(), "replay", "--trace", load.toString(), "--out", folder.toString()));
        policies.forEach(policy -> all.addAll(List.of("--policy", policy)));
        nodes.ifPresent(spec -> all.addAll(List.of("--nodes", spec)));
        assumptions.forEach((name, value) -> all.addAll(List.of("--assume", name + "=" + value)));
        return all;
    }

    private static void delete(Path folder) throws IOException {
        try (var all = Files.walk(folder)) {
            for (var path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
