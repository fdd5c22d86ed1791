package io.sluice.ledger.core.state;

import io.sluice.devices.GpuShare;
import io.sluice.devices.Zone;
import io.sluice.units.FixedAmounts;
import java.util.List;
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
 * @param fixed the reserved amounts of the kinds that never change while the pod runs, without GPUs of their own
 * @param shares what it has of the node's GPUs, device by device
 */
public record Reservation(
        PodIdentity pod,
        ReservationAmounts amounts,
        ReservationLimits limits,
        AgentSession session,
        ReservationStatus status,
        Observations observations,
        FixedAmounts fixed,
        List<GpuShare> shares) {
    public Reservation {
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(amounts, "amounts");
        Objects.requireNonNull(limits, "limits");
        Objects.requireNonNull(session, "session");
        Objects.requireNonNull(status, "status");
        Objects.requireNonNull(observations, "observations");
        Objects.requireNonNull(fixed, "fixed");
        shares = List.copyOf(shares);
    }

    /** A reservation without GPUs. */
    public Reservation(
            PodIdentity pod,
            ReservationAmounts amounts,
            ReservationLimits limits,
            AgentSession session,
            ReservationStatus status,
            Observations observations,
            FixedAmounts fixed) {
        this(pod, amounts, limits, session, status, observations, fixed, List.of());
    }

    /** All that it takes of the kinds that never change while the pod runs. */
    public FixedAmounts taken() {
        return shares.isEmpty() ? fixed : fixed.plus(GpuShare.taken(shares));
    }

    /** What it takes of the node's NUMA zones, zone by zone, until the node has reported where the pod is. */
    public FixedAmounts zoned() {
        return fixed.only(Zone::isKind);
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
        return new Reservation(pod, newAmounts, limits, session, status, observations, fixed, shares);
    }

    public Reservation with(ReservationLimits newLimits) {
        return new Reservation(pod, amounts, newLimits, session, status, observations, fixed, shares);
    }

    public Reservation with(AgentSession newSession) {
        return new Reservation(pod, amounts, limits, newSession, status, observations, fixed, shares);
    }

    public Reservation with(ReservationStatus newStatus) {
        return new Reservation(pod, amounts, limits, session, newStatus, observations, fixed, shares);
    }

    public Reservation with(Observations newObserved) {
        return new Reservation(pod, amounts, limits, session, status, newObserved, fixed, shares);
    }

    public Reservation with(PodIdentity newPod) {
        return new Reservation(newPod, amounts, limits, session, status, observations, fixed, shares);
    }

    public Reservation with(FixedAmounts newFixed) {
        return new Reservation(pod, amounts, limits, session, status, observations, newFixed, shares);
    }

    /** The same with other GPUs. */
    public Reservation with(List<GpuShare> newShares) {
        return new Reservation(pod, amounts, limits, session, status, observations, fixed, newShares);
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
                fixed.max(reservation.fixed()),
                shares);
    }
}
