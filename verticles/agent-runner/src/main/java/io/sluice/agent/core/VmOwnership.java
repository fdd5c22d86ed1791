package io.sluice.agent.core;

import io.sluice.messages.cluster.VmObserved;
import io.sluice.shell.Assignment;
import java.util.Objects;

/** Which of the observed VMs an agent scales. */
public sealed interface VmOwnership {
    /**
     * Whether a VM is assigned to this agent.
     *
     * @param vm the newest observation of it
     * @param heldSoFar whether it was assigned until now
     */
    boolean holds(VmObserved vm, boolean heldSoFar);

    /**
     * The VMs that are assigned to this process by namespace and name. A VM that is created again under its old name
     * keeps its process.
     *
     * @param share among the processes with the role
     */
    record OfProcess(Assignment share) implements VmOwnership {
        public OfProcess {
            Objects.requireNonNull(share, "share");
        }

        @Override
        public boolean holds(VmObserved vm, boolean heldSoFar) {
            return share.mine(vm.vm().label());
        }
    }

    /**
     * The VMs that run on one node. A VM whose node is unknown for a moment has not left.
     *
     * @param node its name
     */
    record OfNode(String node) implements VmOwnership {
        public OfNode {
            Objects.requireNonNull(node, "node");
        }

        @Override
        public boolean holds(VmObserved vm, boolean heldSoFar) {
            return vm.node().isEmpty() ? heldSoFar : vm.node().equals(node);
        }
    }
}
