package io.sluice.ledger.core;

import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSeen;
import io.sluice.units.Resources;
import java.time.Instant;

/** Facts about VMs: what those in the node's pods use and may use. */
final class VmFacts {
    private VmFacts() {}

    static Outcome<FactReply> seen(NodeState state, VmSeen vm, LedgerRules rules, Instant now) {
        var known = state.members().find(vm.pod());
        if (known.isEmpty()) {
            return Outcome.of(state, FactReply.DROPPED);
        }
        var member = known.get();
        if (member.seen().knowsVmAt(vm.version())) {
            return known(state, member, vm, rules, now);
        }
        return member.seen().vm().isEmpty() ? counted(state, member, vm) : followed(state, member, vm, rules, now);
    }

    /**
     * A repeat says that the VM is still as it was. That brings down one that nobody scales any more and whose permits
     * might still have been used when the fact first came, and up one that an agent which had not heard of it cut
     * since.
     */
    private static Outcome<FactReply> known(NodeState state, Member member, VmSeen vm, LedgerRules rules, Instant now) {
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
        return lags && Passing.quiet(member, rules, now)
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
                vm.autoscaled() && (lost || !member.standing().throughUs() && vm.phase() != VmPhase.MIGRATING);
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
        boolean pastUs = unheard && !lost && !standing.arrival().byMigration();
        return pastUs ? outcome.noting(new LedgerNotice.ArrivedPastUs(first.who(), reserved)) : outcome;
    }

    private static Contact contact(boolean unheard, boolean lost) {
        if (!unheard) {
            return Contact.HEARD;
        }
        return lost ? Contact.RECOVERED : Contact.FOUND;
    }

    private static Outcome<FactReply> followed(
            NodeState state, Member member, VmSeen vm, LedgerRules rules, Instant now) {
        var amounts = member.amounts();
        if (member.limits().autoscaled() && !vm.autoscaled()) {
            amounts = switchedOff(member, amounts, rules, now);
        }
        if (vm.autoscaled()) {
            amounts = maxChanged(member, amounts, vm.sizes().max());
        }
        var described = described(member, vm).with(amounts.withOvercommit(vm.overcommit()));
        if (!vm.autoscaled() && Passing.quiet(member, rules, now)) {
            return Outcome.of(state.with(atUse(described)), FactReply.TAKEN);
        }
        return Force.raised(state, member, described, vm.sizes().inUse());
    }

    /** While permits of lost books may be in use their room stays; time settles it then. */
    private static Amounts switchedOff(Member member, Amounts amounts, LedgerRules rules, Instant now) {
        var kept = Passing.mayUsePermitsOfLostBooks(member, rules, now) ? amounts : amounts.withoutBuffer();
        return kept.withoutPressure();
    }

    /**
     * A kind whose maximum is as it was stays as it is. While the member moves it is granted nothing, and needs no room
     * for a higher one: what counts for its target is no less than what counts here.
     */
    private static Amounts maxChanged(Member member, Amounts amounts, Resources max) {
        boolean lost = member.standing().contact() == Contact.RECOVERED;
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
        return member.with(member.amounts().at(member.seen().inUse()))
                .with(member.standing().as(Contact.HEARD));
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
