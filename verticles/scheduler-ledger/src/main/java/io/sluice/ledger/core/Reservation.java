package io.sluice.ledger.core;

import java.util.Objects;

/**
 * Something that holds resources on a node: a VM's pod or any other.
 *
 * @param who its names
 * @param amounts what the books hold for it
 * @param limits what it may be
 * @param talk who speaks for it
 * @param standing how it stands on the node
 * @param seen which facts about it were taken
 */
public record Reservation(
        PodIdentity who,
        ReservationAmounts amounts,
        ReservationLimits limits,
        AgentSession talk,
        ReservationStatus standing,
        Observations seen) {
    public Reservation {
        Objects.requireNonNull(who, "who");
        Objects.requireNonNull(amounts, "amounts");
        Objects.requireNonNull(limits, "limits");
        Objects.requireNonNull(talk, "talk");
        Objects.requireNonNull(standing, "standing");
        Objects.requireNonNull(seen, "seen");
    }

    /** The pod's uid. */
    public String id() {
        return who.id();
    }

    Reservation with(ReservationAmounts newAmounts) {
        return new Reservation(who, newAmounts, limits, talk, standing, seen);
    }

    Reservation with(ReservationLimits newLimits) {
        return new Reservation(who, amounts, newLimits, talk, standing, seen);
    }

    Reservation with(AgentSession newTalk) {
        return new Reservation(who, amounts, limits, newTalk, standing, seen);
    }

    Reservation with(ReservationStatus newStanding) {
        return new Reservation(who, amounts, limits, talk, newStanding, seen);
    }

    Reservation with(Observations newSeen) {
        return new Reservation(who, amounts, limits, talk, standing, newSeen);
    }

    Reservation with(PodIdentity newWho) {
        return new Reservation(newWho, amounts, limits, talk, standing, seen);
    }

    /** The same with other room asked for it; who speaks for it and what was seen of it stays. */
    Reservation bookedAs(NewReservation booking) {
        return new Reservation(
                booking.who(), booking.used(), ReservationLimits.fixed(booking.amounts()), talk, standing, seen);
    }
}
