package io.sluice.placement.scheduler;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.VmAddresses;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.SchedulingChange;
import io.sluice.messages.cluster.SchedulingChange.Kind;
import io.sluice.messages.cluster.SchedulingChange.Observed;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.KeepReply;
import io.sluice.messages.ledger.KeepRoom;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.placement.PlacePod;
import io.sluice.messages.placement.PlaceReply;
import io.sluice.messages.vm.BindPod;
import io.sluice.messages.vm.EvictPod;
import io.sluice.messages.vm.EvictReply;
import io.sluice.messages.vm.PodBinding;
import io.sluice.messages.vm.TouchPod;
import io.sluice.messages.vm.UnschedulablePod;
import io.sluice.placement.PlacementConfig;
import io.sluice.placement.core.Given;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.shell.SoleTerm;
import io.sluice.shell.load.LoadPolicy;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** The own scheduler on a real bus, before a ledger, a placement and a driver that reply what a test sets. */
@ExtendWith(VertxExtension.class)
abstract class SchedulerOnABus {
    static final PlacementConfig CONFIG = new PlacementConfig(LoadPolicy.RESERVED, 0.5, 0.8, 0, "own", true, false);
    static final String PORT = ",\"hostPorts\":[{\"hostPort\":80}]";

    static final String CLAIM = "\"namespace\":\"ns\",\"name\":\"data\",\"uid\":\"u\",\"storageClassName\":\"made\"";

    final List<PlacePod> placed = new CopyOnWriteArrayList<>();
    final List<UnschedulablePod> reported = new CopyOnWriteArrayList<>();
    volatile Function<PlacePod, Future<PlaceReply>> onPlace =
            request -> Future.succeededFuture(new PlaceReply.Placed());
    final List<String> evicted = new CopyOnWriteArrayList<>();
    final List<String> nominated = new CopyOnWriteArrayList<>();
    volatile EvictReply onEvict = new EvictReply.Evicted();
    volatile Function<EvictPod, Future<EvictReply>> evicts = eviction -> Future.succeededFuture(onEvict);
    volatile Snapshot ledger = new Snapshot(List.of(Given.node("a", 10, 0), Given.node("b", 10, 2)));
    volatile Supplier<Future<Snapshot>> onSnapshot = () -> Future.succeededFuture(ledger);
    volatile Function<HoldRoom, Future<HoldReply>> onHold =
            hold -> Future.succeededFuture(new HoldReply.Held(Duration.ofSeconds(1)));
    volatile Function<TouchPod, PodBinding> onTouch = touch -> new PodBinding.Unbound();
    volatile Supplier<PodBinding> onReport = PodBinding.Unbound::new;
    final List<String> held = new CopyOnWriteArrayList<>();
    final List<String> attempts = new CopyOnWriteArrayList<>();
    final List<KeepRoom> kept = new CopyOnWriteArrayList<>();
    final List<String> released = new CopyOnWriteArrayList<>();
    final List<String> touched = new CopyOnWriteArrayList<>();
    volatile List<Observed> listed = List.of();
    volatile Optional<String> missing = Optional.empty();
    volatile long term = 1;
    volatile Duration skipped = Duration.ZERO;
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    Bus bus;
    SchedulerVerticle verticle;

