package io.sluice.ledger.core;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.units.Resources;
import java.time.Instant;

/** Facts about pods: who is bound to the node, whoever bound it. */
final class PodObservationRules {
    private PodObservationRules() {}

    static CommandOutcome<ObservationReply> seen(NodeState state, PodObserved pod, LedgerRules rules, Instant now) {
        if (state.gone().hold(pod.uid())) {
            return CommandOutcome.of(state, ObservationReply.DROPPED);
        }
        var known = state.members().find(pod.uid());
        if (known.filter(member -> member.seen().knowsPodAt(pod.version()) && !isAccepted(member, pod))
                .isPresent()) {
            return MigrationArrivalRules.repeated(state, known.get(), pod);
        }
        if (pod.migrationTarget()) {
            return MigrationArrivalRules.seen(state, known, pod, rules, now);
        }
        if (known.isPresent()) {
            return followed(state, known.get(), pod);
        }
        return MigrationArrivalRules.roomOfItsVm(state, pod)
                .map(hold -> MigrationArrivalRules.landedUnnamed(state, hold, pod, now))
                .orElseGet(() -> arrivedPastUs(state, pod, now));
    }

    /**
     * Whether this is the pod of a VM, or a migration's target, and its member is not known as that. The same version
     * comes again where the VM or the migration was read after the pod.
     */
    private static boolean isAccepted(Reservation member, PodObserved pod) {
        return member.seen().repeatsPod(pod.version())
                && (pod.runsVm() && !member.who().runsVm()
                        || pod.migrationTarget() && !member.standing().arrival().byMigration());
    }

    /** Of what a listing finds while books are being loaded nobody knows who bound it; of a VM its own facts tell. */
    private static CommandOutcome<ObservationReply> arrivedPastUs(NodeState state, PodObserved pod, Instant now) {
        var member = arrived(pod, now);
        var next = state.with(member);
        var outcome = CommandOutcome.of(next, ObservationReply.TAKEN);
        if (pod.runsVm() || !state.listing().complete()) {
            return outcome;
        }
        boolean over = next.sums().reserved().exceeds(next.size().total());
        return outcome.noting(new LedgerNotice.PodPastUs(member.who(), pod.amounts(), over));
    }

    private static Reservation arrived(PodObserved pod, Instant now) {
        return new Reservation(
                identity(pod, pod.vmName()),
                ReservationAmounts.used(pod.amounts(), Overcommit.OFF),
                ReservationLimits.fixed(pod.amounts()),
                AgentSession.NONE,
                ReservationStatus.BOUND,
                Observations.first(pod.version(), pod.amounts(), now));
    }

    private static CommandOutcome<ObservationReply> followed(NodeState state, Reservation member, PodObserved pod) {
        var bound = described(member, pod)
                .with(member.standing()
                        .arrived(member.standing().arrival().over())
                        .bound());
        if (!bound.who().runsVm() && !bound.standing().arrival().byMigration()) {
            var amounts =
                    ReservationAmounts.used(pod.amounts(), member.amounts().overcommit());
            return CommandOutcome.of(
                    state.with(bound.with(amounts).with(ReservationLimits.fixed(pod.amounts()))),
                    ObservationReply.TAKEN);
        }
        return ObservedUseRule.raised(state, member, bound, news(member, pod));
    }

    static Reservation described(Reservation member, PodObserved pod) {
        var vmName = pod.runsVm() ? pod.vmName() : member.who().vmName();
        return member.with(identity(pod, vmName)).with(member.seen().withPod(pod.version(), pod.amounts()));
    }

    /**
     * What the VM in the pod is seen to use by this fact. The pod mirrors what the VM was told, and so lags behind it:
     * once the VM itself is known to be scaled, its own facts alone tell.
     */
    static Resources news(Reservation member, PodObserved pod) {
        boolean mirrored = member.limits().autoscaled() && member.seen().vm().isPresent();
        boolean changed = member.seen()
                .pod()
                .filter(known -> known.amounts().equals(pod.amounts()))
                .isEmpty();
        return changed && !mirrored ? pod.amounts() : member.amounts().told();
    }

    static CommandOutcome<ObservationReply> gone(NodeState state, PodGone fact) {
        if (state.isBlank()) {
            return CommandOutcome.of(state, ObservationReply.DROPPED);
        }
        if (state.gone().hold(fact.uid())) {
            return CommandOutcome.of(state, ObservationReply.KNOWN);
        }
        var buried = state.without(fact.uid()).with(state.gone().with(fact.uid(), fact.version()));
        return CommandOutcome.of(buried, ObservationReply.TAKEN);
    }

    static PodIdentity identity(PodObserved pod, String vmName) {
        return new PodIdentity(pod.uid(), pod.namespace(), pod.name(), vmName, pod.createdAtSeconds());
    }
}
