package io.sluice.placement.core.rules;

import io.sluice.devices.DeviceSelection;
import io.sluice.messages.ledger.KeptRoom;
import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.placement.core.devices.DeviceFill;
import io.sluice.placement.core.devices.DeviceScore;
import io.sluice.placement.core.devices.FreeDevices;
import io.sluice.placement.core.plugins.LiveLoad;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.PlacementPlugin.Misfit;
import io.sluice.placement.core.plugins.ReservedShare;
import io.sluice.placement.core.plugins.RoomScore;
import io.sluice.placement.core.plugins.Utilisation;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.zones.AlignedZones;
import io.sluice.placement.core.zones.ZoneScore;
import io.sluice.shell.load.NodeUse;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The last known sums of each node's ledger. */
final class LedgerTable {
    private static final FixedAmounts ONE_POD = FixedAmounts.of(Map.of(FixedAmounts.PODS, 1L));

    private final BitSet complete = new BitSet();
    private final BitSet ready = new BitSet();
    private final BitSet withDevices = new BitSet();
    private final BitSet withKept = new BitSet();
    private long[] cpuTotal = new long[64];
    private long[] cpuReserved = new long[64];
    private long[] memoryTotal = new long[64];
    private long[] memoryReserved = new long[64];
    private NodeSnapshot[] sums = new NodeSnapshot[64];
    private NodeUse[] use = new NodeUse[64];
    private final Map<Integer, NodeSnapshot> beforePlan = new HashMap<>();
    private Optional<Utilisation> byUse = Optional.empty();
    private Resources largest = Resources.NONE;
    private boolean largestKnown;
    private DeviceScore devices = DeviceFill.DEFAULT;
    private AlignedZones zones = new AlignedZones(ZoneScore.LEAST_ALLOCATED);

    void change(int node, NodeSnapshot sums) {
        if (node >= cpuTotal.length) {
            int length = Math.max(node + 1, 2 * cpuTotal.length);
            cpuTotal = Arrays.copyOf(cpuTotal, length);
            cpuReserved = Arrays.copyOf(cpuReserved, length);
            memoryTotal = Arrays.copyOf(memoryTotal, length);
            memoryReserved = Arrays.copyOf(memoryReserved, length);
            this.sums = Arrays.copyOf(this.sums, length);
            use = Arrays.copyOf(use, length);
        }
        complete.set(node, sums.complete());
        ready.set(node, sums.readiness() == NodeReadiness.READY);
        withDevices.set(node, sums.devices().count() > 0);
        withKept.set(node, !sums.kept().isEmpty());
        largestKnown &= total(node).equals(sums.total());
        cpuTotal[node] = sums.total().milliCpu();
        memoryTotal[node] = sums.total().memoryBytes();
        cpuReserved[node] = sums.reserved().milliCpu();
        memoryReserved[node] = sums.reserved().memoryBytes();
        this.sums[node] = sums;
    }

    /** @param used of the VMs on a node */
    void use(int node, NodeUse used) {
        if (node < use.length) {
            use[node] = used;
        }
    }

    /** The room that is kept on a node for a pod that the other one may not pass. */
    Optional<KeptRoom> keptFrom(PendingPod pod, int node) {
        if (!withKept.get(node)) {
            return Optional.empty();
        }
        var spec = pod.spec();
        var fixed = FixedAmounts.of(spec.requests()).plus(ONE_POD);
        return sums[node].keptFrom(
                reserved(node),
                pod.charge(),
                fixed,
                spec.priority(),
                room -> room.isFor(spec.uid(), spec.namespace(), spec.id().name()));
    }

    /** Removes the nodes on which the pod would take room that is kept for another one. */
    void keepRoomOfOthers(PendingPod pod, BitSet nodes) {
        for (int node = withKept.nextSetBit(0); node >= 0; node = withKept.nextSetBit(node + 1)) {
            if (nodes.get(node) && keptFrom(pod, node).isPresent()) {
                nodes.clear(node);
            }
        }
    }

    void remove(int node) {
        complete.clear(node);
        ready.clear(node);
        withDevices.clear(node);
        withKept.clear(node);
        if (node < cpuTotal.length) {
            largestKnown = false;
            cpuTotal[node] = 0;
            memoryTotal[node] = 0;
            sums[node] = null;
            use[node] = null;
        }
    }

    /** Adds a hold until the next sums contain it. */
    void hold(int node, Resources charge) {
        if (complete.get(node)) {
            cpuReserved[node] += charge.milliCpu();
            memoryReserved[node] += charge.memoryBytes();
        }
    }

    /** Takes a charge away again. */
    void free(int node, Resources charge) {
        if (complete.get(node)) {
            // Newer sums may lack what is freed.
            cpuReserved[node] = Math.max(0, cpuReserved[node] - charge.milliCpu());
            memoryReserved[node] = Math.max(0, memoryReserved[node] - charge.memoryBytes());
        }
    }

