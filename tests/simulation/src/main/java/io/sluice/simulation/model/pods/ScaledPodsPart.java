package io.sluice.simulation.model.pods;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.monitor.ResizeGuest;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.messages.vm.PatchReply;
import io.sluice.simulation.engine.Chance;
import io.sluice.simulation.engine.Seconds;
import io.sluice.simulation.model.ModelVmObject;
import io.sluice.simulation.model.World;
import io.sluice.simulation.model.agent.Flight;
import io.sluice.units.Resources;
import io.sluice.units.ScaledPodKeys;
import io.sluice.units.VmId;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The pods that are resized in place, two processes of their driver, and the faults of both and of kubelets. */
public final class ScaledPodsPart {
    private static final Resources UNIT = new Resources(250, 1L << 30);
    private static final long LONG = Seconds.of(20);
    private static final long SHORT = Seconds.of(4);

    private final World world;
    private final Chance chance;
    private final Chance route;
    private final Chance faults;
    private final long apart;
    private final int number;
    private final Kubelets kubelets;
    private final List<PodDriver> drivers;

    /**
     * The part of that world.
     *
     * @param pods the number of pods; without any there is nothing of it
     * @param apartMillis the average time between two faults of others; its own come twice as often
     */
    public ScaledPodsPart(World world, int pods, long apartMillis) {
        this.world = world;
        this.chance = world.faults().chance("scaled pods");
        this.route = world.faults().chance("routes to pods");
        this.faults = world.faults().chance("mischief of pods");
        this.apart = Seconds.ofMillis(apartMillis) / 2;
        this.kubelets = new Kubelets(world);
        this.drivers = pods == 0 ? List.of() : List.of(new PodDriver(world, "pods-a"), new PodDriver(world, "pods-b"));
        this.number = pods;
    }

    /** Creates the pods. */
    public void begin() {
        for (int pod = 1; pod <= number; pod++) {
            var nodes = world.nodeNames();
            create(nodes.get(chance.below(nodes.size())));
        }
        if (number > 0) {
            next();
        }
    }

    private void create(String node) {
        var name = "pod-" + world.fresh();
        var id = new VmId(ScaledPodKeys.DRIVER, ModelVmObject.NAMESPACE, name, "uid-of-" + name);
        var size = UNIT.times(1 + chance.below(3));
        var vm = new ModelVmObject(id, UNIT, UNIT.times(4 + chance.below(9)), size, Overcommit.OFF, false);
        vm.becomes(new ScaledPodObject(id, node, size));
        world.began(vm, node);
    }

    /** Its controller deletes it, and makes another one some time later. */
    public void replace(ModelVmObject vm, Chance own) {
        world.api().delete(vm);
        world.time().in(Seconds.of(1) + own.below(SHORT), () -> {
            var nodes = world.nodeNames();
            if (!nodes.isEmpty()) {
                create(nodes.get(own.below(nodes.size())));
            }
        });
    }

    /** Applies a JSON Patch to a pod. */
    boolean patch(ModelVmObject vm, String operations) {
        var pod = vm.scaledPod();
        var before = pod.json().path("spec");
        boolean done = pod.apply(operations);
        if (done) {
            world.api().write(vm);
            if (!pod.json().path("spec").equals(before)) {
                kubelets.specified(vm);
            }
        }
        return done;
    }

    /** A pod was written in another version. */
    public void written(ModelVmObject vm) {
        drivers.forEach(driver -> driver.written(vm));
    }

    private PodDriver any() {
        return drivers.get(route.below(drivers.size()));
    }

    /** A claim of the fence of a pod or of any other VM, by its driver. */
    public void claim(ClaimVm request, Consumer<ClaimReply> answer) {
        var vm = world.everyVm(request.vm());
        if (vm.isPod()) {
            var driver = any();
            driver.mine(() -> driver.claim(vm, request, 1, answer)).run();
        } else {
            world.patcher().claim(request, answer);
        }
    }

