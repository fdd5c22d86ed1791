package io.sluice.ledger.wire;

import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.codecs.PermitReplyCodec;
import io.sluice.codecs.PermitRequestCodec;
import io.sluice.ledger.core.AgentSession;
import io.sluice.ledger.core.MigrationArrival;
import io.sluice.ledger.core.Observations;
import io.sluice.ledger.core.Reservation;
import io.sluice.ledger.core.ReservationAmounts;
import io.sluice.ledger.core.ReservationLimits;
import io.sluice.ledger.core.ReservationStatus;
import io.sluice.messages.ledger.MigrationMark;
import io.sluice.messages.ledger.PermitReply;

/** A member as {@link NodeStateCodec} says. */
final class ReservationPart {
    private static final PermitRequestCodec QUESTION = new PermitRequestCodec();
    private static final PermitReplyCodec ANSWER = new PermitReplyCodec();

    private ReservationPart() {}

    static void write(Reservation member, WireWriter out) {
        LedgerParts.write(member.who(), out);
        write(member.amounts(), out);
        write(member.limits(), out);
        write(member.talk(), out);
        write(member.standing(), out);
        write(member.seen(), out);
    }

    static Reservation read(WireReader in) {
        return new Reservation(LedgerParts.identity(in), amounts(in), limits(in), talk(in), standing(in), seen(in));
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

    private static void write(AgentSession talk, WireWriter out) {
        out.i64(talk.session())
                .text(talk.runner())
                .optional(
                        talk.last(),
                        (to, taken) -> to.message(QUESTION, taken.question()).message(ANSWER, taken.answer()))
                .optional(talk.load1(), WireWriter::f32)
                .optional(talk.askedAt(), (to, at) -> LedgerParts.write(at, to))
                .bool(talk.overclaimed())
                .optional(talk.keptSince(), (to, at) -> LedgerParts.write(at, to))
                .optional(talk.grownAt(), WireWriter::i64);
    }

    private static AgentSession talk(WireReader in) {
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
        var question = in.message(QUESTION);
        if (in.message(ANSWER) instanceof PermitReply.Ruled answer) {
            return new AgentSession.Taken(question, answer);
        }
        throw new IllegalArgumentException("a question that was taken has an answer that rules");
    }

    private static void write(ReservationStatus standing, WireWriter out) {
        out.constant(LedgerNumbers.CONTACT, standing.contact())
                .bool(standing.throughUs())
                .optional(standing.heldUntil(), (to, until) -> LedgerParts.write(until, to))
                .text(standing.heldFor())
                .list(standing.marks(), (to, mark) -> to.text(mark.attempt()).bool(mark.begun()))
                .bool(standing.forcedTold())
                .text(standing.arrival().holder())
                .text(standing.arrival().attempt())
                .bool(standing.arrival().underWay());
    }

    private static ReservationStatus standing(WireReader in) {
        return new ReservationStatus(
                in.constant(LedgerNumbers.CONTACT),
                in.bool(),
                in.optional(LedgerParts::instant),
                in.text(),
                in.list(from -> new MigrationMark(from.text(), from.bool())),
                in.bool(),
                new MigrationArrival(in.text(), in.text(), in.bool()));
    }

    private static void write(Observations seen, WireWriter out) {
        out.optional(seen.pod(), (to, fact) -> write(fact, to)).optional(seen.vm(), (to, fact) -> write(fact, to));
        LedgerParts.write(seen.since(), out);
    }

    private static Observations seen(WireReader in) {
        return new Observations(
                in.optional(ReservationPart::fact), in.optional(ReservationPart::fact), LedgerParts.instant(in));
    }

    private static void write(Observations.Kind fact, WireWriter out) {
        out.i64(fact.version()).resources(fact.amounts());
    }

    private static Observations.Kind fact(WireReader in) {
        return new Observations.Kind(in.i64(), in.resources());
    }
}
