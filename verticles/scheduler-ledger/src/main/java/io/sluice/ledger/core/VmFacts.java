package io.sluice.ledger.core;

import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSeen;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.units.Resources;

/** Facts about VMs: what those in the node's pods use and may use. */
final class VmFacts {
    private VmFacts() {}

    static Outcome<FactReply> seen(NodeState state, VmSeen vm, LedgerRules rules) {
        var known = state.members().find(vm.pod());
        if (known.isEmpty()) {
            return Outcome.of(state, misses(state, vm) ? FactReply.POD_MISSING : FactReply.DROPPED);
        }
        var member = known.get();
        if (member.seen().knowsVmAt(vm.version())) {
            return known(state, member, vm, rules);
        }
        return member.seen().vm().isEmpty() ? counted(state, member, vm) : followed(state, member, vm, rules);
    }

    /** Without its uid the pod is one that whoever observed the VM does not know itself, or one that has ended. */
    private static boolean misses(NodeState state, VmSeen vm) {
        return !vm.pod().isEmpty() && !state.gone().hold(vm.pod());
    }

    /**
     * A repeat says that the VM is still as it was. That brings up one that an agent cut which had not heard that
     * nobody scales it, and down one that was settled at more than it uses.
     */
    private static Outcome<FactReply> known(NodeState state, Member member, VmSeen vm, LedgerRules rules) {
        boolean stillSo =
                member.seen().repeatsVm(vm.version()) && !member.limits().autoscaled();
        if (!stillSo) {
            return Outcome.of(state, FactReply.KNOWN);
        }
        var use = vm.sizes().inUse();
        if (use.exceeds(member.amounts().reserved())) {
            return Force.raised(state, member, member, use);
        }
        boolean lags = !member.amounts().reserved().equals(member.seen().inUse());
        return lags && followsUse(member, rules)
                ? Outcome.of(state.with(atUse(member)), FactReply.TAKEN)
                : Outcome.of(state, FactReply.KNOWN);
    }

    /**
     * Nobody knows what an agent that we did not hear may still do; nothing but its maximum covers that. A VM that a
     * migration brought comes at what was reserved for it where it was: no permit of its old node is above that.
     */
    private static Outcome<FactReply> counted(NodeState state, Member member, VmSeen vm) {
        boolean lost = !state.listing().complete();
        boolean unheard =
                mayBeSpokenFor(vm) && (lost || !member.standing().throughUs() && vm.phase() != VmPhase.MIGRATING);
        var told = member.amounts().told().max(vm.sizes().inUse());
        var reserved = member.amounts().reserved().max(told);
        if (unheard) {
            reserved = reserved.max(vm.sizes().max());
        }
        if (lost) {
            reserved = reserved.max(vm.approved().orElse(Resources.NONE));
        }
        var buffer = unheard ? reserved.minus(told) : Resources.NONE;
        var amounts = new Amounts(reserved, told, Resources.NONE, buffer, vm.overcommit());
        var standing = member.standing();
        var first = described(member, vm)
                .with(amounts)
                .with(standing.as(contact(unheard, lost))
                        .arrived(standing.arrival().over()));
        var outcome = Outcome.of(state.with(first), FactReply.TAKEN);
        boolean pastUs =
                unheard && vm.autoscaled() && !lost && !standing.arrival().byMigration();
        return pastUs ? outcome.noting(new LedgerNotice.ArrivedPastUs(first.who(), reserved)) : outcome;
    }

    /**
     * Whether an agent may still use what it was permitted: of a VM that is scaled, and of one that was, as its fence
     * shows, or the amounts that were once approved for it, until it was settled.
     */
    private static boolean mayBeSpokenFor(VmSeen vm) {
        boolean was = vm.fence().isEmpty() ? vm.approved().isPresent() : !ClaimVm.bySettler(vm.fence());
        return vm.autoscaled() || was;
    }

    private static Contact contact(boolean unheard, boolean lost) {
        if (!unheard) {
            return Contact.HEARD;
        }
        return lost ? Contact.RECOVERED : Contact.FOUND;
    }

