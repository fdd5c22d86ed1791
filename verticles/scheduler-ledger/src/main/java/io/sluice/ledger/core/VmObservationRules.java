package io.sluice.ledger.core;

import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.units.Resources;

/** Facts about VMs: what those in the node's pods use and may use. */
final class VmObservationRules {
    private VmObservationRules() {}

    static CommandOutcome<ObservationReply> seen(NodeState state, VmObserved vm, LedgerRules rules) {
        var known = state.members().find(vm.pod());
        if (known.isEmpty()) {
            return CommandOutcome.of(
                    state, misses(state, vm) ? ObservationReply.POD_MISSING : ObservationReply.DROPPED);
        }
        var member = known.get();
        if (member.seen().knowsVmAt(vm.version())) {
            return known(state, member, vm, rules);
        }
        return member.seen().vm().isEmpty() ? counted(state, member, vm) : followed(state, member, vm, rules);
    }

    /** Without its uid the pod is one that whoever observed the VM does not know itself, or one that has ended. */
    private static boolean misses(NodeState state, VmObserved vm) {
        return !vm.pod().isEmpty() && !state.gone().hold(vm.pod());
    }

    /**
     * A repeat says that the VM is still as it was. That brings up one that an agent cut which had not heard that
     * nobody scales it, and down one that was settled at more than it uses.
     */
    private static CommandOutcome<ObservationReply> known(
            NodeState state, Reservation member, VmObserved vm, LedgerRules rules) {
        boolean stillSo =
                member.seen().repeatsVm(vm.version()) && !member.limits().autoscaled();
        if (!stillSo) {
            return CommandOutcome.of(state, ObservationReply.KNOWN);
        }
        var use = vm.sizes().inUse();
        if (use.exceeds(member.amounts().reserved())) {
            return ObservedUseRule.raised(state, member, member, use);
        }
        boolean lags = !member.amounts().reserved().equals(member.seen().inUse());
        return lags && followsUse(member, rules)
                ? CommandOutcome.of(state.with(atUse(member)), ObservationReply.TAKEN)
                : CommandOutcome.of(state, ObservationReply.KNOWN);
    }

    /**
     * Nobody knows what an agent that we did not hear may still do; nothing but its maximum covers that. A VM that a
     * migration brought comes at what was reserved for it where it was: no permit of its old node is above that.
     */
    private static CommandOutcome<ObservationReply> counted(NodeState state, Reservation member, VmObserved vm) {
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
        var amounts = new ReservationAmounts(reserved, told, Resources.NONE, buffer, vm.overcommit());
        var standing = member.standing();
        var first = described(member, vm)
                .with(amounts)
                .with(standing.as(contact(unheard, lost))
                        .arrived(standing.arrival().over()));
        var outcome = CommandOutcome.of(state.with(first), ObservationReply.TAKEN);
        boolean pastUs =
                unheard && vm.autoscaled() && !lost && !standing.arrival().byMigration();
        return pastUs ? outcome.noting(new LedgerNotice.ArrivedPastUs(first.who(), reserved)) : outcome;
    }

    /**
     * Whether an agent may still use what it was permitted: of a VM that is scaled, and of one that was, as its fence
     * shows, or the amounts that were once approved for it, until it was settled.
     */
    private static boolean mayBeSpokenFor(VmObserved vm) {
        boolean was = vm.fence().isEmpty() ? vm.approved().isPresent() : !ClaimVm.bySettler(vm.fence());
        return vm.autoscaled() || was;
    }

    private static Contact contact(boolean unheard, boolean lost) {
        if (!unheard) {
            return Contact.HEARD;
        }
        return lost ? Contact.RECOVERED : Contact.FOUND;
    }

    private static CommandOutcome<ObservationReply> followed(
            NodeState state, Reservation member, VmObserved vm, LedgerRules rules) {
        var next = member;
        if (vm.autoscaled()) {
            next = switchedOn(member).with(maxChanged(member, vm.sizes().max(), rules));
        } else if (member.limits().autoscaled()) {
            next = switchedOff(member, rules);
        }
        var described = described(next, vm).with(next.amounts().withOvercommit(vm.overcommit()));
        boolean follows = !vm.autoscaled() && !member.limits().autoscaled() && followsUse(member, rules);
        if (follows) {
            return CommandOutcome.of(state.with(atUse(described)), ObservationReply.TAKEN);
        }
        return isLed(member, vm)
                ? CommandOutcome.of(state.with(observed(described, vm)), ObservationReply.TAKEN)
                : ObservedUseRule.raised(state, member, described, vm.sizes().inUse());
    }

    /** Whether observations lead the reservation: an agent that reports no exposure asked for less. */
    private static boolean isLed(Reservation member, VmObserved vm) {
        return vm.autoscaled()
                && member.standing().contact() == Contact.EXPOSED
                && member.talk().isBlind()
                && !vm.sizes().inUse().exceeds(member.amounts().reserved());
    }

    private static Reservation observed(Reservation described, VmObserved vm) {
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
    private static Reservation switchedOff(Reservation member, LedgerRules rules) {
        var standing = member.standing();
        if (rules.trustLastPermit() == LastPermitTrust.ALWAYS) {
            return member.with(member.amounts().withoutBuffer().withoutPressure());
        }
        boolean waits = standing.contact().shown().unsettled();
        return member.with(member.amounts().withoutPressure())
                .with(waits ? standing : standing.as(Contact.SWITCHED_OFF));
    }

    private static Reservation switchedOn(Reservation member) {
        return member.standing().contact() == Contact.SWITCHED_OFF
                ? member.with(member.standing().as(Contact.HEARD))
                : member;
    }

    /** Of a VM that nobody scales: whether no agent can use a permit any more, so that its use alone counts. */
    private static boolean followsUse(Reservation member, LedgerRules rules) {
        return member.standing().contact() == Contact.HEARD || rules.trustLastPermit() == LastPermitTrust.ALWAYS;
    }

    /**
     * A kind whose maximum is as it was stays as it is. While the member moves it is granted nothing, and needs no room
     * for a higher one: what counts for its target is no less than what counts here.
     */
    private static ReservationAmounts maxChanged(Reservation member, Resources max, LedgerRules rules) {
        var amounts = member.amounts();
        var contact = member.standing().contact();
        boolean lost = contact == Contact.RECOVERED
                || contact == Contact.EXPOSED
                || contact == Contact.FOUND && rules.trustLastPermit() == LastPermitTrust.RECOVERY;
        if (member.standing().migrating() && !lost) {
            return amounts;
        }
        var reserved = amounts.reserved();
        var wanted = KindArithmetic.each(
                kind -> max.of(kind) == member.limits().max().of(kind) ? reserved.of(kind) : max.of(kind));
        return amounts.reserving(lost ? wanted.max(reserved) : wanted);
    }

    /** A VM that nobody scales counts at what it uses, up and down. */
    static Reservation atUse(Reservation member) {
        return member.with(member.amounts().at(member.seen().inUse()));
    }

    private static Reservation described(Reservation member, VmObserved vm) {
        var sizes = vm.sizes();
        var limits = new ReservationLimits(
                sizes.min(), sizes.max(), member.limits().unit(), vm.autoscaled(), vm.migratable(), vm.alwaysMigrate());
        return member.with(member.who().running(vm.vm().name()))
                .with(limits)
                .with(member.seen().withVm(vm.version(), sizes.inUse()));
    }
}
