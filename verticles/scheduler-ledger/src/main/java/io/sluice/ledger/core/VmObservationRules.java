package io.sluice.ledger.core;

import io.sluice.ledger.core.state.Contact;
import io.sluice.ledger.core.state.KindArithmetic;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.ledger.core.state.ReservationAmounts;
import io.sluice.ledger.core.state.ReservationLimits;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.units.Resources;

/** Applies observations of VMs: what the VMs in the node's pods use and may use. */
final class VmObservationRules {
    private VmObservationRules() {}

    static CommandOutcome<ObservationReply> observed(NodeState state, VmObserved vm, LedgerRules rules) {
        var known = state.reservations().find(vm.pod());
        if (known.isEmpty()) {
            return CommandOutcome.of(
                    state, misses(state, vm) ? ObservationReply.POD_MISSING : ObservationReply.DROPPED);
        }
        var reservation = known.get();
        if (reservation.observations().containsVmAt(vm.version())) {
            return known(state, reservation, vm, rules);
        }
        return reservation.observations().vm().isEmpty()
                ? counted(state, reservation, vm, rules)
                : followed(state, reservation, vm, rules);
    }

    /**
     * Whether the VM's pod is missing here. Without a pod uid the observer had not observed the pod, or it has ended.
     */
    private static boolean misses(NodeState state, VmObserved vm) {
        return !vm.pod().isEmpty() && !state.gone().hold(vm.pod());
    }

    /**
     * Applies a repeated observation. If the VM is still not autoscaled, it raises a reservation that a late request of
     * an agent lowered, and lowers one that was reclaimed at more than the VM uses.
     */
    private static CommandOutcome<ObservationReply> known(
            NodeState state, Reservation reservation, VmObserved vm, LedgerRules rules) {
        boolean stillSo = reservation.observations().repeatsVm(vm.version())
                && !reservation.limits().autoscaled();
        if (!stillSo) {
            return CommandOutcome.of(state, ObservationReply.KNOWN);
        }
        var use = vm.sizes().inUse();
        if (use.exceeds(reservation.amounts().reserved())) {
            return ObservedUseRule.raised(state, reservation, reservation, use);
        }
        boolean lags = !reservation
                .amounts()
                .reserved()
                .equals(reservation.observations().inUse());
        return lags && followsUse(reservation, rules)
                ? CommandOutcome.of(state.with(atUse(reservation)), ObservationReply.TAKEN)
                : CommandOutcome.of(state, ObservationReply.KNOWN);
    }

    /**
     * Applies the first observation of the VM. If the ledger has had no request of its agent, only the maximum covers
     * what the agent may still do. A VM that a migration brought counts at what was reserved at the source: no permit
     * of the source is above that.
     */
    private static CommandOutcome<ObservationReply> counted(
            NodeState state, Reservation reservation, VmObserved vm, LedgerRules rules) {
        boolean lost = !state.fullList().complete();
        boolean missing =
                mayBeSpokenFor(vm) && (lost || !reservation.status().throughUs() && vm.phase() != VmPhase.MIGRATING);
        var reported = reservation.amounts().reported().max(vm.sizes().inUse());
        var reserved = reservation.amounts().reserved().max(reported);
        if (missing) {
            reserved = reserved.max(vm.sizes().max());
        }
        if (lost) {
            reserved = reserved.max(vm.approved().orElse(Resources.NONE));
        }
        var buffer = missing ? reserved.minus(reported) : Resources.NONE;
        var amounts = new ReservationAmounts(reserved, reported, Resources.NONE, buffer, vm.overcommit());
        var status = reservation.status();
        var first = described(reservation, vm, rules)
                .with(amounts)
                .with(status.as(contact(missing, lost)).arrived(status.arrival().over()));
        var outcome = CommandOutcome.of(state.with(first), ObservationReply.TAKEN);
        boolean withoutHold = !lost
                && !status.throughUs()
                && vm.phase() != VmPhase.MIGRATING
                && !status.arrival().byMigration();
        if (!withoutHold) {
            return outcome;
        }
        boolean over = outcome.state().sums().reserved().exceeds(state.size().total());
        return outcome.noting(
                missing && vm.autoscaled()
                        ? new LedgerNotice.VmFound(first.pod(), reserved)
                        : new LedgerNotice.PodFound(first.pod(), reserved, over));
    }

    /**
     * Whether an agent may still use an earlier permit. This is so if the VM is autoscaled; or if it was autoscaled, as
     * its fence shows, or its approved amounts where it has no fence, and was not reclaimed since.
     */
    private static boolean mayBeSpokenFor(VmObserved vm) {
        boolean was = vm.fence().isEmpty() ? vm.approved().isPresent() : !ClaimVm.byReclaimer(vm.fence());
        return vm.autoscaled() || was;
    }

    private static Contact contact(boolean missing, boolean lost) {
        if (!missing) {
            return Contact.REQUESTED;
        }
        return lost ? Contact.RECOVERED : Contact.FOUND;
    }

