package io.sluice.simulation.model.pods;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.shell.pods.ScaledPod;
import io.sluice.simulation.engine.Chance;
import io.sluice.simulation.engine.Seconds;
import io.sluice.simulation.model.ModelVmObject;
import io.sluice.simulation.model.World;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.util.HashMap;
import java.util.Map;

/**
 * The kubelets. Each reads the specs of its pods some time later and in order, allocates what has room, defers what has
 * none and tries that again, and refuses what the node can never have. It takes memory back late, and writes its
 * statuses late.
 */
final class Kubelets {
    private static final long LAG = Seconds.of(6);
    private static final long QUICK = Seconds.ofMillis(300);
    private static final long AGAIN = Seconds.of(2);

    private final World world;
    private final Chance chance;
    private final Map<String, Long> hungUntil = new HashMap<>();
    private final Map<String, Resources> taken = new HashMap<>();
    private final Map<String, Long> due = new HashMap<>();

    Kubelets(World world) {
        this.world = world;
        this.chance = world.faults().chance("kubelets");
    }

    /** A kubelet does nothing for that long. */
    void hang(String node, long nanos) {
        hungUntil.merge(node, world.time().now() + nanos, Math::max);
    }

    /** What others have of a node that the ledger does not count. */
    void take(String node, Resources amount) {
        taken.put(node, amount);
    }

    private long delay() {
        boolean slow = chance.oneIn(4) && world.faults().happens(chance, chance.drawn(), "slow");
        return 1 + chance.below(slow ? LAG : QUICK);
    }

    /** Runs it unless the kubelet hangs: then afterwards. */
    private void run(String node, Runnable what) {
        long left = hungUntil.getOrDefault(node, 0L) - world.time().now();
        if (left > 0) {
            world.time().in(left, () -> run(node, what));
        } else {
            what.run();
        }
    }

    /** The spec of a pod was written. */
    void specified(ModelVmObject vm) {
        var json = vm.scaledPod().json();
        long at = Math.max(due.getOrDefault(vm.id.uid(), 0L), world.time().now() + delay());
        due.put(vm.id.uid(), at);
        world.time().in(at - world.time().now(), () -> run(vm.node(), () -> reads(vm, json)));
    }

    private void reads(ModelVmObject vm, ObjectNode json) {
        var state = vm.scaledPod().kubelet;
        var pod = ScaledPod.of(json);
        if (vm.runs() && pod.isNewerThan(state.known)) {
            state.known = pod;
            sync(vm);
        }
    }

    private void sync(ModelVmObject vm) {
        var state = vm.scaledPod().kubelet;
        var wanted = state.known.requests();
        var allocatable = world.api().allocatable(vm.node());
        state.pending = "";
        state.message = "";
        if (allocatable.isEmpty() || wanted.exceeds(allocatable.get())) {
            state.pending = "Infeasible";
            state.message = "Node didn't have enough capacity";
        } else {
            allocate(vm, state, wanted, allocatable.get());
        }
        if (!state.pending.isEmpty()) {
            retry(vm, state);
        }
        changed(vm);
    }

    private void allocate(ModelVmObject vm, KubeletState state, Resources wanted, Resources allocatable) {
        var used = world.api().requestedOn(vm.node(), vm).plus(taken.getOrDefault(vm.node(), Resources.NONE));
        for (var kind : ResourceKind.values()) {
            boolean grows = wanted.of(kind) > state.allocated.of(kind);
            if (grows && used.of(kind) + wanted.of(kind) > allocatable.of(kind)) {
                state.pending = "Deferred";
                state.message = "Node didn't have enough resource: " + (kind == ResourceKind.CPU ? "cpu" : "memory");
                world.tally().deferred();
                return;
            }
        }
        state.allocated = wanted;
        state.actual = new Resources(wanted.milliCpu(), Math.max(wanted.memoryBytes(), state.actual.memoryBytes()));
        if (!state.actual.equals(state.allocated)) {
            shrink(vm, state);
        }
    }

    private void retry(ModelVmObject vm, KubeletState state) {
        if (!state.retries) {
            state.retries = true;
            world.time()
                    .in(
                            AGAIN,
                            () -> run(vm.node(), () -> {
                                state.retries = false;
                                if (vm.runs() && !state.pending.isEmpty()) {
                                    sync(vm);
                                }
                            }));
        }
    }

    /** Memory is given back once the container does not use it. */
    private void shrink(ModelVmObject vm, KubeletState state) {
        if (!state.shrinking) {
            state.shrinking = true;
            world.time()
                    .in(
                            vm.stubborn ? AGAIN : delay(),
                            () -> run(vm.node(), () -> {
                                state.shrinking = false;
                                if (vm.runs() && !state.actual.equals(state.allocated)) {
                                    if (vm.stubborn) {
                                        shrink(vm, state);
                                    } else {
                                        state.actual = state.allocated;
                                        changed(vm);
                                    }
                                }
                            }));
        }
    }

    /** Writes the status, one write at a time. */
    private void changed(ModelVmObject vm) {
        vm.applying();
        world.touch(vm);
        var state = vm.scaledPod().kubelet;
        if (state.writing) {
            state.changed = true;
            return;
        }
        state.writing = true;
        state.changed = false;
        var shown = state.shown();
        world.time()
                .in(
                        delay(),
                        () -> run(vm.node(), () -> {
                            state.writing = false;
                            if (vm.runs()) {
                                vm.scaledPod().shows(shown);
                                world.api().write(vm);
                                if (state.changed) {
                                    changed(vm);
                                }
                            }
                        }));
    }
}
