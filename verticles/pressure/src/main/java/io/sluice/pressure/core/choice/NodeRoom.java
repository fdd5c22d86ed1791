package io.sluice.pressure.core.choice;

import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.units.Resources;
import java.util.Objects;
import java.util.Optional;

/**
 * The sums of one node, without its reservations.
 *
 * @param node its name
 * @param complete whether a full list has completed it
 * @param pressed whether VMs should leave it
 * @param total what it can give
 * @param watermark above this, VMs should leave
 * @param reserved the charges on it
 * @param deferred the growth that its kubelet defers
 * @param order when these sums were requested; older ones change nothing
 */
public record NodeRoom(
        String node,
        boolean complete,
        boolean pressed,
        Resources total,
        Resources watermark,
        Resources reserved,
        Resources deferred,
        long order) {
    public NodeRoom {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(total, "total");
        Objects.requireNonNull(watermark, "watermark");
        Objects.requireNonNull(reserved, "reserved");
        Objects.requireNonNull(deferred, "deferred");
    }

    static NodeRoom of(NodeLedgerView ledger, long order) {
        return new NodeRoom(
                ledger.node(),
                ledger.complete(),
                ledger.underPressure(),
                ledger.total(),
                ledger.watermark(),
                ledger.reserved(),
                ledger.deferred(),
                order);
    }

    /** The same node without room. */
    NodeRoom full(long since) {
        return new NodeRoom(node, complete, pressed, total, watermark, reserved.max(total), deferred, since);
    }

    /** Whether the node can have room at all. */
    boolean open() {
        return complete && !total.hasZero();
    }

    /** What closes it to every VM, in words that follow "is"; empty where nothing does. */
    Optional<String> closed() {
        return deferred.equals(Resources.NONE)
                ? Optional.empty()
                : Optional.of("full for its kubelet, which defers growth of " + ChoiceText.kinds(deferred));
    }
}
