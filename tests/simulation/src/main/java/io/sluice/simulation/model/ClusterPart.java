package io.sluice.simulation.model;

import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.neonvm.core.ClusterModel;
import io.sluice.neonvm.core.FullList;
import io.sluice.neonvm.core.FullListStart;
import io.sluice.neonvm.core.Observation;
import io.sluice.simulation.engine.Chance;
import io.sluice.simulation.engine.Seconds;
import io.sluice.simulation.model.Watches.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * The role that tells the others what runs where: the real core behind watches that lag and listings that take time.
 */
final class ClusterPart {
    private static final long RESYNC = Seconds.of(20);
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
    private boolean listing;
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
        world.time().in(RESYNC, this::resync);
    }

    /** The process ends, and another begins that knows nothing. */
    void crash() {
        life++;
        model = new ClusterModel();
        watches.reset();
        loading.reset();
        marking.reset();
        listing = false;
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

    void tell(List<Observation> facts) {
        facts.forEach(sink::tell);
    }

    private void publish(ClusterModel.Step step) {
        tell(step.facts());
        marking.takeBack(step.marksOver());
        marking.ask(step.questions());
    }

    void watched(NodeObject node) {
        var fact = node.fact();
        boolean there = node.there;
        watches.made(Kind.NODES, () -> {
            if (there) {
                tell(model.changed(fact));
                if (!loading.knows(fact.node())) {
                    listSooner();
                }
            } else {
                tell(model.nodeGone(fact.node(), fact.version()));
            }
        });
    }

    void watched(PodObject pod) {
        var fact = pod.fact();
        boolean there = pod.there;
        watches.made(Kind.PODS, () -> {
            if (there) {
                publish(model.changed(fact));
            } else {
                tell(model.podGone(fact.uid(), fact.version()));
            }
        });
    }

    void watched(ModelVmObject vm) {
        var fact = vm.fact();
        boolean there = vm.there;
        watches.made(Kind.VMS, () -> tell(there ? model.changed(fact) : model.vmGone(fact.vm(), fact.version())));
    }

    void watched(MoveObject move) {
        var fact = move.fact();
        boolean there = move.there;
        watches.made(
                Kind.MOVES,
                () -> publish(there ? model.changed(fact) : model.migrationGone(fact.uid(), fact.version())));
    }

    /** What was missed is told as changes; what went meanwhile goes with the version that was last known of it. */
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
                        .forEach(gone -> watches.made(kind, () -> tell(model.nodeGone(gone.node(), gone.version()))));
            }
            case PODS -> {
                world.api().pods().forEach(pod -> {
                    there.add(pod.uid);
                    watched(pod);
                });
                known(model.pods()).stream()
                        .filter(it -> !there.contains(it.uid()))
                        .forEach(gone -> watches.made(kind, () -> tell(model.podGone(gone.uid(), gone.version()))));
            }
            case VMS -> {
                world.api().vms().forEach(vm -> {
                    there.add(vm.id.uid());
                    watched(vm);
                });
                known(model.vms()).stream()
                        .filter(it -> !there.contains(it.vm().uid()))
                        .forEach(gone -> watches.made(kind, () -> tell(model.vmGone(gone.vm(), gone.version()))));
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

    private static <T> List<T> known(Collection<T> all) {
        return new ArrayList<>(all);
    }

    void listSooner() {
        list();
    }

    private void resync() {
        if (!rarely || world.faults().ceased()) {
            list();
        }
        world.time().in(RESYNC, this::resync);
    }

    private void list() {
        if (listing) {
            again = true;
            return;
        }
        listing = true;
        marking.look();
        new Reading(life).nodes();
    }

    /** One listing on its way: a page that is lost loses all of it. */
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
                        world.api().nodes().stream().map(NodeObject::fact).toList());
                loading.ask(nodes.items(), start, () -> page(this::pods));
            });
        }

        private void pods() {
            pods = new FullList.Part<>(
                    world.api().version(),
                    world.api().pods().stream().map(PodObject::fact).toList());
            page(this::vms);
        }

        private void vms() {
            vms = new FullList.Part<>(
                    world.api().version(),
                    world.api().vms().stream().map(ModelVmObject::fact).toList());
            marking.migrationsAsked();
            page(this::moves);
        }

        private void moves() {
            var moves = new FullList.Part<>(
                    world.api().version(),
                    world.api().moves().stream().map(MoveObject::fact).toList());
            var whole = new FullList(nodes, pods, vms, Optional.of(moves));
            long travels = 1 + chance.below(PAGE);
            world.time().in(travels, () -> {
                if (mine == life) {
                    listed(whole, start);
                }
            });
        }
    }

    private void retry() {
        listing = false;
        list();
    }

    private void listed(FullList found, FullListStart start) {
        int mine = life;
        world.time().in(BETWEEN, () -> {
            if (mine == life) {
                listing = false;
                if (again) {
                    again = false;
                    list();
                }
            }
        });
        loading.announce(found);
        publish(model.listed(found));
        marking.listed(found);
        marking.whenQuiet(() -> {
            if (mine == life && loading.isNewest(found)) {
                loading.load(model.loads(found), start, () -> {
                    sink.listed(found.told().migrations());
                    marking.repeat(model.moving());
                });
            }
        });
    }

    /** The VM that runs in a pod, as far as that is known here. */
    Optional<VmObserved> vmInPod(String pod) {
        return model.vmInPod(pod);
    }
}