    private static Outcome<FactReply> followed(NodeState state, Member member, VmSeen vm, LedgerRules rules) {
        var next = member;
        if (vm.autoscaled()) {
            next = switchedOn(member).with(maxChanged(member, vm.sizes().max(), rules));
        } else if (member.limits().autoscaled()) {
            next = switchedOff(member, rules);
        }
        var described = described(next, vm).with(next.amounts().withOvercommit(vm.overcommit()));
        boolean follows = !vm.autoscaled() && !member.limits().autoscaled() && followsUse(member, rules);
        if (follows) {
            return Outcome.of(state.with(atUse(described)), FactReply.TAKEN);
        }
        return isLed(member, vm)
                ? Outcome.of(state.with(observed(described, vm)), FactReply.TAKEN)
                : Force.raised(state, member, described, vm.sizes().inUse());
    }

    /** Whether observations lead the reservation: an agent that reports no exposure asked for less. */
    private static boolean isLed(Member member, VmSeen vm) {
        return vm.autoscaled()
                && member.standing().contact() == Contact.EXPOSED
                && member.talk().isBlind()
                && !vm.sizes().inUse().exceeds(member.amounts().reserved());
    }

    private static Member observed(Member described, VmSeen vm) {
        // It may not have received the permit that replaced its last one.
        var mayUse = vm.sizes()
                .inUse()
                .max(described.talk().lastPermit())
                .min(described.amounts().reserved());
        var amounts = described.amounts().observed(mayUse);
        var contact = amounts.buffer().equals(Resources.NONE) ? Contact.HEARD : Contact.EXPOSED;
        return described.with(amounts).with(described.standing().as(contact));
    }

    /** Its agent may not have heard of it and use all that it was permitted, until its fence is claimed. */
    private static Member switchedOff(Member member, LedgerRules rules) {
        var standing = member.standing();
        if (rules.trustLastPermit() == TrustLastPermit.ALWAYS) {
            return member.with(member.amounts().withoutBuffer().withoutPressure());
        }
        boolean waits = standing.contact().shown().unsettled();
        return member.with(member.amounts().withoutPressure())
                .with(waits ? standing : standing.as(Contact.SWITCHED_OFF));
    }

    private static Member switchedOn(Member member) {
        return member.standing().contact() == Contact.SWITCHED_OFF
                ? member.with(member.standing().as(Contact.HEARD))
                : member;
    }

    /** Of a VM that nobody scales: whether no agent can use a permit any more, so that its use alone counts. */
    private static boolean followsUse(Member member, LedgerRules rules) {
        return member.standing().contact() == Contact.HEARD || rules.trustLastPermit() == TrustLastPermit.ALWAYS;
    }

    /**
     * A kind whose maximum is as it was stays as it is. While the member moves it is granted nothing, and needs no room
     * for a higher one: what counts for its target is no less than what counts here.
     */
    private static Amounts maxChanged(Member member, Resources max, LedgerRules rules) {
        var amounts = member.amounts();
        var contact = member.standing().contact();
        boolean lost = contact == Contact.RECOVERED
                || contact == Contact.EXPOSED
                || contact == Contact.FOUND && rules.trustLastPermit() == TrustLastPermit.RECOVERY;
        if (member.standing().migrating() && !lost) {
            return amounts;
        }
        var reserved = amounts.reserved();
        var wanted =
                Kinds.each(kind -> max.of(kind) == member.limits().max().of(kind) ? reserved.of(kind) : max.of(kind));
        return amounts.reserving(lost ? wanted.max(reserved) : wanted);
    }

    /** A VM that nobody scales counts at what it uses, up and down. */
    static Member atUse(Member member) {
        return member.with(member.amounts().at(member.seen().inUse()));
    }

    private static Member described(Member member, VmSeen vm) {
        var sizes = vm.sizes();
        var limits = new Limits(
                sizes.min(), sizes.max(), member.limits().unit(), vm.autoscaled(), vm.migratable(), vm.alwaysMigrate());
        return member.with(member.who().running(vm.vm().name()))
                .with(limits)
                .with(member.seen().withVm(vm.version(), sizes.inUse()));
    }
}
