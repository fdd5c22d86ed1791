package io.sluice.cluster;

import io.sluice.messages.cluster.NodeSeen;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodSeen;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSeen;
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

    static final String NAMESPACE = "default";

    int vms() {
        return nodes * vmsPerNode;
    }

    int nodeOf(int vm) {
        return vm / vmsPerNode;
    }

    List<String> nodeNames() {
        return IntStream.range(0, nodes).mapToObj(this::nodeName).toList();
    }

    String nodeName(int node) {
        return "node-" + node;
    }

    String podName(int vm) {
        return "pod-" + vm;
    }

    Resources total() {
        return UNIT.times((long) UNITS_EACH * vmsPerNode);
    }

    IntStream vmsOn(int node) {
        return IntStream.range(node * vmsPerNode, (node + 1) * vmsPerNode);
    }

    NodeSeen nodeSeen(int node) {
        return new NodeSeen(nodeName(node), 1, total());
    }

    PodSeen podSeen(int vm) {
        return new PodSeen(podName(vm), NAMESPACE, podName(vm), nodeName(nodeOf(vm)), "vm-" + vm, 1, UNIT, 1);
    }

    /** A VM that says nowhere how it is measured: no agent of the product takes it for its own. */
    VmSeen vmSeen(int vm) {
        return new VmSeen(
                new VmId("neonvm", NAMESPACE, "vm-" + vm, "uid-" + vm),
                1,
                podName(vm),
                podName(vm),
                nodeName(nodeOf(vm)),
                VmPhase.RUNNING,
                true,
                false,
                false,
                new VmSizes(UNIT, UNIT.times(UNITS_MAX), UNIT, Optional.of(UNIT), UNIT.memoryBytes()),
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
