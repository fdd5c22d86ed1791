package io.sluice.pressure.core.choice;

import io.sluice.devices.NodeDevices;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.shell.explain.PlacementReasons;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * The sums of one node, without its reservations.
 *
 * @param node its name
 * @param completedAt when a full list completed it; empty where none has
 * @param complete whether one has
 * @param pressed whether VMs should leave it
 * @param total what it can give
 * @param watermark above this, VMs should leave
 * @param reserved the charges on it
 * @param deferred the growth that its kubelet defers
 * @param fixedTotal what it can give of the other kinds
 * @param fixedReserved what is reserved of them
 * @param devices its GPUs and zones
 * @param order when these sums were requested; older ones change nothing
 */
public record NodeRoom(
        String node,
        Optional<Instant> completedAt,
        boolean complete,
        boolean pressed,
        Resources total,
        Resources watermark,
        Resources reserved,
        Resources deferred,
        FixedAmounts fixedTotal,
        FixedAmounts fixedReserved,
        NodeDevices devices,
        long order) {
    public NodeRoom {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(completedAt, "completedAt");
        Objects.requireNonNull(total, "total");
        Objects.requireNonNull(watermark, "watermark");
        Objects.requireNonNull(reserved, "reserved");
        Objects.requireNonNull(deferred, "deferred");
        Objects.requireNonNull(fixedTotal, "fixedTotal");
        Objects.requireNonNull(fixedReserved, "fixedReserved");
        Objects.requireNonNull(devices, "devices");
    }

    static NodeRoom of(NodeLedgerView ledger, long order) {
        return new NodeRoom(
                ledger.node(),
                ledger.completedAt(),
                ledger.complete(),
                ledger.underPressure(),
                ledger.total(),
                ledger.watermark(),
                ledger.reserved(),
                ledger.deferred(),
                ledger.fixedTotal(),
                ledger.fixedReserved(),
                ledger.devices(),
                order);
    }

    /** The same node without room. */
    NodeRoom full(long since) {
        return new NodeRoom(
                node,
                completedAt,
                complete,
                pressed,
                total,
                watermark,
                reserved.max(total),
                deferred,
                fixedTotal,
                fixedReserved,
                devices,
                since);
    }

    /** Whether the node can have room at all. */
    boolean open() {
        return complete && !total.hasZero();
    }

    /**
     * What closes it to a VM, in words that follow "is"; empty where nothing does.
     *
     * @param takes what the VM takes of the other kinds
     * @param promised what other VMs are going to take of them
     */
    Optional<String> closed(FixedAmounts takes, FixedAmounts promised) {
        if (!deferred.equals(Resources.NONE)) {
            return Optional.of("full for its kubelet, which defers growth of " + ChoiceText.kinds(deferred));
        }
        var free = fixedTotal.minus(fixedReserved).minus(promised);
        var shortOf = devices.counted(takes, fixedTotal).minus(free);
        return shortOf.isNone()
                ? Optional.empty()
                : Optional.of("short of " + PlacementReasons.shortText(Resources.NONE, shortOf));
    }
}