    /** The same for a new size. */
    public void patch(Flight flight, Consumer<PatchReply> answer) {
        if (flight.vm.isPod()) {
            var driver = any();
            driver.mine(() -> driver.resize(flight, answer), flight::ended).run();
        } else {
            world.patcher().patch(flight, answer);
        }
    }

    /** A request for a smaller size: a pod's driver stands for a monitor. */
    public void downscale(ModelVmObject vm, ResizeGuest request, Consumer<ResizeReply> answer) {
        if (vm.isPod()) {
            var driver = any();
            driver.mine(() -> driver.downscale(vm, request, answer)).run();
        } else {
            answer.accept(world.guests().requested(vm, request));
        }
    }

    private void next() {
        world.time().in(1 + faults.below(2 * apart), () -> {
            int draw = faults.below(ACTIONS.size());
            var own = world.faults().chance("deed of pods " + faults.drawn());
            if (!world.faults().ceased()) {
                var fault = ACTIONS.get(draw);
                if (world.faults().happens(faults, faults.drawn(), fault.name)) {
                    if (world.journal().listens()) {
                        world.report("FAULT: " + fault.name);
                    }
                    fault.what.does(this, own);
                }
                next();
            }
        });
    }

    /** One fault. */
    @FunctionalInterface
    private interface What {
        void does(ScaledPodsPart part, Chance own);
    }

    private record Fault(String name, What what) {}

    /** A fault that is listed more than once happens more often. */
    private static final List<Fault> ACTIONS = List.of(
            new Fault(
                    "a process of the pods' driver crashes",
                    (part, own) -> part.driver(own).crash()),
            new Fault(
                    "a process of the pods' driver stands still",
                    (part, own) -> part.driver(own).pause(Seconds.of(1) + own.below(LONG))),
            new Fault(
                    "a process of the pods' driver stands still",
                    (part, own) -> part.driver(own).pause(Seconds.of(1) + own.below(LONG))),
            new Fault(
                    "the watch of a pods' driver breaks",
                    (part, own) -> part.driver(own).blind(own.below(LONG))),
            new Fault(
                    "a kubelet hangs",
                    (part, own) -> part.node(own).ifPresent(node -> part.kubelets.hang(node, own.below(LONG)))),
            new Fault(
                    "a kubelet hangs",
                    (part, own) -> part.node(own).ifPresent(node -> part.kubelets.hang(node, own.below(LONG)))),
            new Fault("a node has less room than the ledger counts", ScaledPodsPart::take),
            new Fault("a node has less room than the ledger counts", ScaledPodsPart::take),
            new Fault("a node has less room than the ledger counts", ScaledPodsPart::take),
            new Fault("a container is killed for want of memory", ScaledPodsPart::kill),
            new Fault(
                    "a pod is deleted, another one is made",
                    (part, own) -> part.pod(own).ifPresent(vm -> part.replace(vm, own))));

    private PodDriver driver(Chance own) {
        return drivers.get(own.below(drivers.size()));
    }

    private Optional<String> node(Chance own) {
        var nodes = world.nodeNames();
        return nodes.isEmpty() ? Optional.empty() : Optional.of(nodes.get(own.below(nodes.size())));
    }

    private Optional<ModelVmObject> pod(Chance own) {
        var pods = world.vms().stream().filter(ModelVmObject::isPod).toList();
        return pods.isEmpty() ? Optional.empty() : Optional.of(pods.get(own.below(pods.size())));
    }

    /** Processes of the node itself, or static pods that came before the ledger has observed them. */
    private void take(Chance own) {
        node(own).ifPresent(node -> {
            kubelets.take(node, UNIT.times(4 + own.below(40)));
            world.time().in(SHORT + own.below(LONG), () -> kubelets.take(node, Resources.NONE));
        });
    }

    private void kill(Chance own) {
        pod(own).ifPresent(vm -> {
            vm.scaledPod().killed(Seconds.instant(world.time().now()).toString());
            world.api().write(vm);
        });
    }
}
