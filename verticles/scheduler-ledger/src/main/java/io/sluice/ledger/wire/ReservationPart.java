package io.sluice.ledger.wire;

import io.sluice.codecs.DeviceParts;
import io.sluice.codecs.ledger.PermitReplyCodec;
import io.sluice.codecs.ledger.PermitRequestCodec;
import io.sluice.ledger.core.state.AgentSession;
import io.sluice.ledger.core.state.MigrationArrival;
import io.sluice.ledger.core.state.Observations;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.ledger.core.state.ReservationAmounts;
import io.sluice.ledger.core.state.ReservationLimits;
import io.sluice.ledger.core.state.ReservationStatus;
import io.sluice.messages.ledger.MigrationMark;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** A reservation in the form of {@link NodeStateCodec}. */
final class ReservationPart {
    private static final PermitRequestCodec REQUEST = new PermitRequestCodec();
    private static final PermitReplyCodec ANSWER = new PermitReplyCodec();

    private ReservationPart() {}

    static void write(Reservation reservation, WireWriter out) {
        LedgerParts.write(reservation.pod(), out);
        write(reservation.amounts(), out);
        write(reservation.limits(), out);
        write(reservation.session(), out);
        write(reservation.status(), out);
        write(reservation.observations(), out);
        out.fixedAmounts(reservation.fixed());
        DeviceParts.writeShares(reservation.shares(), out);
    }

    static Reservation read(WireReader in) {
        return new Reservation(
                LedgerParts.identity(in),
                amounts(in),
                limits(in),
                session(in),
                status(in),
                observations(in),
                in.fixedAmounts(),
                DeviceParts.shares(in));
    }

    private static void write(ReservationAmounts amounts, WireWriter out) {
        out.resources(amounts.reserved())
                .resources(amounts.requested())
                .resources(amounts.pressure())
                .resources(amounts.buffer());
        LedgerParts.write(amounts.overcommit(), out);
    }

    private static ReservationAmounts amounts(WireReader in) {
        return new ReservationAmounts(
                in.resources(), in.resources(), in.resources(), in.resources(), LedgerParts.overcommit(in));
    }

    private static void write(ReservationLimits limits, WireWriter out) {
        out.resources(limits.min())
                .resources(limits.max())
                .resources(limits.unit())
                .bool(limits.autoscaled())
                .bool(limits.migratable())
                .bool(limits.alwaysMigrate());
    }

    private static ReservationLimits limits(WireReader in) {
        return new ReservationLimits(in.resources(), in.resources(), in.resources(), in.bool(), in.bool(), in.bool());
    }

    private static void write(AgentSession session, WireWriter out) {
        out.i64(session.session())
                .text(session.runner())
                .optional(
                        session.last(),
                        (to, taken) -> to.message(REQUEST, taken.request()).message(ANSWER, taken.answer()))
                .optional(session.load1(), WireWriter::f32)
                .optional(session.requestedAt(), (to, at) -> LedgerParts.write(at, to))
                .bool(session.overclaimed())
                .optional(session.keptSince(), (to, at) -> LedgerParts.write(at, to))
                .optional(session.grownAt(), WireWriter::i64);
    }

    private static AgentSession session(WireReader in) {
        return new AgentSession(
                in.i64(),
                in.text(),
                in.optional(ReservationPart::taken),
                in.optional(WireReader::f32),
                in.optional(LedgerParts::instant),
                in.bool(),
                in.optional(LedgerParts::instant),
                in.optional(WireReader::i64));
    }

    private static AgentSession.Taken taken(WireReader in) {
        var request = in.message(REQUEST);
        if (in.message(ANSWER) instanceof PermitReply.Ruled answer) {
            return new AgentSession.Taken(request, answer);
        }
        throw new IllegalArgumentException("the reply to an accepted request must be a decision");
    }

    private static void write(ReservationStatus status, WireWriter out) {
        out.constant(LedgerNumbers.CONTACT, status.contact())
                .bool(status.throughUs())
                .optional(status.heldUntil(), (to, until) -> LedgerParts.write(until, to))
                .text(status.heldFor())
                .list(status.marks(), (to, mark) -> to.text(mark.attempt()).bool(mark.begun()))
                .bool(status.forceReported())
                .text(status.arrival().holder())
                .text(status.arrival().attempt())
                .bool(status.arrival().underWay());
    }

    private static ReservationStatus status(WireReader in) {
        return new ReservationStatus(
                in.constant(LedgerNumbers.CONTACT),
                in.bool(),
                in.optional(LedgerParts::instant),
                in.text(),
                in.list(from -> new MigrationMark(from.text(), from.bool())),
                in.bool(),
                new MigrationArrival(in.text(), in.text(), in.bool()));
    }

    private static void write(Observations observed, WireWriter out) {
        out.optional(observed.pod(), (to, observation) -> write(observation, to))
                .optional(observed.vm(), (to, observation) -> write(observation, to));
        LedgerParts.write(observed.since(), out);
        out.bool(observed.locked()).resources(observed.deferred());
    }

    private static Observations observations(WireReader in) {
        return new Observations(
                in.optional(ReservationPart::observation),
                in.optional(ReservationPart::observation),
                LedgerParts.instant(in),
                in.bool(),
                in.resources());
    }

    private static void write(Observations.Kind observation, WireWriter out) {
        out.i64(observation.version()).resources(observation.amounts());
    }

    private static Observations.Kind observation(WireReader in) {
        return new Observations.Kind(in.i64(), in.resources());
    }
}
