package io.sluice.simulation.model;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.simulation.engine.Chance;
import io.sluice.simulation.engine.Seconds;
import io.sluice.simulation.model.Watches.Kind;
import io.sluice.simulation.model.agent.SimulatedRunner;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Optional;

/**
 * The faults that can be injected. Each fault draws from a chance of its own, so that leaving one out changes no other.
 */
final class FaultActions {
    private static final String OTHER = "other-";
    private static final long LONG = Seconds.of(15);
    private static final long SHORT = Seconds.of(4);
    private static final long UNREADY = Seconds.of(26);
    private static final Resources CU = new Resources(250, 1L << 30);

    private final World world;

    FaultActions(World world) {
        this.world = world;
    }

    private static <T> Optional<T> any(List<T> all, Chance chance) {
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(chance.below(all.size())));
    }

    private Optional<ModelVmObject> anyVm(Chance chance) {
        return any(world.api().vms(), chance);
    }

    void loseAllLedgerState(Chance chance) {
        world.ledger().crash();
        world.api().nodes().forEach(node -> lateList(node.name, chance));
        world.agents().getFirst().requestRelist();
        world.cluster().listSooner();
    }

    void loseStateOfOneNode(Chance chance) {
        any(List.copyOf(world.ledger().nodes()), chance).ifPresent(node -> {
            world.ledger().lose(List.of(node));
            lateList(node, chance);
        });
    }

    /** A full list that was sent before the loss may still be under way, and arrive first. */
    private void lateList(String node, Chance chance) {
        var before = world.cluster().loading().old().stream()
                .filter(load -> load.node().node().equals(node))
                .toList();
        any(before, chance)
                .ifPresent(load -> world.time()
                        .in(
                                1 + chance.below(SHORT),
                                () -> world.ledger().serve(node, new LedgerCommand.Load(load), reply -> {})));
    }

    void crashAgent(Chance chance) {
        any(world.agents(), chance).ifPresent(agent -> agent.crash(Seconds.of(1) + chance.below(LONG)));
    }

    void failRunner(Chance chance) {
        any(world.agents().getFirst().runners(), chance).ifPresent(SimulatedRunner::fail);
    }

    /** For a while another agent also runs a runner for a VM. */
    void splitAgents(Chance chance) {
        var second = world.agents().getLast();
        anyVm(chance).ifPresent(vm -> {
            second.share(id -> id.name().equals(vm.id.name()) && !world.everyVm(id).byReference);
            world.time().in(SHORT + chance.below(2 * LONG), () -> second.share(id -> false));
        });
    }

    void crashPressure(Chance chance) {
        world.pressure().crash();
    }

    void crashCluster(Chance chance) {
        world.cluster().crash();
    }

    void crashGateway(Chance chance) {
        world.gateway().crash();
    }

    /** Has no effect on a VM without an agent of the reference, as its requests go over the bus. */
    void storm(Chance chance) {
        anyVm(chance)
                .filter(ModelVmObject::runs)
                .ifPresent(vm -> world.gateway().storm(vm.pod.orElseThrow().uid));
    }

    void crashPatcher(Chance chance) {
        world.patcher().crash();
    }

    void tearWatch(Chance chance) {
        world.cluster().tear(Kind.values()[chance.below(Kind.values().length)], chance.below(LONG));
    }

    /** A full list from before, as from a process that was cut off or from a restored store. */
    void oldFullList(Chance chance) {
        var loading = world.cluster().loading();
        any(loading.old(), chance).ifPresent(load -> {
            loading.copied(load);
            world.ledger().serve(load.node().node(), new LedgerCommand.Load(load), reply -> {});
        });
    }

    void shrinkNode(Chance chance) {
        any(world.api().nodes(), chance).ifPresent(node -> resize(node, chance.below(40) + 60L));
    }

    void growNode(Chance chance) {
        any(world.api().nodes(), chance).ifPresent(node -> resize(node, chance.below(40) + 100L));
    }

    private void resize(NodeObject node, long percent) {
        var size = node.allocatable;
        node.allocatable = new Resources(
                Math.max(1_000, size.milliCpu() * percent / 100 / 250 * 250),
                Math.max(4L << 30, size.memoryBytes() * percent / 100));
        world.api().write(node);
    }

    void vanishNode(Chance chance) {
        any(world.api().nodes(), chance).ifPresent(node -> {
            world.api().delete(node);
            world.time().in(chance.below(SHORT), () -> {
                if (world.api().node(node.name).isEmpty()) {
                    node.there = true;
                    world.api().write(node);
                }
            });
        });
    }

    /** The node's kubelet restarts, or hangs for longer than the ledger waits. */
    void unreadyNode(Chance chance) {
        any(world.api().nodes(), chance).ifPresent(node -> {
            ready(node, false);
            world.time().in(SHORT + chance.below(UNREADY), () -> ready(node, true));
        });
    }

    private void ready(NodeObject node, boolean ready) {
        boolean changed = node.ready != ready;
        node.ready = ready;
        if (changed && node.there) {
            world.api().write(node);
        }
    }

    void placePod(Chance chance) {
        any(world.api().nodes(), chance).ifPresent(node -> {
            var size = new Resources(250L * (1 + chance.below(6)), (1L + chance.below(6)) << 30);
            var pod =
                    new PodObject(OTHER + world.api().fresh(), node.name, Optional.empty(), size, "", world.seconds());
            world.api().write(pod);
        });
    }

    void endPod(Chance chance) {
        var others = world.api().pods().stream()
                .filter(pod -> pod.name.startsWith(OTHER))
                .toList();
        any(others, chance).ifPresent(world.api()::delete);
    }

    void changeMax(Chance chance) {
        anyVm(chance).ifPresent(vm -> {
            long cu = 1 + chance.below(16);
            world.lowered(vm);
            vm.max = CU.times(cu).max(vm.min);
            vm.scaled().ifPresent(pod -> pod.bound(vm.min, vm.max));
            world.api().write(vm);
        });
    }

    void switchVm(Chance chance) {
        anyVm(chance).filter(vm -> !vm.byReference).ifPresent(vm -> {
            enable(vm, !vm.autoscaled);
        });
    }

    private void enable(ModelVmObject vm, boolean autoscaled) {
        vm.autoscaled = autoscaled;
        vm.scaled().ifPresent(pod -> pod.enable(autoscaled));
        world.api().write(vm);
    }

    /** The VM's agent has not observed it yet when the ledger state with its permit is lost. */
    void switchOffAndLoseState(Chance chance) {
        anyVm(chance)
                .filter(vm -> vm.runs() && vm.autoscaled && !vm.byReference)
                .ifPresent(vm -> {
                    enable(vm, false);
                    world.ledger().lose(List.of(vm.node()));
                    world.cluster().listSooner();
                });
    }

    /** Ends the VM's process; the VM starts anew on any node where the Kubernetes scheduler finds room. */
    void remakePod(Chance chance) {
        anyVm(chance).filter(vm -> vm.runs() && !vm.locked() && !vm.isPod()).ifPresent(vm -> world.remake(vm, chance));
    }

    void editSize(Chance chance) {
        anyVm(chance).filter(vm -> !vm.isPod()).ifPresent(vm -> world.api().impose(vm, CU.times(1 + chance.below(14))));
    }

    void replaceVm(Chance chance) {
        anyVm(chance).filter(vm -> !vm.locked() && !vm.isPod()).ifPresent(vm -> world.replace(vm, chance));
    }

    void movedByOperator(Chance chance) {
        anyVm(chance).filter(vm -> vm.runs() && !vm.isPod()).ifPresent(world.movers()::byOperator);
    }

    void deleteMove(Chance chance) {
        any(world.api().moves(), chance).ifPresent(world.movers()::delete);
    }

    void dropMonitor(Chance chance) {
        anyVm(chance).filter(vm -> !vm.isPod()).ifPresent(world.guests()::drop);
    }

    void stubbornGuest(Chance chance) {
        anyVm(chance).ifPresent(vm -> {
            vm.stubborn = true;
            world.time().in(chance.below(2 * LONG), () -> vm.stubborn = false);
        });
    }

    void upscaleRequest(Chance chance) {
        anyVm(chance).ifPresent(world.guests()::upscaleRequest);
    }

    void alwaysMove(Chance chance) {
        anyVm(chance).ifPresent(vm -> {
            vm.alwaysMigrate = !vm.alwaysMigrate;
            world.api().write(vm);
        });
    }

    /** Sends an invalid request: the ledger must refuse it and change nothing. */
    void nonsense(Chance chance) {
        anyVm(chance).filter(ModelVmObject::runs).ifPresent(vm -> {
            var pod = vm.pod.orElseThrow();
            var target = chance.oneIn(2) ? Resources.NONE : new Resources(Long.MAX_VALUE, Long.MAX_VALUE);
            long session = world.ledger()
                    .reservation(pod.node, pod.uid)
                    .map(reservation -> reservation.session().session())
                    .orElse(1L);
            var unit = chance.oneIn(2) ? Resources.NONE : CU;
            if (!target.equals(Resources.NONE) && !unit.equals(Resources.NONE)) {
                return;
            }
            world.ledger()
                    .serve(
                            pod.node,
                            new LedgerCommand.RequestPermit(new PermitRequest(
                                    pod.node,
                                    pod.uid,
                                    "nobody",
                                    Math.max(1, session),
                                    1_000_000,
                                    unit,
                                    target,
                                    Optional.of(target),
                                    Optional.empty())),
                            reply -> {});
        });
    }
}
