package io.sluice.simulation.model;

import io.sluice.agent.core.runner.RunnerState;
import io.sluice.agent.core.runner.WaitCause;
import io.sluice.agent.core.scaling.CoreState;
import io.sluice.ledger.core.Contact;
import io.sluice.ledger.core.Observations;
import io.sluice.ledger.core.Reservation;
import io.sluice.messages.agent.Waiting;
import io.sluice.units.Resources;
import java.util.HashSet;
import java.util.Optional;

/** Whether everything has come to rest: each VM at its goal or with a reason, the books true, and nothing left over. */
public final class Rest {
    private final World world;

    /** Of that world. */
    public Rest(World world) {
        this.world = world;
    }

    /** What is not at rest yet, in words. */
    public Optional<String> missing() {
        return missingButLate().or(this::marks).or(this::unheard);
    }

    /**
     * The same, leaving aside what takes long: marks that nobody knows of are only found once they have stood alone for
     * long, and an agent of the reference that asks for more after a loss is settled once its permits have lapsed.
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
        if (!vm.isAsTold() && !vm.stubborn) {
            return Optional.of("is " + vm.status + " and told to be " + vm.spec);
        }
        var member = world.ledger().member(vm.node(), vm.pod.orElseThrow().uid);
        if (member.isEmpty()) {
            return Optional.of("is no member of " + vm.node());
        }
        return vm.autoscaled ? scaled(vm, member.get()) : unscaled(vm, member.get());
    }

    private static Optional<String> unscaled(ModelVmObject vm, Reservation member) {
        // What was once reported of its pod, and of that version, is not lowered before the pod is written.
        var ofPod = member.seen().pod().map(Observations.Kind::amounts).orElse(Resources.NONE);
        return member.amounts().reserved().equals(vm.inUse().max(ofPod))
                ? Optional.empty()
                : Optional.of("uses " + vm.inUse() + " of " + member.amounts() + ", " + member.standing());
    }

    private Optional<String> scaled(ModelVmObject vm, Reservation member) {
        var serving =
                vm.seats.stream().filter(seat -> seat.acting().isPresent()).findFirst();
        if (serving.isEmpty()) {
            var stages = vm.seats.stream().map(Rest::stage).toList();
            return Optional.of("has no runner that serves it: " + stages);
        }
        var waiting = serving.get()
                .runner()
                .orElseThrow()
                .standing(serving.get().now())
                .cause();
        var state = serving.get().acting().orElseThrow().core().orElseThrow();
        if (state.moving() || member.standing().migrating()) {
            // It is not to be patched, and so has no goal: whether it should be marked is another matter.
            return Optional.empty();
        }
        if (vm.byReference) {
            return scaledByReference(vm, member, state, waiting);
        }
        boolean there = state.desired().filter(vm.spec::equals).isPresent();
        if (!there && !vm.toldByOthers && !isReason(waiting.waiting())) {
            return Optional.of(
                    "is told to be " + vm.spec + " and should be " + state.desired() + ": " + waiting.waiting() + ", "
                            + waiting.words().at(serving.get().now()));
        }
        boolean heard = member.standing().contact() == Contact.HEARD
                && member.amounts().buffer().equals(Resources.NONE);
        // Its runner does not know the size that others told it, and counts it as one that may still come.
        boolean exposed = vm.toldByOthers && member.standing().contact() == Contact.EXPOSED;
        if (!heard && !exposed) {
            return Optional.of("was not heard of: " + member.standing() + ", " + member.amounts());
        }
        boolean fenceLost = !serving.get().mayPatch();
        return vm.toldByOthers || fenceLost || booksMatch(vm, member.amounts().reserved())
                ? Optional.empty()
                : Optional.of("is told to be " + vm.spec + " and booked as " + member.amounts());
    }

    /**
     * It does not read what its VM was told when it lost the answer to a patch, and its VM counts at what it was last
     * permitted while nothing new is observed of it.
     */
    private static Optional<String> scaledByReference(
            ModelVmObject vm, Reservation member, CoreState state, WaitCause waiting) {
        boolean there = state.desired().filter(state.using()::equals).isPresent();
        if (!there && !isReason(waiting.waiting())) {
            return Optional.of("is taken to be " + state.using() + " and should be " + state.desired());
        }
        boolean covered =
                vm.toldByOthers || !vm.inUse().exceeds(member.amounts().reserved());
        return covered ? Optional.empty() : Optional.of("uses " + vm.inUse() + " of " + member.amounts());
    }

    private Optional<String> unheard() {
        for (var vm : world.api().vms()) {
            var member = world.ledger().member(vm.node(), vm.pod.orElseThrow().uid);
            if (vm.byReference && member.orElseThrow().standing().contact() == Contact.RECOVERED) {
                return Optional.of(
                        vm.name() + " was not heard of: " + member.get().standing());
            }
        }
        return Optional.empty();
    }

    /** A status of whole CPUs is forced in, until its runner next says what they stand for. */
    private static boolean booksMatch(ModelVmObject vm, Resources reserved) {
        return reserved.equals(vm.spec) || vm.wholeCpus && reserved.equals(vm.inUse());
    }

    private static String stage(SimulatedRunner seat) {
        return seat + " " + seat.runner().map(it -> it.stage().name()).orElse(seat.restarting() ? "waits" : "none");
    }

    private static boolean isReason(Waiting waiting) {
        return waiting == Waiting.ROOM || waiting == Waiting.MAX || waiting == Waiting.VETO;
    }

    private Optional<String> nodes() {
        for (var node : world.api().nodes()) {
            var books = world.ledger().of(node.name);
            if (!books.listing().complete() || !books.size().total().equals(node.allocatable)) {
                return Optional.of(node.name + " has " + node.allocatable + " and is booked as " + books.size());
            }
            var pods = new HashSet<String>();
            world.api().pods().stream()
                    .filter(pod -> pod.node.equals(node.name))
                    .forEach(pod -> pods.add(pod.uid));
            for (var member : books.members()) {
                boolean orphan = member.standing().held()
                        && (world.pressure().mayHaveLeftHolds()
                                || world.ledger().heldLate(member.id()));
                if (!pods.remove(member.id()) && !orphan) {
                    return Optional.of(node.name + " books " + member.id() + ", which is not there");
                }
            }
            if (!pods.isEmpty()) {
                return Optional.of(node.name + " has not booked " + pods);
            }
        }
        return Optional.empty();
    }

    private Optional<String> marks() {
        for (var node : world.api().nodes()) {
            for (var member : world.ledger().of(node.name).members()) {
                if (member.standing().migrating()) {
                    return Optional.of(member.id() + " is marked as moving, and pressure is at "
                            + world.pressure().view().migrations());
                }
            }
        }
        return world.api().vms().stream()
                .flatMap(vm -> vm.seats.stream())
                .filter(seat -> seat.acting()
                        .flatMap(RunnerState::core)
                        .filter(CoreState::moving)
                        .isPresent())
                .findFirst()
                .map(seat -> seat + " thinks that its VM is about to move");
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
