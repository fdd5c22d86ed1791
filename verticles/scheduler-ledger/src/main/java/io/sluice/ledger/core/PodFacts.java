package io.sluice.ledger.core;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodSeen;
import java.time.Instant;
import java.util.Optional;

/** Facts about pods: who is bound to the node, whoever bound it. */
final class PodFacts {
    private PodFacts() {}

    static Outcome<FactReply> seen(NodeState state, PodSeen pod, Instant now) {
        if (state.gone().hold(pod.uid())) {
            return Outcome.of(state, FactReply.DROPPED);
        }
        var known = state.members().find(pod.uid());
        if (known.isEmpty()) {
            return Outcome.of(state.with(arrived(pod, now)), FactReply.TAKEN);
        }
        if (known.get().seen().knowsPodAt(pod.version())) {
            return Outcome.of(state, FactReply.KNOWN);
        }
        return followed(state, known.get(), pod);
    }

    private static Member arrived(PodSeen pod, Instant now) {
        return new Member(
                identity(pod, pod.vmName()),
                Amounts.used(pod.amounts(), Overcommit.OFF),
                Limits.fixed(pod.amounts()),
                Talk.NONE,
                Standing.BOUND,
                new Seen(Optional.of(new Seen.Fact(pod.version(), pod.amounts())), Optional.empty(), now));
    }

    private static Outcome<FactReply> followed(NodeState state, Member member, PodSeen pod) {
        var vmName = pod.runsVm() ? pod.vmName() : member.who().vmName();
        var bound = member.with(identity(pod, vmName))
                .with(member.seen().withPod(pod.version(), pod.amounts()))
                .with(member.standing().bound());
        if (!bound.who().runsVm()) {
            var amounts = Amounts.used(pod.amounts(), member.amounts().overcommit());
            return Outcome.of(state.with(bound.with(amounts).with(Limits.fixed(pod.amounts()))), FactReply.TAKEN);
        }
        return Force.raised(
                state,
                member,
                bound,
                bringsNews(member, pod) ? pod.amounts() : member.amounts().told());
    }

    /**
     * The pod of a VM mirrors what the VM was told, and so lags behind it: once the VM itself is known to be scaled,
     * its own facts alone tell what it uses.
     */
    private static boolean bringsNews(Member member, PodSeen pod) {
        boolean mirrored = member.limits().autoscaled() && member.seen().vm().isPresent();
        return !mirrored
                && member.seen()
                        .pod()
                        .filter(known -> known.amounts().equals(pod.amounts()))
                        .isEmpty();
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

    private static Identity identity(PodSeen pod, String vmName) {
        return new Identity(pod.uid(), pod.namespace(), pod.name(), vmName, pod.createdAtSeconds());
    }
}
