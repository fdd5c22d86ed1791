package io.sluice.bench.placement;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.placement.PlacementConfig;
import io.sluice.placement.core.PlacementAttempt;
import io.sluice.placement.core.gangs.GangAction;
import io.sluice.placement.core.gangs.GangCollector;
import io.sluice.placement.core.gangs.GangKey;
import io.sluice.placement.core.gangs.GangMember;
import io.sluice.placement.core.gangs.GangRecord;
import io.sluice.placement.core.gangs.GangSpec;
import io.sluice.placement.core.gangs.GangSurroundings;
import io.sluice.placement.core.gangs.Gangs;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.placement.core.plugins.RoomScore;
import io.sluice.placement.core.rules.ClusterTable;
import io.sluice.placement.core.rules.SchedulingRules;
import io.sluice.placement.core.spec.NodeSpec;
import io.sluice.placement.core.spec.PodSpec;
import io.sluice.placement.core.spec.SpecReader;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long a gang takes from its first attempt until all of it is bound, among 1 500 nodes: choose a node for each
 * member by every rule, hold room for each in the ledger, and count all as bound. Without bus, replica and API server.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class GangBench implements GangSurroundings {
    private static final int NODES = 1_500;
    private static final Resources TOTAL = new Resources(64_000, 256L << 30);
    private static final GangKey KEY = new GangKey(GangKey.Kind.X_K8S, "default", "gang");

    /** How many members the gang has, all of which have to start together. */
    @Param({"8", "256"})
    public int members;

    private final ClusterTable table = new ClusterTable();
    private final LoadedLedger ledger = new LoadedLedger(sums -> table.observed(NodeSnapshot.of(sums)));
    private final Map<String, PodToPlace> pods = new HashMap<>();
    private final Map<String, PodSpec> specs = new HashMap<>();
    private final Map<String, String> nodeOf = new HashMap<>();
    private Gangs gangs;
    private GangCollector collector;
    private int unique;

    @Override
    public Optional<PodToPlace> observed(String uid) {
        return Optional.ofNullable(pods.get(uid));
    }

    @Override
    public Optional<PodSpec> spec(String uid) {
        return Optional.ofNullable(specs.get(uid));
    }

    @Override
    public boolean bindsOnRequest(List<GangRecord> all) {
        return false;
    }

    @Override
    public RoomScore score() {
        return PlacementConfig.DEFAULTS.share();
    }

    @Override
    public String unique() {
        return Integer.toString(++unique);
    }

    /** Makes the nodes. */
    @Setup
    public void begin() {
        for (int node = 0; node < NODES; node++) {
            var name = "node-" + node;
            table.observed(new NodeSpec(
                    name,
                    Map.of("kubernetes.io/hostname", name),
                    List.of(),
                    false,
                    Map.of("cpu", TOTAL.milliCpu(), "memory", TOTAL.memoryBytes(), "pods", 110L)));
            ledger.node(name, TOTAL);
        }
    }

    /** A gang comes. */
    @Setup(Level.Invocation)
    public void come() {
        gangs = new Gangs();
        collector = new GangCollector(gangs, table, SchedulingRules.withLedger(), this);
        gangs.observed(new GangSpec(KEY, members, Instant.EPOCH));
        for (int member = 0; member < members; member++) {
            var uid = "uid-" + ++unique;
            var amounts = new Resources(1_000 + member, (1L << 30) + member);
            pods.put(uid, new PodToPlace(new PodObserved(uid, "default", uid, "", "", 1, amounts, 0), Overcommit.OFF));
            var json = JsonNodeFactory.instance.objectNode();
            json.put("uid", uid).put("namespace", "default").put("name", uid);
            json.putObject("requests").put("cpu", amounts.milliCpu()).put("memory", amounts.memoryBytes());
            specs.put(uid, SpecReader.pod(json, 1));
            gangs.observed(new GangMember(uid, "default", uid, KEY, 0, "", false, GangMember.End.NONE, false));
        }
    }

    /** All of it leaves. */
    @TearDown(Level.Invocation)
    public void leave() {
        if (nodeOf.size() != members) {
            throw new IllegalStateException("only " + nodeOf.size() + " of " + members + " members are bound");
        }
        nodeOf.forEach((uid, node) -> {
            table.podGone(uid);
            ledger.gone(uid, node);
        });
        nodeOf.clear();
        pods.clear();
        specs.clear();
    }

    /** The gang starts. */
    @Benchmark
    public int start() {
        var now = Instant.EPOCH;
        var next = collector.next(now).orElseThrow();
        var due = new ArrayDeque<>(collector.begin(next, now));
        while (!due.isEmpty()) {
            switch (due.remove()) {
                case GangAction.Hold(var attempt) -> due.addAll(collector.held(attempt, held(attempt), now));
                case GangAction.Bind(var attempt) -> {
                    nodeOf.put(attempt.pod().pod().uid(), attempt.node());
                    due.addAll(collector.bound(
                            attempt, PlacementAttempt.End.without(PlacementAttempt.Outcome.PLACED, ""), now));
                }
                case GangAction.Touch _,
                        GangAction.Release _,
                        GangAction.Requeue _,
                        GangAction.Keep _,
                        GangAction.Happened _ -> {}
            }
        }
        return nodeOf.size();
    }

    private Optional<HoldReply> held(PlacementAttempt attempt) {
        var pod = attempt.pod();
        return ledger.hold(pod.pod().uid(), attempt.node(), pod.charge())
                ? Optional.of(new HoldReply.Held(Duration.ofHours(1)))
                : Optional.empty();
    }
}
