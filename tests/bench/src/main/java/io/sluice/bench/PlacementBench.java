package io.sluice.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.placement.PlacementConfig;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.ReservedShare;
import io.sluice.placement.core.rules.ClusterTable;
import io.sluice.placement.core.rules.SchedulingRules;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.spec.PodSpec;
import io.sluice.placement.core.spec.SpecReader;
import io.sluice.shell.load.NodeUse;
import io.sluice.units.Resources;
import java.util.Optional;
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
 * How many pods a second the own scheduler finds a node for, among 5 000 nodes: filter by every rule, score every node
 * that is left, and count the pod there. A pod leaves for each that comes, so the number of pods stays. Without ledger,
 * bus and API server.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class PlacementBench {
    private static final int NODES = 5_000;
    private static final int ZONES = 10;
    private static final Resources TOTAL = new Resources(64_000, 256L << 30);
    private static final ReservedShare SHARE = PlacementConfig.DEFAULTS.share();

    /** What each pod names beside its resources, as in the workloads of kube-scheduler's own benchmark. */
    @Param({"resources", "nodeAffinity", "spread", "antiAffinity", "affinity"})
    public String rule;

    /** Pods that are bound. */
    @Param({"10000", "50000"})
    public int pods;

    private final SchedulingRules rules = SchedulingRules.withLedger();
    private final ClusterTable table = new ClusterTable();
    private final Resources[] reserved = new Resources[NODES];
    private PendingPod[] coming;
    private int[] nodeOf;
    private int next;

    /** Makes nodes, and pods on them. */
    @Setup
    public void begin() {
        for (int node = 0; node < NODES; node++) {
            table.observed(SpecReader.node(
                    json("""
                        {"name":"node-%d","labels":{"kubernetes.io/hostname":"node-%d","zone":"zone-%d","region":"one"},
                         "allocatable":{"cpu":%d,"memory":%d,"pods":110}}\
                        """.formatted(node, node, node % ZONES, TOTAL.milliCpu(), TOTAL.memoryBytes()))));
            reserved[node] = Resources.NONE;
            observe(node);
        }
        coming = new PendingPod[pods];
        nodeOf = new int[pods];
        for (int pod = 0; pod < pods; pod++) {
            coming[pod] = pending(pod);
            nodeOf[pod] = -1;
        }
        for (int pod = 0; pod < pods; pod++) {
            place();
        }
    }

    private static JsonNode json(String text) {
        try {
            return new ObjectMapper().readTree(text);
        } catch (JsonProcessingException noJson) {
            throw new IllegalArgumentException(text, noJson);
        }
    }

    /** Each pod is of another size. One in fifty belongs to an application, which its terms are about. */
    private PendingPod pending(int pod) {
        var charge = new Resources(100 + pod % 900, (256L << 20) + pod);
        var term = "[{\"topologyKey\":\"%s\",\"labelSelector\":{\"matchLabels\":{\"app\":\"app-%d\"}}}]";
        int app = pod % 50;
        var more = switch (rule) {
            case "nodeAffinity" ->
                ",\"nodeAffinity\":{\"requiredDuringSchedulingIgnoredDuringExecution\":{\"nodeSelectorTerms\":[{"
                        + "\"matchExpressions\":[{\"key\":\"zone\",\"operator\":\"In\",\"values\":[\"zone-%d\",\"zone-%d\"]}]}]}}"
                                .formatted(pod % ZONES, (pod + 1) % ZONES);
            case "spread" ->
                ",\"topologySpreadConstraints\":[{\"maxSkew\":5,\"topologyKey\":\"zone\",\"whenUnsatisfiable\":\"DoNotSchedule\","
                        + "\"labelSelector\":{\"matchLabels\":{\"app\":\"app-%d\"}}}]".formatted(app);
            case "antiAffinity" -> ",\"podAntiAffinity\":" + term.formatted("kubernetes.io/hostname", app);
            case "affinity" -> ",\"podAffinity\":" + term.formatted("region", app);
            default -> "";
        };
        PodSpec spec =
                SpecReader.pod(json("""
                    {"uid":"uid-%d","namespace":"default","name":"pod-%d","labels":{"app":"app-%d"},
                     "requests":{"cpu":%d,"memory":%d}%s}\
                    """.formatted(pod, pod, app, charge.milliCpu(), charge.memoryBytes(), more)), 1);
        return new PendingPod(spec, charge);
    }

    private void observe(int node) {
        table.observed(new NodeSnapshot(
                "node-" + node,
                true,
                NodeReadiness.READY,
                TOTAL,
                TOTAL,
                reserved[node],
                NodeUse.NONE,
                Optional.empty()));
    }

    /** One pod leaves, and comes again. */
    @Benchmark
    public int place() {
        int number = next++ % pods;
        var pod = coming[number];
        if (nodeOf[number] >= 0) {
            table.podGone(pod.spec().uid());
            reserved[nodeOf[number]] = reserved[nodeOf[number]].minus(pod.charge());
            observe(nodeOf[number]);
        }
        int best = SchedulingRules.best(pod, table, rules.fitting(pod, table), SHARE);
        if (best < 0) {
            throw new IllegalStateException(rules.reason(pod, table));
        }
        var name = table.name(best);
        table.placed(pod.spec().on(name));
        int node = Integer.parseInt(name.substring("node-".length()));
        reserved[node] = reserved[node].plus(pod.charge());
        observe(node);
        nodeOf[number] = node;
        return node;
    }
}
