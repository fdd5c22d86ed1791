package io.sluice.simulation.model;

import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.neonvm.core.observed.ClusterModel;
import io.sluice.neonvm.core.observed.FullList;
import io.sluice.neonvm.core.observed.FullListStart;
import io.sluice.neonvm.core.observed.Observation;
import io.sluice.neonvm.core.observed.ScaledPods;
import io.sluice.simulation.engine.Chance;
import io.sluice.simulation.engine.Seconds;
import io.sluice.simulation.model.Watches.Kind;
import io.sluice.simulation.model.pods.ScaledPodObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/** The informers: the real core behind watches that lag and full lists that take time. */
public final class ClusterPart {
    private static final long RELIST = Seconds.of(20);
    private static final long BETWEEN = Seconds.of(1);
    private static final long RETRY = Seconds.of(3);
    private static final long PAGE = Seconds.ofMillis(100);
    private static final long SLOW_PAGE = Seconds.of(6);

    private final World world;
    private final Chance chance;
    private final Watches watches;
    private final ObservationSink sink;
    private final NodeLoading loading;
    private final Marking marking;
    private final boolean rarely;
    private ClusterModel model = new ClusterModel();
    private ScaledPods scaled = new ScaledPods(true);
    private boolean fullList;
    private boolean again;
    private int life;

    ClusterPart(World world) {
        this.world = world;
        this.chance = world.faults().chance("listings");
        this.rarely = chance.oneIn(2);
        this.watches = new Watches(world, this::readAnew);
        var toLedger = world.faults().link("cluster -> ledger", Seconds.of(8)).inOrder();
        this.sink = new ObservationSink(world, toLedger);
        this.loading = new NodeLoading(world, toLedger);
        this.marking = new Marking(world, this);
    }

    void begin() {
        list();
        world.time().in(RELIST, this::relist);
    }

    /** Ends the process and starts another one without state. */
    void crash() {
        life++;
        model = new ClusterModel();
        scaled = new ScaledPods(true);
        watches.reset();
        loading.reset();
        marking.reset();
        fullList = false;
        again = false;
        list();
    }

    void tear(Kind kind, long nanos) {
        watches.tear(kind, nanos);
    }

    ClusterModel model() {
        return model;
    }

    NodeLoading loading() {
        return loading;
    }

    void report(List<Observation> observations) {
        observations.forEach(sink::report);
    }

    private void publish(ClusterModel.Step step) {
        report(step.observations());
        marking.takeBack(step.marksOver());
        marking.request(step.requests());
    }

    void watched(NodeObject node) {
        var observation = node.observation();
        boolean there = node.there;
        watches.made(Kind.NODES, () -> {
            if (there) {
                report(model.changed(observation));
                if (!loading.contains(observation.node())) {
                    listSooner();
                }
            } else {
                report(model.nodeGone(observation.node(), observation.version()));
            }
        });
    }

    void watched(PodObject pod) {
        var observation = pod.observation();
        boolean there = pod.there;
        var json = pod.scaled().map(ScaledPodObject::json);
        watches.made(Kind.PODS, () -> {
            if (there) {
                publish(model.changed(observation));
                json.ifPresent(object -> report(scaled.changed(object)));
            } else {
                podGone(observation.uid(), observation.version());
            }
        });
    }

    private void podGone(String uid, long version) {
        report(model.podGone(uid, version));
        report(scaled.gone(uid, version));
    }

    void watched(ModelVmObject vm) {
        var observation = vm.observation();
        boolean there = vm.there;
        watches.made(
                Kind.VMS,
                () -> report(
                        there ? model.changed(observation) : model.vmGone(observation.vm(), observation.version())));
    }

    void watched(MoveObject move) {
        var observation = move.observation();
        boolean there = move.there;
        watches.made(
                Kind.MOVES,
                () -> publish(
                        there
                                ? model.changed(observation)
                                : model.migrationGone(observation.uid(), observation.version())));
    }

