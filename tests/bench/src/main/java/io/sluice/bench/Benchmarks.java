package io.sluice.bench;

import io.sluice.bench.billing.BillingBench;
import io.sluice.bench.billing.MeteringBench;
import io.sluice.bench.measurement.BenchOption;
import io.sluice.bench.permits.ClusterBench;
import io.sluice.bench.permits.PermitBench;
import io.sluice.bench.permits.TracesBench;
import io.sluice.bench.placement.OpenbBench;
import io.sluice.bench.workers.WorkersBench;
import io.sluice.replay.openb.OpenbTrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs the benchmarks whose name matches a pattern: those of whole processes one after the other, then JMH's. */
public final class Benchmarks {
    private static final Map<String, List<String>> OF_PROCESSES = new LinkedHashMap<>();

    static {
        add(PermitBench.class, "");
        add(TracesBench.class, "");
        add(ClusterBench.class, "");
        add(UpscaleRequestBench.class, "");
        add(BurstBench.class, "");
        add(ObservationsBench.class, "", "1g");
        add(BillingBench.class, ".1k", "1000", "100", "128m");
        add(BillingBench.class, ".10k", "10000", "1000", "512m");
        add(MeteringBench.class, "", "10000", "128m");
        add(MeteringBench.class, ".50k", "50000", "512m");
        add(FleetBench.class, ".sockets", "sockets", "5000");
        add(FleetBench.class, ".monitors", "monitors", "5000");
        add(FleetBench.class, ".fed", "fed", "20000");
        add(
                OpenbBench.class,
                "",
                System.getProperty(OpenbTrace.DIRECTORY, "."),
                "default",
                "10",
                "../../verticles/placement/docs/openb.svg");
        add(WorkersBench.class, ".mtls", "mtls", "10000", "1");
        add(WorkersBench.class, ".sites", "sites", "100000", "100");
        add(WorkersBench.class, ".placements", "placements", "10000", "100");
        add(WorkersBench.class, ".region", "region", "10000", "10", "100");
    }

    private static void add(Class<?> main, String row, String... arguments) {
        var command = new ArrayList<>(List.of(main.getName()));
        command.addAll(List.of(arguments));
        OF_PROCESSES.put(main.getSimpleName() + row, command);
    }

    private Benchmarks() {}

    /** Takes a regular expression; {@link BenchOption} has the options. */
    public static void main(String[] arguments) throws IOException, InterruptedException, RunnerException {
        var wanted = Pattern.compile(arguments[0]);
        boolean any = false;
        for (var bench : OF_PROCESSES.entrySet()) {
            if (wanted.matcher(bench.getKey()).find()) {
                any = true;
                System.out.println("\n" + bench.getKey() + "\n");
                run(bench.getValue());
            }
        }
        try {
            new Runner(new OptionsBuilder()
                            .include(arguments[0])
                            .shouldFailOnError(true)
                            .build())
                    .run();
        } catch (NoBenchmarksException none) {
            if (!any) {
                throw none;
            }
        }
    }

    /** Runs a benchmark with its log in a file, which is kept if the benchmark fails. */
    private static void run(List<String> mainAndArguments) throws IOException, InterruptedException {
        var log = Files.createTempFile("sluice-bench-", ".log");
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED"));
        BenchOption.NAMES.forEach(name -> command.add("-D" + name + "=" + BenchOption.of(name, "")));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(mainAndArguments);
        int status = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(log.toFile())
                .start()
                .waitFor();
        if (status != 0) {
            throw new IllegalStateException("it failed with status " + status + "; see " + log);
        }
        Files.delete(log);
    }
}
