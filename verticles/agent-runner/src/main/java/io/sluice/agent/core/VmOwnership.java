package io.sluice.agent.core;

import io.sluice.messages.cluster.VmObserved;
import io.sluice.shell.Assignment;
import java.util.Objects;

/** Which VMs an agent scales, of all that it hears of. */
public sealed interface VmOwnership {
    /**
     * Whether a VM is this agent's.
     *
     * @param vm the newest fact about it
     * @param heldSoFar whether it was until now
     */
    boolean holds(VmObserved vm, boolean heldSoFar);

    /**
     * Those that fall to this process, by namespace and name: one that is made anew under its old name falls to the
     * same.
     *
     * @param share among the processes that carry the role
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
     * Those that run on one node. Where a VM runs may not be known for a moment; then it has not left.
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
