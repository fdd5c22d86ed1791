package io.sluice.ledger.core;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodSeen;
import io.sluice.units.Resources;
import java.time.Instant;

/** Facts about pods: who is bound to the node, whoever bound it. */
final class PodFacts {
    private PodFacts() {}

    static Outcome<FactReply> seen(NodeState state, PodSeen pod, LedgerRules rules, Instant now) {
        if (state.gone().hold(pod.uid())) {
            return Outcome.of(state, FactReply.DROPPED);
        }
        var known = state.members().find(pod.uid());
        if (known.filter(member -> member.seen().knowsPodAt(pod.version()) && !isAccepted(member, pod))
                .isPresent()) {
            return Landing.repeated(state, known.get(), pod);
        }
        if (pod.migrationTarget()) {
            return Landing.seen(state, known, pod, rules, now);
        }
        if (known.isPresent()) {
            return followed(state, known.get(), pod);
        }
        return Landing.roomOfItsVm(state, pod)
                .map(hold -> Landing.landedUnnamed(state, hold, pod, now))
                .orElseGet(() -> arrivedPastUs(state, pod, now));
    }

    /**
     * Whether this is the pod of a VM, or a migration's target, and its member is not known as that. The same version
     * comes again where the VM or the migration was read after the pod.
     */
    private static boolean isAccepted(Member member, PodSeen pod) {
        return member.seen().repeatsPod(pod.version())
                && (pod.runsVm() && !member.who().runsVm()
                        || pod.migrationTarget() && !member.standing().arrival().byMigration());
    }

    /** Of what a listing finds while books are being loaded nobody knows who bound it; of a VM its own facts tell. */
    private static Outcome<FactReply> arrivedPastUs(NodeState state, PodSeen pod, Instant now) {
        var member = arrived(pod, now);
        var next = state.with(member);
        var outcome = Outcome.of(next, FactReply.TAKEN);
        if (pod.runsVm() || !state.listing().complete()) {
            return outcome;
        }
        boolean over = next.sums().reserved().exceeds(next.size().total());
        return outcome.noting(new LedgerNotice.PodPastUs(member.who(), pod.amounts(), over));
    }

    private static Member arrived(PodSeen pod, Instant now) {
        return new Member(
                identity(pod, pod.vmName()),
                Amounts.used(pod.amounts(), Overcommit.OFF),
                Limits.fixed(pod.amounts()),
                Talk.NONE,
                Standing.BOUND,
                Seen.first(pod.version(), pod.amounts(), now));
    }

    private static Outcome<FactReply> followed(NodeState state, Member member, PodSeen pod) {
        var bound = described(member, pod)
                .with(member.standing()
                        .arrived(member.standing().arrival().over())
                        .bound());
        if (!bound.who().runsVm() && !bound.standing().arrival().byMigration()) {
            var amounts = Amounts.used(pod.amounts(), member.amounts().overcommit());
            return Outcome.of(state.with(bound.with(amounts).with(Limits.fixed(pod.amounts()))), FactReply.TAKEN);
        }
        return Force.raised(state, member, bound, news(member, pod));
    }

    static Member described(Member member, PodSeen pod) {
        var vmName = pod.runsVm() ? pod.vmName() : member.who().vmName();
        return member.with(identity(pod, vmName)).with(member.seen().withPod(pod.version(), pod.amounts()));
    }

    /**
     * What the VM in the pod is seen to use by this fact. The pod mirrors what the VM was told, and so lags behind it:
     * once the VM itself is known to be scaled, its own facts alone tell.
     */
    static Resources news(Member member, PodSeen pod) {
        boolean mirrored = member.limits().autoscaled() && member.seen().vm().isPresent();
        boolean changed = member.seen()
                .pod()
                .filter(known -> known.amounts().equals(pod.amounts()))
                .isEmpty();
        return changed && !mirrored ? pod.amounts() : member.amounts().told();
    }

    static Outcome<FactReply> gone(NodeState state, PodGone fact) {
        if (state.isBlank()) {
            return Outcome.of(state, FactReply.DROPPED);
        }
        if (state.gone().hold(fact.uid())) {
            return Outcome.of(state, FactReply.KNOWN);
        }
        var buried = state.without(fact.uid()).with(state.gone().with(fact.uid(), fact.version()));
        return Outcome.of(buried, FactReply.TAKEN);
    }

    static Identity identity(PodSeen pod, String vmName) {
        return new Identity(pod.uid(), pod.namespace(), pod.name(), vmName, pod.createdAtSeconds());
    }
}