    /** Counts the GPUs and NUMA zones of a pod that is planned on a node, until {@link #endPlan}. */
    void plan(int node, PendingPod pod) {
        boolean counts = !pod.gpus().isNone() || !pod.zones().isNone();
        sums(node).filter(known -> counts).ifPresent(known -> {
            if (FreeDevices.select(pod.gpus(), pod.zones(), known) instanceof DeviceSelection.Chosen chosen) {
                beforePlan.putIfAbsent(node, known);
                sums[node] = known.taking(chosen.shares(), pod.zones());
            }
        });
    }

    void endPlan() {
        beforePlan.forEach((node, known) -> sums[node] = known);
        beforePlan.clear();
    }

    BitSet complete() {
        return complete;
    }

    BitSet ready() {
        return ready;
    }

    Resources total(int node) {
        return node < cpuTotal.length ? new Resources(cpuTotal[node], memoryTotal[node]) : Resources.NONE;
    }

    Resources reserved(int node) {
        return node < cpuTotal.length ? new Resources(cpuReserved[node], memoryReserved[node]) : Resources.NONE;
    }

    /** What is not reserved of CPU or memory; of other resources without a limit. */
    long free(String resource, int node) {
        return switch (resource) {
            case ResourceRule.CPU -> cpuTotal[node] - cpuReserved[node];
            case ResourceRule.MEMORY -> memoryTotal[node] - memoryReserved[node];
            default -> Long.MAX_VALUE;
        };
    }

    void keepWithRoom(Resources charge, BitSet nodes) {
        long cpu = charge.milliCpu();
        long memory = charge.memoryBytes();
        var walk = new NodeIndex.Walk(nodes);
        for (int node = walk.next(); node >= 0; node = walk.next()) {
            if (cpuReserved[node] + cpu > cpuTotal[node] || memoryReserved[node] + memory > memoryTotal[node]) {
                nodes.clear(node);
            }
        }
    }

    /** The last sums of a node; empty where there are none. */
    Optional<NodeSnapshot> sums(int node) {
        return node < sums.length ? Optional.ofNullable(sums[node]) : Optional.empty();
    }

    /** The score of a node with the pod on it. */
    double score(int node, PendingPod pod, RoomScore score, Resources largest) {
        double room = score(node, pod.charge(), score, largest);
        if (sums[node] == null) {
            return room;
        }
        double both = withDevices.get(node)
                ? devices.with(room, pod.gpus(), pod.charge(), sums[node].reserving(reserved(node)), largest)
                : room;
        return pod.zones().isNone() ? both : zones.with(both, pod.zones(), sums[node]);
    }

    private double score(int node, Resources charge, RoomScore score, Resources largest) {
        return switch (score) {
            case ReservedShare share ->
                Math.min(
                        share.score(cpuReserved[node] + charge.milliCpu(), cpuTotal[node], largest.milliCpu()),
                        share.score(
                                memoryReserved[node] + charge.memoryBytes(), memoryTotal[node], largest.memoryBytes()));
            case LiveLoad live ->
                sums[node] == null
                        ? 0
                        : live.of(
                                reserved(node).plus(charge),
                                Objects.requireNonNullElse(use[node], NodeUse.NONE),
                                sums[node]);
            case Utilisation utilisation -> sums[node] == null ? 0 : utilisation.of(charge, snapshot(node));
        };
    }

    /** The score with what it needs of all candidates together. */
    RoomScore prepared(RoomScore score, PendingPod pod, BitSet nodes) {
        return switch (score) {
            case ReservedShare share -> share;
            case LiveLoad live -> live;
            case Utilisation utilisation ->
                utilisation.among(
                        utilisation.expected(pod),
                        nodes.stream()
                                .filter(node -> node < sums.length && sums[node] != null)
                                .mapToObj(this::snapshot)
                                .toList());
        };
    }

    /** Applies how nodes are excluded by use; empty where they are not. */
    void excludeByUse(Optional<Utilisation> utilisation) {
        byUse = utilisation;
    }

    void scoreBy(DeviceScore newDevices, AlignedZones newZones) {
        devices = newDevices;
        zones = newZones;
    }

    boolean excludesByUse() {
        return byUse.filter(Utilisation::excludes).isPresent();
    }

    /** Why a node cannot take a pod by its use. */
    Optional<Misfit> misfitByUse(PendingPod pod, int node) {
        return node >= sums.length || sums[node] == null
                ? Optional.empty()
                : byUse.flatMap(utilisation -> utilisation.filter(utilisation.expected(pod), snapshot(node)));
    }

    private NodeSnapshot snapshot(int node) {
        return sums[node].reserving(reserved(node)).using(Objects.requireNonNullElse(use[node], NodeUse.NONE));
    }

    /** The largest total of any node, kind by kind. */
    Resources largest() {
        if (!largestKnown) {
            largest = new Resources(
                    Arrays.stream(cpuTotal).max().orElse(0),
                    Arrays.stream(memoryTotal).max().orElse(0));
            largestKnown = true;
        }
        return largest;
    }
}
