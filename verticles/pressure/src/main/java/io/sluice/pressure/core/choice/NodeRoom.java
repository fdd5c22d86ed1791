package io.sluice.pressure.core.choice;

import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.units.Resources;
import java.util.Objects;

/**
 * What one node has promised, without its members.
 *
 * @param node its name
 * @param complete whether its members were listed
 * @param pressed whether VMs should leave it
 * @param total what it can give
 * @param watermark above this, VMs should leave
 * @param reserved what is promised
 * @param order when this was known to hold; what is older changes nothing
 */
public record NodeRoom(
        String node,
        boolean complete,
        boolean pressed,
        Resources total,
        Resources watermark,
        Resources reserved,
        long order) {
    public NodeRoom {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(total, "total");
        Objects.requireNonNull(watermark, "watermark");
        Objects.requireNonNull(reserved, "reserved");
    }

    static NodeRoom of(NodeLedgerView books, long order) {
        return new NodeRoom(
                books.node(),
                books.complete(),
                books.underPressure(),
                books.total(),
                books.watermark(),
                books.reserved(),
                order);
    }

    /** With nothing left to give. */
    NodeRoom full(long since) {
        return new NodeRoom(node, complete, pressed, total, watermark, reserved.max(total), since);
    }

    /** Whether anything can be put there at all. */
    boolean open() {
        return complete && !total.hasZero();
    }
}
