package io.sluice.ledger.core.state;

import io.sluice.units.FixedAmounts;
import java.util.Objects;

/**
 * What the ledger has reserved for one pod on a node, for a VM's pod or any other.
 *
 * @param pod the pod's names
 * @param amounts the reserved amounts
 * @param limits the limits of the VM
 * @param session the session of the agent that requests for it
 * @param status hold, migration and recovery
 * @param observations the newest observations that were applied
 * @param fixed the reserved amounts of the kinds that never change while the pod runs
 */
public record Reservation(
        PodIdentity pod,
        ReservationAmounts amounts,
        ReservationLimits limits,
        AgentSession session,
        ReservationStatus status,
        Observations observations,
        FixedAmounts fixed) {
    public Reservation {
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(amounts, "amounts");
        Objects.requireNonNull(limits, "limits");
        Objects.requireNonNull(session, "session");
        Objects.requireNonNull(status, "status");
        Objects.requireNonNull(observations, "observations");
        Objects.requireNonNull(fixed, "fixed");
    }

    /** The pod's uid. */
    public String id() {
        return pod.id();
    }

    /**
     * Whether its VM migrates away: by a mark, or by what the VM itself shows. The marks of a node whose state was lost
     * are set again only after some time.
     */
    public boolean migrates() {
        return status.migrating() || observations.locked();
    }

    public Reservation with(ReservationAmounts newAmounts) {
        return new Reservation(pod, newAmounts, limits, session, status, observations, fixed);
    }

    public Reservation with(ReservationLimits newLimits) {
        return new Reservation(pod, amounts, newLimits, session, status, observations, fixed);
    }

    public Reservation with(AgentSession newSession) {
        return new Reservation(pod, amounts, limits, newSession, status, observations, fixed);
    }

    public Reservation with(ReservationStatus newStatus) {
        return new Reservation(pod, amounts, limits, session, newStatus, observations, fixed);
    }

    public Reservation with(Observations newObserved) {
        return new Reservation(pod, amounts, limits, session, status, newObserved, fixed);
    }

    public Reservation with(PodIdentity newPod) {
        return new Reservation(newPod, amounts, limits, session, status, observations, fixed);
    }

    public Reservation with(FixedAmounts newFixed) {
        return new Reservation(pod, amounts, limits, session, status, observations, newFixed);
    }

    /**
     * The same with other requested room; session, status and observations stay. A repeat that names less of the other
     * kinds does not lower them: a successor that renews a hold does not know them.
     */
    public Reservation reservedAs(NewReservation reservation) {
        return new Reservation(
                reservation.pod(),
                reservation.used(),
                ReservationLimits.fixed(reservation.amounts()),
                session,
                status,
                observations,
                fixed.max(reservation.fixed()));
    }
}
