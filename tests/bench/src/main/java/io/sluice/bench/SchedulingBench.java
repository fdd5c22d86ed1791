package io.sluice.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.ReservedShare;
import io.sluice.placement.core.rules.ClusterTable;
import io.sluice.placement.core.rules.PendingPod;
import io.sluice.placement.core.rules.SchedulingRules;
import io.sluice.placement.core.spec.PodSpec;
import io.sluice.placement.core.spec.SpecReader;
import io.sluice.units.Resources;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How many pods a second the own scheduler's rules place on 5 000 nodes, with all nodes filtered and scored. Each pod
 * is another one, and its selector too where it has one; the oldest of 2 000 goes. No ledger, bus or API server is in
 * it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class SchedulingBench {
    private static final int NODES = 5_000;
    private static final int ZONES = 10;
    private static final int PLACED_MAX = 2_000;
    private static final int APPS = 1_000_000;
    private static final Resources NODE = new Resources(64_000, 256L << 30);
    private static final Resources POD = new Resources(100, 1L << 28);
    private static final ReservedShare SHARE = new ReservedShare(0.5, 0.8, 0);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** What a pod requires besides its requests. */
    @Param({"nothing", "nodeAffinity", "spread", "antiAffinity", "affinity"})
    public String rule;

    /** Pods on the nodes before. */
    @Param({"10000", "50000"})
    public int pods;

    private final Random random = new Random(7);
    private final SchedulingRules rules = SchedulingRules.withLedger();
    private final Deque<String> placed = new ArrayDeque<>();
    private ClusterTable table;
    private int number;

    /** Fills the nodes. */
    @Setup
    public void fill() {
        table = new ClusterTable();
        for (int node = 0; node < NODES; node++) {
            table.observed(
                    SpecReader.node(json("""
                        {"name":"n%1$d","labels":{"host":"n%1$d","zone":"z%2$d"},
                         "allocatable":{"cpu":%3$d,"memory":%4$d,"pods":250}}\
                        """.formatted(node, node % ZONES, NODE.milliCpu(), NODE.memoryBytes()))));
            table.observed(new NodeSnapshot("n" + node, true, NodeReadiness.READY, NODE, Resources.NONE));
        }
        for (int pod = 0; pod < pods; pod++) {
            table.placed(pod("old-" + pod, "").on("n" + random.nextInt(NODES)));
        }
    }

    /** Places one pod. */
    @Benchmark
    public String place() {
        var pod = pod("p-" + number++, required(random.nextInt(APPS)));
        var pending = new PendingPod(pod, POD);
        var fitting = rules.fitting(pending, table);
        var node = table.name(SchedulingRules.best(pending, table, fitting, SHARE));
        table.placed(pod.on(node));
        placed.add(pod.uid());
        if (placed.size() > PLACED_MAX) {
            table.podGone(placed.remove());
        }
        return node;
    }

    private String required(int app) {
        var selector = "\"labelSelector\":{\"matchLabels\":{\"app\":\"" + app + "\"}}";
        var own = "\"labels\":{\"app\":\"" + app + "\"},";
        return switch (rule) {
            case "nodeAffinity" -> """
                "nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":
                [{"key":"zone","operator":"In","values":["z%d","z%d"]}]}]}},\
                """.formatted(random.nextInt(ZONES), random.nextInt(ZONES));
            case "spread" -> own + """
                "topologySpreadConstraints":[{"whenUnsatisfiable":"DoNotSchedule","maxSkew":5,"topologyKey":"zone",%s}],\
                """.formatted(selector);
            case "antiAffinity" -> own + "\"podAntiAffinity\":[{\"topologyKey\":\"host\"," + selector + "}],";
            case "affinity" -> own + "\"podAffinity\":[{\"topologyKey\":\"zone\"," + selector + "}],";
            default -> "";
        };
    }

    private static PodSpec pod(String name, String required) {
        return SpecReader.pod(json("""
            {"uid":"%1$s","namespace":"default","name":"%1$s",%2$s"requests":{"cpu":%3$d,"memory":%4$d}}\
            """.formatted(name, required, POD.milliCpu(), POD.memoryBytes())), 1);
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException noJson) {
            throw new IllegalArgumentException(text, noJson);
        }
    }
}
