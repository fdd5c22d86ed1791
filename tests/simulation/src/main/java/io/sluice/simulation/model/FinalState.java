package io.sluice.simulation.model;

import io.sluice.agent.core.runner.RunnerState;
import io.sluice.agent.core.scaling.CoreState;
import io.sluice.agent.core.status.WaitCause;
import io.sluice.ledger.core.state.Contact;
import io.sluice.ledger.core.state.Observations;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.messages.agent.Waiting;
import io.sluice.simulation.model.agent.SimulatedRunner;
import io.sluice.units.Resources;
import java.util.HashSet;
import java.util.Optional;

/**
 * Checks whether everything has come to rest: each VM at its goal or with a reason, correct ledger state, nothing left
 * over.
 */
public final class FinalState {
    private final World world;

    /** The check for that world. */
    public FinalState(World world) {
        this.world = world;
    }

    /** The first thing that is not at rest, in words; empty if all is. */
    public Optional<String> missing() {
        return missingButLate().or(this::marks).or(this::unobserved);
    }

    /**
     * The same without what takes long: marks that no process arranges, and recovered reservations of agents of the
     * reference that request more after a loss. Marks are found only after they had no migration for a long time; such
     * reservations are reclaimed once their permits have lapsed.
     */
    public Optional<String> missingButLate() {
        return nodes().or(this::vms).or(this::moves);
    }

    private Optional<String> vms() {
        for (var vm : world.api().vms()) {
            var missing = vm(vm);
            if (missing.isPresent()) {
                return missing.map(words -> vm.name() + " " + words);
            }
        }
        return Optional.empty();
    }

    private Optional<String> vm(ModelVmObject vm) {
        if (!vm.runs()) {
            return Optional.of("runs in no pod");
        }
        if (vm.locked()) {
            return Optional.of("is " + vm.phase);
        }
        if (!vm.flights.isEmpty()) {
            return Optional.of("has a patch under way");
        }
        if (!vm.isAsReported() && !vm.stubborn) {
            return Optional.of("is " + vm.status + " and set to " + vm.spec);
        }
        var reservation = world.ledger().reservation(vm.node(), vm.pod.orElseThrow().uid);
        if (reservation.isEmpty()) {
            return Optional.of("has no reservation on " + vm.node());
        }
        return vm.autoscaled ? scaled(vm, reservation.get()) : unscaled(vm, reservation.get());
    }

    private static Optional<String> unscaled(ModelVmObject vm, Reservation reservation) {
        if (vm.isPod() && vm.fence.isEmpty()) {
            // Nothing shows informers that begin anew that such a pod was to be scaled.
            return Optional.empty();
        }
        // The amounts that were reported of this version of its pod are not lowered before the pod is written again.
        var ofPod =
                reservation.observations().pod().map(Observations.Kind::amounts).orElse(Resources.NONE);
        return reservation.amounts().reserved().equals(vm.inUse().max(ofPod))
                ? Optional.empty()
                : Optional.of("uses " + vm.inUse() + " of " + reservation.amounts() + ", " + reservation.status());
    }

    private Optional<String> scaled(ModelVmObject vm, Reservation reservation) {
        var serving = vm.runners.stream()
                .filter(runner -> runner.acting().isPresent())
                .findFirst();
        if (serving.isEmpty()) {
            var stages = vm.runners.stream().map(FinalState::stage).toList();
            return Optional.of("has no runner that serves it: " + stages);
        }
        var waiting =
                serving.get().runner().orElseThrow().status(serving.get().now()).cause();
        var state = serving.get().acting().orElseThrow().core().orElseThrow();
        if (state.moving() || reservation.status().migrating()) {
            // The VM must not be patched, and so has no goal. Whether it should be marked is checked elsewhere.
            return Optional.empty();
        }
        if (vm.byReference) {
            return scaledByReference(vm, reservation, state, waiting);
        }
        boolean there = state.desired().filter(vm.spec::equals).isPresent();
        if (!there && vm.isPod() && isOverReserved(vm.node())) {
            // Its kubelet defers what was permitted before: room stays reserved for it, and others have to leave.
            return Optional.empty();
        }
        if (!there && !vm.reportedByOthers && !isReason(waiting.waiting())) {
            return Optional.of("is set to " + vm.spec + " and should be " + state.desired() + ": " + waiting.waiting()
                    + ", " + waiting.words().at(serving.get().now()));
        }
        boolean received = reservation.status().contact() == Contact.REQUESTED
                && reservation.amounts().buffer().equals(Resources.NONE);
        // Its runner does not read the size that another client wrote, and counts it as exposure.
        boolean exposed = vm.reportedByOthers && reservation.status().contact() == Contact.EXPOSED;
        if (!received && !exposed) {
            return Optional.of(
                    "has no current report of its runner: " + reservation.status() + ", " + reservation.amounts());
        }
        boolean fenceLost = !serving.get().mayPatch();
        return vm.reportedByOthers
                        || fenceLost
                        || ledgersMatch(vm, reservation.amounts().reserved())
                ? Optional.empty()
                : Optional.of("is set to " + vm.spec + " and reserved as " + reservation.amounts());
    }

