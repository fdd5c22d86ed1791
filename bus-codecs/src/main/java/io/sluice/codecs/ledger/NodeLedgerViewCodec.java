package io.sluice.codecs.ledger;

import io.sluice.codecs.ClusterParts;
import io.sluice.codecs.DeviceParts;
import io.sluice.codecs.EnumNumbers;
import io.sluice.messages.ledger.MigrationMark;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReservationTraits;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.units.Resources;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;
import java.util.Optional;

/**
 * v10: node text, complete bool, total, watermark, reserved, committed, held, buffer, capacityPressure,
 * accountedPressure, migrating resources, underPressure bool, invariantsBroken i64, reservations, readiness u8,
 * unsettled i32, total, reserved, held fixed amounts, devices, kept room?, deferred resources (v9), completedAt
 * instant? (v10). A reservation: pod, namespace, name, vmName texts, reserved, requested, pressure, buffer, max
 * resources, migrating bool, contact u8, session, seq i64, charge resources, overcommit, unit resources, load1 f32?,
 * createdAtSeconds i64, autoscaled, migratable, alwaysMigrate, held, migrationTarget bools, marks, heldFor text, fixed
 * amounts. A mark: attempt text, begun bool.
 */
public final class NodeLedgerViewCodec extends WireCodec<NodeLedgerView> {
    /** The codec. */
    public NodeLedgerViewCodec() {
        super("ledger.node-ledger-view", 8, 10);
    }

    @Override
    protected void write(NodeLedgerView message, WireWriter out) {
        out.text(message.node())
                .bool(message.complete())
                .resources(message.total())
                .resources(message.watermark())
                .resources(message.reserved())
                .resources(message.committed())
                .resources(message.held())
                .resources(message.buffer())
                .resources(message.capacityPressure())
                .resources(message.accountedPressure())
                .resources(message.migrating())
                .bool(message.underPressure())
                .i64(message.invariantsBroken())
                .list(message.reservations(), (to, reservation) -> write(reservation, to))
                .constant(EnumNumbers.NODE_READINESS, message.readiness())
                .i32(message.unsettled())
                .fixedAmounts(message.fixedTotal())
                .fixedAmounts(message.fixedReserved())
                .fixedAmounts(message.fixedHeld());
        DeviceParts.write(message.devices(), out);
        out.optional(message.kept(), (to, room) -> KeptRoomPart.write(room, to))
                .resources(message.deferred())
                .optional(message.completedAt(), WireWriter::instant);
    }

    @Override
    protected NodeLedgerView read(int version, WireReader in) {
        return new NodeLedgerView(
                in.text(),
                in.bool(),
                in.resources(),
                in.resources(),
                in.resources(),
                in.resources(),
                in.resources(),
                in.resources(),
                in.resources(),
                in.resources(),
                in.resources(),
                in.bool(),
                in.i64(),
                in.list(NodeLedgerViewCodec::reservation),
                in.constant(EnumNumbers.NODE_READINESS),
                in.i32(),
                in.fixedAmounts(),
                in.fixedAmounts(),
                in.fixedAmounts(),
                DeviceParts.node(in),
                in.optional(KeptRoomPart::read),
                version < 9 ? Resources.NONE : in.resources(),
                version < 10 ? Optional.empty() : in.optional(WireReader::instant));
    }

    private static void write(ReservationView reservation, WireWriter out) {
        out.text(reservation.pod())
                .text(reservation.namespace())
                .text(reservation.name())
                .text(reservation.vmName())
                .resources(reservation.reserved())
                .resources(reservation.requested())
                .resources(reservation.pressure())
                .resources(reservation.buffer())
                .resources(reservation.max())
                .bool(reservation.migrating())
                .constant(EnumNumbers.AGENT_CONTACT, reservation.contact())
                .i64(reservation.session())
                .i64(reservation.seq());
        write(reservation.traits(), out);
    }

    private static void write(ReservationTraits traits, WireWriter out) {
        out.resources(traits.charge());
        ClusterParts.write(traits.overcommit(), out);
        out.resources(traits.unit())
                .optional(traits.load1(), WireWriter::f32)
                .i64(traits.createdAtSeconds())
                .bool(traits.autoscaled())
                .bool(traits.migratable())
                .bool(traits.alwaysMigrate())
                .bool(traits.held())
                .bool(traits.migrationTarget())
                .list(traits.marks(), (to, mark) -> to.text(mark.attempt()).bool(mark.begun()))
                .text(traits.heldFor())
                .fixedAmounts(traits.fixed());
    }

    private static ReservationView reservation(WireReader in) {
        return new ReservationView(
                in.text(),
                in.text(),
                in.text(),
                in.text(),
                in.resources(),
                in.resources(),
                in.resources(),
                in.resources(),
                in.resources(),
                in.bool(),
                in.constant(EnumNumbers.AGENT_CONTACT),
                in.i64(),
                in.i64(),
                traits(in));
    }

    private static ReservationTraits traits(WireReader in) {
        return new ReservationTraits(
                in.resources(),
                ClusterParts.overcommit(in),
                in.resources(),
                in.optional(WireReader::f32),
                in.i64(),
                in.bool(),
                in.bool(),
                in.bool(),
                in.bool(),
                in.bool(),
                in.list(from -> new MigrationMark(from.text(), from.bool())),
                in.text(),
                in.fixedAmounts());
    }
}
