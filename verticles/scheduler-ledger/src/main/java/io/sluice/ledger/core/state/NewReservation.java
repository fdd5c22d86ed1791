package io.sluice.ledger.core.state;

import io.sluice.devices.GpuRequest;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Objects;

/**
 * Room that is requested for a pod before it is bound to the node, or when it is.
 *
 * @param pod the pod
 * @param amounts in the pod's own scale
 * @param overcommit the factor by which they are divided on the node
 * @param fixed the amounts of the other kinds
 * @param gpus what it requests of the GPUs that the ledger chooses
 */
public record NewReservation(
        PodIdentity pod, Resources amounts, Overcommit overcommit, FixedAmounts fixed, List<GpuRequest> gpus) {
    public NewReservation {
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(amounts, "amounts");
        Objects.requireNonNull(overcommit, "overcommit");
        Objects.requireNonNull(fixed, "fixed");
        gpus = List.copyOf(gpus);
    }

    /** Room without GPUs. */
    public NewReservation(PodIdentity pod, Resources amounts, Overcommit overcommit, FixedAmounts fixed) {
        this(pod, amounts, overcommit, fixed, List.of());
    }

    /** Room of CPU and memory alone. */
    public NewReservation(PodIdentity pod, Resources amounts, Overcommit overcommit) {
        this(pod, amounts, overcommit, FixedAmounts.NONE);
    }

    /** The room that a request names. Its pod does not exist yet. */
    public static NewReservation of(HoldRoom request) {
        var pod = new PodIdentity(request.holder(), request.namespace(), request.name(), request.vmName(), 0);
        return new NewReservation(pod, request.amounts(), request.overcommit(), request.fixed(), request.gpus());
    }

    /** The same with other amounts of the other kinds. */
    public NewReservation with(FixedAmounts newFixed) {
        return new NewReservation(pod, amounts, overcommit, newFixed, gpus);
    }

    public ReservationAmounts used() {
        return ReservationAmounts.used(amounts, overcommit);
    }
}
