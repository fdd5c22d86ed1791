package io.sluice.ledger.core;

import io.sluice.devices.GpuShare;
import io.sluice.ledger.core.state.AgentSession;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.Observations;
import io.sluice.ledger.core.state.PodIdentity;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.ledger.core.state.ReservationAmounts;
import io.sluice.ledger.core.state.ReservationLimits;
import io.sluice.ledger.core.state.ReservationStatus;
import io.sluice.ledger.core.state.ZoneRules;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.List;

/** Applies observations of pods: which pods are bound to the node, by whichever scheduler. */
final class PodObservationRules {
    private PodObservationRules() {}

    static CommandOutcome<ObservationReply> observed(NodeState state, PodObserved pod, LedgerRules rules, Instant now) {
        if (state.gone().hold(pod.uid())) {
            return CommandOutcome.of(state, ObservationReply.DROPPED);
        }
        var known = state.reservations().find(pod.uid());
        if (known.filter(reservation ->
                        reservation.observations().containsPodAt(pod.version()) && !isAccepted(reservation, pod))
                .isPresent()) {
            return MigrationArrivalRules.repeated(state, known.get(), pod);
        }
        if (pod.migrationTarget()) {
            return MigrationArrivalRules.observed(state, known, pod, rules, now);
        }
        if (known.isPresent()) {
            return followed(state, known.get(), pod);
        }
        return MigrationArrivalRules.roomOfItsVm(state, pod)
                .map(hold -> MigrationArrivalRules.landedUnnamed(state, hold, pod, now))
                .orElseGet(() -> found(state, pod, now));
    }

    /**
     * Whether the pod runs a VM or is a migration's target, and its reservation lacks that. The same version is
     * observed again where the VM or the migration was read after the pod.
     */
    private static boolean isAccepted(Reservation reservation, PodObserved pod) {
        return reservation.observations().repeatsPod(pod.version())
                && (pod.runsVm() && !reservation.pod().runsVm()
                        || pod.migrationTarget()
                                && !reservation.status().arrival().byMigration());
    }

    /** Before the node is complete, pods of the list cause no notice. Pods of VMs cause one when the VM is observed. */
    private static CommandOutcome<ObservationReply> found(NodeState state, PodObserved pod, Instant now) {
        var reservation = arrived(state, pod, now);
        var next = state.with(reservation);
        var outcome = CommandOutcome.of(next, ObservationReply.TAKEN);
        if (pod.runsVm() || !state.fullList().complete()) {
            return outcome;
        }
        return outcome.noting(new LedgerNotice.PodFound(reservation.pod(), pod.amounts(), next.isOver()));
    }

    private static Reservation arrived(NodeState state, PodObserved pod, Instant now) {
        return new Reservation(
                identity(pod, pod.vmName()),
                ReservationAmounts.used(pod.amounts(), Overcommit.OFF),
                ReservationLimits.fixed(pod.amounts()),
                AgentSession.NONE,
                ReservationStatus.BOUND,
                Observations.first(pod.version(), pod.amounts(), now),
                ZoneRules.counted(state, pod.fixed()),
                shares(state, pod));
    }

    private static CommandOutcome<ObservationReply> followed(
            NodeState state, Reservation reservation, PodObserved pod) {
        var bound = described(state, reservation, pod)
                .with(reservation
                        .status()
                        .arrived(reservation.status().arrival().over())
                        .bound());
        if (!bound.pod().runsVm() && !bound.status().arrival().byMigration()) {
            var amounts =
                    ReservationAmounts.used(pod.amounts(), reservation.amounts().overcommit());
            return CommandOutcome.of(
                    state.with(bound.with(amounts).with(ReservationLimits.fixed(pod.amounts()))),
                    ObservationReply.TAKEN);
        }
        return ObservedUseRule.raised(state, reservation, bound, news(reservation, pod));
    }

    /** The GPUs that the pod names as its own. Where Sluice does not allocate them, the kubelet counts them. */
    static List<GpuShare> shares(NodeState state, PodObserved pod) {
        return state.size().devices().mode().isShared() ? pod.gpus().shares() : List.of();
    }

    static Reservation described(NodeState state, Reservation reservation, PodObserved pod) {
        var vmName = pod.runsVm() ? pod.vmName() : reservation.pod().vmName();
        var shares = shares(state, pod);
        return reservation
                .with(identity(pod, vmName))
                .with(reservation.observations().withPod(pod.version(), pod.amounts()))
                .with(state.size().counted(pod.fixed()).plus(reservation.zoned()))
                .with(shares.isEmpty() ? reservation.shares() : shares);
    }

    /**
     * The use of the VM in the pod that this observation shows. The pod mirrors the VM's annotations with a delay. Once
     * the VM was observed and is autoscaled, only observations of the VM itself count.
     */
    static Resources news(Reservation reservation, PodObserved pod) {
        boolean mirrored = reservation.limits().autoscaled()
                && reservation.observations().vm().isPresent();
        boolean changed = reservation
                .observations()
                .pod()
                .filter(known -> known.amounts().equals(pod.amounts()))
                .isEmpty();
        return changed && !mirrored ? pod.amounts() : reservation.amounts().reported();
    }

    static CommandOutcome<ObservationReply> gone(NodeState state, PodGone observation) {
        if (state.isBlank()) {
            return CommandOutcome.of(state, ObservationReply.DROPPED);
        }
        if (state.gone().hold(observation.uid())) {
            return CommandOutcome.of(state, ObservationReply.KNOWN);
        }
        var buried = state.without(observation.uid()).with(state.gone().with(observation.uid(), observation.version()));
        return CommandOutcome.of(buried, ObservationReply.TAKEN);
    }

    static PodIdentity identity(PodObserved pod, String vmName) {
        return new PodIdentity(pod.uid(), pod.namespace(), pod.name(), vmName, pod.createdAtSeconds());
    }
}