    /**
     * Relists one kind. Missed changes are published as changes; an object that was deleted meanwhile is published as
     * deleted, with its last observed version.
     */
    private void readAnew(Kind kind) {
        var there = new HashSet<String>();
        switch (kind) {
            case NODES -> {
                world.api().nodes().forEach(node -> {
                    there.add(node.name);
                    watched(node);
                });
                known(model.nodes()).stream()
                        .filter(it -> !there.contains(it.node()))
                        .forEach(gone -> watches.made(kind, () -> report(model.nodeGone(gone.node(), gone.version()))));
            }
            case PODS -> {
                world.api().pods().forEach(pod -> {
                    there.add(pod.uid);
                    watched(pod);
                });
                known(model.pods()).stream()
                        .filter(it -> !there.contains(it.uid()))
                        .forEach(gone -> watches.made(kind, () -> podGone(gone.uid(), gone.version())));
            }
            case VMS -> {
                separate().forEach(vm -> {
                    there.add(vm.id.uid());
                    watched(vm);
                });
                known(model.vms()).stream()
                        .filter(it -> !there.contains(it.vm().uid()))
                        .forEach(gone -> watches.made(kind, () -> report(model.vmGone(gone.vm(), gone.version()))));
            }
            case MOVES -> {
                world.api().moves().forEach(move -> {
                    there.add(move.uid);
                    watched(move);
                });
                known(model.migrations()).stream()
                        .filter(it -> !there.contains(it.uid()))
                        .forEach(gone ->
                                watches.made(kind, () -> publish(model.migrationGone(gone.uid(), gone.version()))));
            }
        }
    }

    /** The VMs that are objects of their own. */
    private List<ModelVmObject> separate() {
        return world.api().vms().stream().filter(vm -> !vm.isPod()).toList();
    }

    private static <T> List<T> known(Collection<T> all) {
        return new ArrayList<>(all);
    }

    public void listSooner() {
        list();
    }

    private void relist() {
        if (!rarely || world.faults().ceased()) {
            list();
        }
        world.time().in(RELIST, this::relist);
    }

    private void list() {
        if (fullList) {
            again = true;
            return;
        }
        fullList = true;
        marking.look();
        new Reading(life).nodes();
    }

    /** One full list that is being read; if a page is lost, the list is read again. */
    private final class Reading {
        private final int mine;
        private final FullListStart start = loading.begin();
        private FullList.Part<NodeObserved> nodes;
        private FullList.Part<PodObserved> pods;
        private FullList.Part<VmObserved> vms;

        private Reading(int mine) {
            this.mine = mine;
        }

        private void page(Runnable read) {
            boolean slow = chance.oneIn(8) && world.faults().happens(chance, chance.drawn(), "slow page");
            boolean lost = chance.oneIn(12) && world.faults().happens(chance, chance.drawn(), "lost page");
            world.time().in(1 + chance.below(slow ? SLOW_PAGE : PAGE), () -> {
                if (mine != life) {
                    return;
                }
                if (lost) {
                    world.time().in(chance.below(RETRY), ClusterPart.this::retry);
                } else {
                    read.run();
                }
            });
        }

        private void nodes() {
            page(() -> {
                nodes = new FullList.Part<>(
                        world.api().version(),
                        world.api().nodes().stream()
                                .map(NodeObject::observation)
                                .toList());
                loading.request(nodes.items(), start, () -> page(this::pods));
            });
        }

        private void pods() {
            pods = new FullList.Part<>(
                    world.api().version(),
                    world.api().pods().stream().map(PodObject::observation).toList());
            scaled.beginList();
            world.api().pods().stream().flatMap(pod -> pod.scaled().stream()).forEach(pod -> scaled.listed(pod.json()));
            page(this::vms);
        }

        private void vms() {
            vms = new FullList.Part<>(
                    world.api().version(),
                    separate().stream().map(ModelVmObject::observation).toList());
            marking.migrationsRequested();
            page(this::moves);
        }

        private void moves() {
            var moves = new FullList.Part<>(
                    world.api().version(),
                    world.api().moves().stream().map(MoveObject::observation).toList());
            var whole = FullList.of(nodes, pods, vms, Optional.of(moves));
            long travels = 1 + chance.below(PAGE);
            world.time().in(travels, () -> {
                if (mine == life) {
                    listed(whole, start);
                }
            });
        }
    }

    private void retry() {
        fullList = false;
        list();
    }

    private void listed(FullList found, FullListStart start) {
        int mine = life;
        world.time().in(BETWEEN, () -> {
            if (mine == life) {
                fullList = false;
                if (again) {
                    again = false;
                    list();
                }
            }
        });
        loading.announce(found);
        publish(model.listed(found));
        report(scaled.listed(found.pods().version()));
        marking.listed(found);
        marking.whenQuiet(() -> {
            if (mine == life && loading.isNewest(found)) {
                var loads = model.loads(found).stream().map(scaled::completed).toList();
                loading.load(loads, start, () -> {
                    sink.listed(found.published().migrations());
                    marking.repeat(model.moving());
                });
            }
        });
    }

    /** The VM that runs in a pod, as far as it was observed here. */
    Optional<VmObserved> vmInPod(String pod) {
        return scaled.find(pod).or(() -> model.vmInPod(pod));
    }
}
