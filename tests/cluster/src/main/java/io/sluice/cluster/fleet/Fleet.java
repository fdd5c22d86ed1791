package io.sluice.cluster.fleet;

import io.sluice.devices.Device;
import io.sluice.devices.GpuMode;
import io.sluice.devices.NodeDevices;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The nodes and VMs of the test. Each VM starts with one unit and requests up to sixteen. Its node has
 * {@value #UNITS_EACH} units for each VM, so that less than half of what is requested can be granted.
 *
 * @param nodes number of nodes
 * @param vmsPerNode number of VMs on each node
 */
public record Fleet(int nodes, int vmsPerNode) {
    /** The memory of each GPU of a node, in MiB. */
    static final long GPU_MIB = 1_000;

    private static final int GPUS = 2;

    /** The step of all sizes. */
    static final Resources UNIT = new Resources(250, 1L << 30);

    /** The most units that a VM may have. */
    static final int UNITS_MAX = 16;

    /** The units that a node has for each of its VMs. */
    static final int UNITS_EACH = 4;

    /** The most units that a VM requests while its node is calm. */
    static final int CALM_UNITS_MAX = 3;

    private static final long CALM_NANOS = 5_000_000_000L;
    private static final int CALM_ONE_IN = 3;

    static final String NAMESPACE = "default";

    int vms() {
        return nodes * vmsPerNode;
    }

    /** The node on which a VM starts. */
    int firstNodeOf(int vm) {
        return vm / vmsPerNode;
    }

    public List<String> nodeNames() {
        return IntStream.range(0, nodes).mapToObj(this::nodeName).toList();
    }

    String nodeName(int node) {
        return "node-" + node;
    }

    /** The name of the pod in which a VM starts. */
    String podName(int vm) {
        return "pod-" + vm;
    }

    String vmName(int vm) {
        return "vm-" + vm;
    }

    /** The most VMs that one node has after migrations. */
    int vmsPerNodeMax() {
        return vmsPerNode + vmsPerNode / 4;
    }

    int numberOf(String nodeName) {
        return nodeNames().indexOf(nodeName);
    }

    /**
     * Whether the node is calm, so that it has room for new pods. One node in three is calm at a time, in turns of five
     * seconds.
     */
    boolean isCalm(int node, long nanos) {
        return Math.floorMod(nanos / CALM_NANOS + node, CALM_ONE_IN) == 0;
    }

    Resources total() {
        return UNIT.times((long) UNITS_EACH * vmsPerNode);
    }

    NodeObserved nodeObserved(int node) {
        var gpus = new ArrayList<Device>();
        for (int minor = 0; minor < GPUS; minor++) {
            gpus.add(new Device(nodeName(node) + "-gpu-" + minor, minor, "T4", GPU_MIB));
        }
        return new NodeObserved(
                nodeName(node),
                1,
                total(),
                "",
                List.of(),
                true,
                FixedAmounts.NONE,
                new NodeDevices(GpuMode.SHARED, gpus));
    }

    /** An observation of a VM. It names no way to measure the VM, so that no agent of the product scales it. */
    VmObserved vmObserved(int vm, long version, PodObserved pod, Resources used, boolean migratable) {
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
