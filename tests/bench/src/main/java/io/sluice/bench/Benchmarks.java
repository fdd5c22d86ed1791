package io.sluice.bench;

import io.sluice.bench.billing.BillingBench;
import io.sluice.bench.billing.MeteringBench;
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
        OF_PROCESSES.put("PermitBench", List.of(PermitBench.class.getName()));
        OF_PROCESSES.put("TracesBench", List.of(TracesBench.class.getName()));
        OF_PROCESSES.put("ClusterBench", List.of(ClusterBench.class.getName()));
        OF_PROCESSES.put("CryBench", List.of(UpscaleRequestBench.class.getName()));
        OF_PROCESSES.put("BurstBench", List.of(BurstBench.class.getName()));
        OF_PROCESSES.put("FactsBench", List.of(ObservationsBench.class.getName(), "1g"));
        OF_PROCESSES.put("BillingBench.1k", List.of(BillingBench.class.getName(), "1000", "100", "128m"));
        OF_PROCESSES.put("BillingBench.10k", List.of(BillingBench.class.getName(), "10000", "1000", "512m"));
        OF_PROCESSES.put("MeteringBench", List.of(MeteringBench.class.getName(), "10000", "128m"));
        OF_PROCESSES.put("MeteringBench.50k", List.of(MeteringBench.class.getName(), "50000", "512m"));
        OF_PROCESSES.put("FleetBench.sockets", List.of(FleetBench.class.getName(), "sockets", "5000"));
        OF_PROCESSES.put("FleetBench.monitors", List.of(FleetBench.class.getName(), "monitors", "5000"));
        OF_PROCESSES.put(
                "OpenbBench",
                List.of(
                        OpenbBench.class.getName(),
                        System.getProperty(OpenbTrace.DIRECTORY, "."),
                        "default",
                        "10",
                        "../../verticles/placement/docs/openb.svg"));
        OF_PROCESSES.put("FleetBench.fed", List.of(FleetBench.class.getName(), "fed", "20000"));
        var workers = WorkersBench.class.getName();
        OF_PROCESSES.put("WorkersBench.mtls", List.of(workers, "mtls", "10000", "1"));
        OF_PROCESSES.put("WorkersBench.sites", List.of(workers, "sites", "100000", "100"));
        OF_PROCESSES.put("WorkersBench.placements", List.of(workers, "placements", "10000", "100"));
        OF_PROCESSES.put("WorkersBench.region", List.of(workers, "region", "10000", "10", "100"));
    }

    private Benchmarks() {}

    /** Takes a regular expression; {@code -Dbench.jfr=FILE} makes a flight recording where a benchmark supports it. */
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
        command.add("-Dbench.jfr=" + System.getProperty("bench.jfr", ""));
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