    private static CommandOutcome<ObservationReply> followed(
            NodeState state, Reservation reservation, VmObserved vm, LedgerRules rules) {
        var next = reservation;
        if (vm.autoscaled()) {
            next = switchedOn(reservation)
                    .with(maxChanged(reservation, vm.sizes().max(), rules));
        } else if (reservation.limits().autoscaled()) {
            next = switchedOff(reservation, rules);
        }
        var described = described(next, vm, rules).with(next.amounts().withOvercommit(vm.overcommit()));
        boolean follows = !vm.autoscaled() && !reservation.limits().autoscaled() && followsUse(reservation, rules);
        if (follows) {
            return CommandOutcome.of(state.with(atUse(described)), ObservationReply.TAKEN);
        }
        return isLed(reservation, vm)
                ? CommandOutcome.of(state.with(observed(described, vm)), ObservationReply.TAKEN)
                : ObservedUseRule.raised(
                        state, reservation, described, vm.sizes().inUse());
    }

    /** Whether observations lower the reservation: an agent that reports no exposure requested less. */
    private static boolean isLed(Reservation reservation, VmObserved vm) {
        return vm.autoscaled()
                && reservation.status().contact() == Contact.EXPOSED
                && reservation.session().isBlind()
                && !vm.sizes().inUse().exceeds(reservation.amounts().reserved());
    }

    private static Reservation observed(Reservation described, VmObserved vm) {
        // It may not have received the permit that replaced its last one.
        var mayUse = vm.sizes()
                .inUse()
                .max(described.session().lastPermit())
                .min(described.amounts().reserved());
        var amounts = described.amounts().observed(mayUse);
        var contact = amounts.buffer().equals(Resources.NONE) ? Contact.REQUESTED : Contact.EXPOSED;
        return described.with(amounts).with(described.status().as(contact));
    }

    /** The agent may not have observed the change yet and use all it was permitted, until its fence is claimed. */
    private static Reservation switchedOff(Reservation reservation, LedgerRules rules) {
        var status = reservation.status();
        if (rules.trustLastPermit() == LastPermitTrust.ALWAYS) {
            return reservation.with(reservation.amounts().withoutBuffer().withoutPressure());
        }
        boolean waits = status.contact().shown().unsettled();
        return reservation
                .with(reservation.amounts().withoutPressure())
                .with(waits ? status : status.as(Contact.SWITCHED_OFF));
    }

    private static Reservation switchedOn(Reservation reservation) {
        return reservation.status().contact() == Contact.SWITCHED_OFF
                ? reservation.with(reservation.status().as(Contact.REQUESTED))
                : reservation;
    }

    /** Whether the use alone counts for a VM that is not autoscaled: no agent can use a permit any more. */
    private static boolean followsUse(Reservation reservation, LedgerRules rules) {
        return reservation.status().contact() == Contact.REQUESTED || rules.trustLastPermit() == LastPermitTrust.ALWAYS;
    }

    /**
     * Applies a changed maximum; a kind with the same maximum stays as it is. While the VM migrates it is granted
     * nothing and needs no room for a higher maximum: at least the same amounts are reserved for its target.
     */
    private static ReservationAmounts maxChanged(Reservation reservation, Resources max, LedgerRules rules) {
        var amounts = reservation.amounts();
        var contact = reservation.status().contact();
        boolean lost = contact == Contact.RECOVERED
                || contact == Contact.EXPOSED
                || contact == Contact.FOUND && rules.trustLastPermit() == LastPermitTrust.RECOVERY;
        if (reservation.status().migrating() && !lost) {
            return amounts;
        }
        var reserved = amounts.reserved();
        var wanted = KindArithmetic.each(
                kind -> max.of(kind) == reservation.limits().max().of(kind) ? reserved.of(kind) : max.of(kind));
        return amounts.reserving(lost ? wanted.max(reserved) : wanted);
    }

    /** The reservation at the observed use, up and down, for a VM that is not autoscaled. */
    static Reservation atUse(Reservation reservation) {
        return reservation.with(
                reservation.amounts().at(reservation.observations().inUse()));
    }

    /** In recorded histories of the reference a VM that is observed to migrate is still granted growth. */
    private static Reservation described(Reservation reservation, VmObserved vm, LedgerRules rules) {
        var sizes = vm.sizes();
        boolean locked = vm.phase().locked() && rules.trustLastPermit() != LastPermitTrust.ALWAYS;
        var limits = new ReservationLimits(
                sizes.min(),
                sizes.max(),
                reservation.limits().unit(),
                vm.autoscaled(),
                vm.migratable(),
                vm.alwaysMigrate());
        return reservation
                .with(reservation.pod().running(vm.vm().name()))
                .with(limits)
                .with(reservation.observations().withVm(vm.version(), sizes.inUse(), locked, vm.deferred()));
    }
}
