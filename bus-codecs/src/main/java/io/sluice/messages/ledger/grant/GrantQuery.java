package io.sluice.messages.ledger.grant;

import io.sluice.messages.ledger.HoldRoom;
import io.sluice.units.Resources;
import java.util.Objects;

/** Requests what would let a node ledger grant a request. Nothing is granted, and no state changes. */
public sealed interface GrantQuery {
    /** The node whose ledger decides. */
    String node();

    /**
     * A permit for a VM, as its agent requested it last.
     *
     * @param node the reservation's node
     * @param pod the pod's uid
     * @param target the desired size; {@link Resources#NONE} for the one that was requested last
     */
    record OfPermit(String node, String pod, Resources target) implements GrantQuery {
        public OfPermit {
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(pod, "pod");
            Objects.requireNonNull(target, "target");
        }
    }

    /**
     * A hold.
     *
     * @param hold the request
     * @param belowWatermark whether the node has to stay below its watermark with it, as the target of a migration has
     */
    record OfHold(HoldRoom hold, boolean belowWatermark) implements GrantQuery {
        public OfHold {
            Objects.requireNonNull(hold, "hold");
        }

        @Override
        public String node() {
            return hold.node();
        }
    }
}