    /**
     * An agent of the reference does not read the size of its VM after it lost the reply to a patch. Its VM counts at
     * its last permit while nothing new is observed of it.
     */
    private Optional<String> scaledByReference(
            ModelVmObject vm, Reservation reservation, CoreState state, WaitCause waiting) {
        boolean there = state.desired().filter(state.using()::equals).isPresent() || rejects(vm, state);
        if (!there && !vm.reportedByOthers && !isReason(waiting.waiting())) {
            return Optional.of(
                    "is taken to be " + state.using() + " and should be " + state.desired() + ": " + waiting.waiting());
        }
        boolean covered =
                vm.reportedByOthers || !vm.inUse().exceeds(reservation.amounts().reserved());
        return covered ? Optional.empty() : Optional.of("uses " + vm.inUse() + " of " + reservation.amounts());
    }

    private Optional<String> unobserved() {
        for (var vm : world.api().vms()) {
            var reservation = world.ledger().reservation(vm.node(), vm.pod.orElseThrow().uid);
            if (vm.byReference && reservation.orElseThrow().status().contact() == Contact.RECOVERED) {
                return Optional.of(vm.name() + " has no current report of its agent: "
                        + reservation.get().status());
            }
        }
        return Optional.empty();
    }

    /** A status in whole CPUs raises the reservation until its runner next reports the exact size. */
    private static boolean ledgersMatch(ModelVmObject vm, Resources reserved) {
        return reserved.equals(vm.spec) || vm.wholeCpus && reserved.equals(vm.inUse());
    }

    private static String stage(SimulatedRunner runner) {
        return runner + " "
                + runner.runner().map(it -> it.stage().name()).orElse(runner.restarting() ? "waits" : "none");
    }

    private boolean isOverReserved(String node) {
        var state = world.ledger().of(node);
        return state.sums().reserved().exceeds(state.size().total());
    }

    private static boolean isReason(Waiting waiting) {
        return waiting == Waiting.ROOM || waiting == Waiting.MAX || waiting == Waiting.DENIED_DOWNSCALE;
    }

    private Optional<String> nodes() {
        for (var node : world.api().nodes()) {
            var state = world.ledger().of(node.name);
            if (!state.fullList().complete() || !state.size().total().equals(node.allocatable)) {
                return Optional.of(node.name + " has " + node.allocatable + " and is reserved as " + state.size());
            }
            var pods = new HashSet<String>();
            world.api().pods().stream()
                    .filter(pod -> pod.node.equals(node.name))
                    .forEach(pod -> pods.add(pod.uid));
            if (state.claim().isPresent()) {
                return Optional.of(node.name + " keeps " + state.claim());
            }
            for (var reservation : state.reservations()) {
                boolean orphan = reservation.status().held()
                        && (world.pressure().mayHaveLeftHolds()
                                || world.api().hasMoved(reservation.status().heldFor()));
                if (!pods.remove(reservation.id()) && !orphan) {
                    return Optional.of(node.name + " reserves " + reservation.id() + ", which does not exist");
                }
            }
            if (!pods.isEmpty()) {
                return Optional.of(node.name + " has no reservation of " + pods);
            }
        }
        return Optional.empty();
    }

    private Optional<String> marks() {
        for (var node : world.api().nodes()) {
            for (var reservation : world.ledger().of(node.name).reservations()) {
                if (reservation.status().migrating()) {
                    return Optional.of(reservation.id() + " is marked as migrating, and pressure is at "
                            + world.pressure().view().migrations());
                }
            }
        }
        return world.api().vms().stream()
                .flatMap(vm -> vm.runners.stream())
                .filter(runner -> runner.acting()
                        .flatMap(RunnerState::core)
                        .filter(core -> core.moving() && !rejects(runner.vm(), core))
                        .isPresent())
                .findFirst()
                .map(runner -> runner + " expects its VM to migrate");
    }

    /**
     * Whether its agent takes the VM to be larger than what is reserved, and rejects each permit below that. Where it
     * does not name its last permit, its requests are left out (see
     * {@link io.sluice.simulation.model.agent.ModelReferenceAgents}). So it is permitted nothing, and does not learn
     * that a migration has ended.
     */
    private boolean rejects(ModelVmObject vm, CoreState core) {
        return vm.byReference
                && !vm.namesPermit
                && world.ledger()
                        .reservation(vm)
                        .filter(it -> core.using().exceeds(it.amounts().reported()))
                        .isPresent();
    }

    private Optional<String> moves() {
        for (var move : world.api().moves()) {
            if (move.live() || move.ours) {
                return Optional.of("the migration " + move.name + " is " + move.phase + ", and pressure is at "
                        + world.pressure().view().migrations());
            }
        }
        return world.pressure().view().migrations().stream()
                .filter(view -> view.live())
                .map(view -> "pressure is still at " + view)
                .findFirst();
    }
}