    @BeforeEach
    void start(Vertx vertx) {
        bus = new Bus(vertx);
        Future.all(List.of(
                        bus.serve(LedgerAddresses.SNAPSHOT, request -> onSnapshot.get()),
                        bus.serve(VmAddresses.EVICT_POD, eviction -> {
                            evicted.add(eviction.label() + " for "
                                    + eviction.preemptor().label());
                            return evicts.apply(eviction);
                        }),
                        bus.serve(VmAddresses.NOMINATE_NODE, nomination -> {
                            nominated.add(nomination.name() + " on " + nomination.node());
                            return Future.succeededFuture(new PodBinding.Unbound());
                        }),
                        bus.serve(LedgerAddresses.HOLD, hold -> {
                            held.add(hold.holder());
                            attempts.add(hold.attempt());
                            return onHold.apply(hold);
                        }),
                        bus.serve(LedgerAddresses.KEEP, keep -> Future.succeededFuture(keeps(keep))),
                        bus.serve(LedgerAddresses.RELEASE, release -> {
                            released.add(release.holder());
                            return Future.succeededFuture(new HoldReply.Released());
                        }),
                        bus.serve(VmAddresses.BIND_POD, bind -> {
                            var request = new PlacePod(bind.uid(), bind.namespace(), bind.name(), bind.node());
                            placed.add(request);
                            return onPlace.apply(request).map(reply -> binding(bind, reply));
                        }),
                        bus.serve(VmAddresses.TOUCH_POD, touch -> {
                            touched.add(touch.uid());
                            return Future.succeededFuture(onTouch.apply(touch));
                        }),
                        bus.subscribe(ClusterAddresses.RELIST_WANTED, request -> listAgain()),
                        bus.serve(VmAddresses.REPORT_UNSCHEDULABLE, report -> {
                            reported.add(report);
                            return Future.succeededFuture(onReport.get());
                        })))
                .await();
        deploy(vertx, CONFIG);
    }

    /** As a ledger does it: the node's sums have the room. */
    private KeepReply keeps(KeepRoom request) {
        kept.add(request);
        var room = request.room();
        ledger.nodes().stream()
                .filter(node -> node.node().equals(room.node()))
                .map(node -> request.ttl().isZero() ? node : Given.keeping(node, room))
                .forEach(node -> bus.publish(LedgerAddresses.NODE_CHANGED, node));
        return request.ttl().isZero() ? new KeepReply.Ended() : new KeepReply.Kept(request.ttl());
    }

    private static PodBinding binding(BindPod bind, PlaceReply reply) {
        return switch (reply) {
            case PlaceReply.Placed _ -> new PodBinding.Bound(bind.node());
            case PlaceReply.NotPlaced(var reason) -> new PodBinding.Refused(reason);
            case PlaceReply.InDoubt(var reason) -> new PodBinding.InDoubt(reason);
        };
    }

    void deploy(Vertx vertx, PlacementConfig config) {
        var clock = new MonotonicClock();
        var shell = new Shell(() -> clock.instant().plus(skipped), meters, new Readiness(), new Random(1));
        verticle = new SchedulerVerticle(config, shell, () -> new SoleTerm(term, missing));
        vertx.deployVerticle(verticle).await();
    }

    void publish(SchedulingChange... changes) {
        List.of(changes).forEach(change -> bus.publish(ClusterAddresses.SCHEDULING, change));
    }

    synchronized void list(long number, Observed... objects) {
        listed = List.of(objects);
        publish(new SchedulingChange.ListBegun(number));
        publish(objects);
        publish(new SchedulingChange.Listed(number, objects.length));
    }

    /** The same objects again, under another number. */
    private synchronized void listAgain() {
        if (!listed.isEmpty()) {
            long number = listed.getFirst().list() + 1_000;
            list(
                    number,
                    listed.stream()
                            .map(one -> new Observed(one.kind(), one.key(), one.version(), number, one.fields()))
                            .toArray(Observed[]::new));
        }
    }

    static Observed node(String name, long list) {
        return new Observed(
                Kind.NODE, name, 1, list, "{\"name\":\"" + name + "\",\"allocatable\":{\"cpu\":9000,\"pods\":9}}");
    }

    Observed pod(String uid, String more, long version, long list) {
        return pod(uid, more, version, list, new Resources(100, 100));
    }

    Observed pod(String uid, String more, long version, long list, Resources amounts) {
        bus.publish(ClusterAddresses.POD_PENDING, new PodObserved(uid, "ns", uid, "", "", version, amounts, 0));
        return new Observed(
                Kind.POD,
                uid,
                version,
                list,
                "{\"uid\":\"" + uid + "\",\"namespace\":\"ns\",\"name\":\"" + uid + "\",\"schedulerName\":\"own\""
                        + more + "}");
    }

    void skip(Duration time) {
        skipped = skipped.plus(time);
    }

    double gauge(String name) {
        return meters.get(name).gauge().value();
    }

    double counted(String outcome) {
        return meters.get("sluice.scheduler.attempts")
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    List<String> decided() {
        return placed.stream().map(pod -> pod.uid() + " on " + pod.node()).toList();
    }
}
