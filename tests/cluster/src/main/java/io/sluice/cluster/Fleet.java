package io.sluice.cluster;

import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The nodes and VMs that the ledger is asked about. Each VM begins with one unit and wants up to sixteen; its node has
 * {@value #UNITS_EACH} for each, so that not half of what is wished for can be had.
 *
 * @param nodes how many
 * @param vmsPerNode on each
 */
record Fleet(int nodes, int vmsPerNode) {
    /** The step of all sizes. */
    static final Resources UNIT = new Resources(250, 1L << 30);

    /** No VM is given more units. */
    static final int UNITS_MAX = 16;

    /** So many units has a node for each of its VMs. */
    static final int UNITS_EACH = 4;

    /** While its node is calm a VM wants no more. */
    static final int CALM_UNITS_MAX = 3;

    private static final long CALM_NANOS = 5_000_000_000L;
    private static final int CALM_ONE_IN = 3;

    static final String NAMESPACE = "default";

    int vms() {
        return nodes * vmsPerNode;
    }

    /** Where a VM runs at first. */
    int firstNodeOf(int vm) {
        return vm / vmsPerNode;
    }

    List<String> nodeNames() {
        return IntStream.range(0, nodes).mapToObj(this::nodeName).toList();
    }

    String nodeName(int node) {
        return "node-" + node;
    }

    /** The pod in which a VM runs at first. */
    String podName(int vm) {
        return "pod-" + vm;
    }

    String vmName(int vm) {
        return "vm-" + vm;
    }

    /** So many of them run on one node after some have moved, and few more. */
    int vmsPerNodeMax() {
        return vmsPerNode + vmsPerNode / 4;
    }

    int numberOf(String nodeName) {
        return nodeNames().indexOf(nodeName);
    }

    /** Nodes are calm in turn for five seconds, one in three at a time: then they have room for what comes. */
    boolean isCalm(int node, long nanos) {
        return Math.floorMod(nanos / CALM_NANOS + node, CALM_ONE_IN) == 0;
    }

    Resources total() {
        return UNIT.times((long) UNITS_EACH * vmsPerNode);
    }

    NodeObserved nodeSeen(int node) {
        return new NodeObserved(nodeName(node), 1, total());
    }

    /** A VM that says nowhere how it is measured: no agent of the product takes it for its own. */
    VmObserved vmSeen(int vm, long version, PodObserved pod, Resources used, boolean migratable) {
        return new VmObserved(
                new VmId("neonvm", NAMESPACE, vmName(vm), "uid-" + vm),
                version,
                pod.uid(),
                pod.name(),
                pod.node(),
                VmPhase.RUNNING,
                true,
                migratable,
                false,
                new VmSizes(UNIT, UNIT.times(UNITS_MAX), used, Optional.of(used), UNIT.memoryBytes()),
                Overcommit.OFF,
                ScalingOverrides.NONE,
                Optional.empty(),
                Optional.empty(),
                "",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                VmTraits.NONE);
    }
}
