package io.sluice.bench.placement;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.bench.permits.Members;
import io.sluice.placement.PlacementConfig;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.ReservedShare;
import io.sluice.placement.core.rules.ClusterTable;
import io.sluice.placement.core.rules.SchedulingRules;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.spec.PodSpec;
import io.sluice.placement.core.spec.SpecReader;
import io.sluice.units.Resources;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
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
 * How many pods a second are placed by the own scheduler's rules and the ledger, among 5 000 nodes: filter by every
 * rule, score every node that is left, hold room, and count the pod there as bound. Meanwhile the same ledger grants
 * its VMs 1 000 permits a second. All of it is on one core. A pod leaves for each that comes. Without bus, replica and
 * API server.
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
    private static final int PODS = 5_000;
    private static final Resources TOTAL = new Resources(64_000, 256L << 30);
    private static final ReservedShare SHARE = PlacementConfig.DEFAULTS.share();

    /** What each pod names beside its resources, as in the workloads of kube-scheduler's own benchmark. */
    @Param({"resources", "nodeAffinity", "spread", "antiAffinity", "affinity"})
    public String rule;

    /** VMs that are bound, and stay. */
    @Param({"10000", "50000"})
    public int vms;

    private final SchedulingRules rules = SchedulingRules.withLedger();
    private final ClusterTable table = new ClusterTable();
    private final LoadedLedger ledger = new LoadedLedger(sums -> table.observed(NodeSnapshot.of(sums)));
    private final PendingPod[] coming = new PendingPod[PODS];
    private final String[] uids = new String[PODS];
    private final String[] nodeOf = new String[PODS];
    private int next;

    /** What happens beside the placements. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Meanwhile {
        /** Permits that were decided. */
        public long permits;
    }

    /** Makes nodes, and VMs and pods on them. */
    @Setup
    public void begin() {
        for (int node = 0; node < NODES; node++) {
            table.observed(SpecReader.node(
                    json("""
                        {"name":"node-%d","labels":{"kubernetes.io/hostname":"node-%d","zone":"zone-%d","region":"one"},
                         "allocatable":{"cpu":%d,"memory":%d,"pods":110}}\
                        """.formatted(node, node, node % ZONES, TOTAL.milliCpu(), TOTAL.memoryBytes()))));
            ledger.node("node-" + node, TOTAL);
        }
        for (int vm = 0; vm < vms; vm++) {
            var pod = pending(vm, Members.UNIT);
            ledger.vm(vm, choose(pod));
        }
        for (int pod = 0; pod < PODS; pod++) {
            // Each is of another size.
            coming[pod] = pending(vms + pod, new Resources(100 + pod % 900, (256L << 20) + pod));
            place(new Meanwhile());
        }
    }

    private static JsonNode json(String text) {
        try {
            return new ObjectMapper().readTree(text);
        } catch (JsonProcessingException noJson) {
            throw new IllegalArgumentException(text, noJson);
        }
    }

    /** One in fifty belongs to an application, which its terms are about. */
    private PendingPod pending(int pod, Resources charge) {
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

    /** One pod leaves, and comes again as another one. */
    @Benchmark
    public String place(Meanwhile meanwhile) {
        meanwhile.permits += ledger.grantDue();
        int number = next % PODS;
        var pod = coming[number];
        if (nodeOf[number] != null) {
            table.podGone(pod.spec().uid());
            ledger.gone(uids[number], nodeOf[number]);
        }
        var node = choose(pod);
        var uid = "uid-" + next++;
        if (!ledger.hold(uid, node, pod.charge())) {
            throw new IllegalStateException("the only one that places pods was refused room on " + node);
        }
        ledger.bound(uid, node, "", pod.charge());
        uids[number] = uid;
        nodeOf[number] = node;
        return node;
    }

    private String choose(PendingPod pod) {
        int best = SchedulingRules.best(pod, table, rules.fitting(pod, table), SHARE);
        if (best < 0) {
            throw new IllegalStateException(rules.reason(pod, table));
        }
        var node = table.name(best);
        table.placed(pod.spec().on(node));
        return node;
    }
}
