package io.sluice.pressure;

import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PressureAddresses;
import io.sluice.bus.RequestAddress;
import io.sluice.bus.VmAddresses;
import io.sluice.messages.cluster.FullListPublished;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.messages.vm.EndMigration;
import io.sluice.messages.vm.EndReply;
import io.sluice.messages.vm.MigrateReply;
import io.sluice.messages.vm.MigrateVm;
import io.sluice.shell.Peers;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.awaitility.core.ThrowingRunnable;

/** A real local bus with a fake ledger and a fake driver, and a clock that stands still unless the test advances it. */
final class Stage {
    final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH.plus(Duration.ofDays(20_000)));
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    final Shell shell = new Shell(now::get, meters, new Readiness(), new Random(1));
    final Map<String, NodeLedgerView> ledger = new ConcurrentSkipListMap<>();
    final Queue<PressureDecision> decisions = new ConcurrentLinkedQueue<>();
    final Queue<RelistRequest> relists = new ConcurrentLinkedQueue<>();
    final Queue<Object> requests = new ConcurrentLinkedQueue<>();
    final Map<Class<?>, Integer> failing = new ConcurrentHashMap<>();
    volatile Function<HoldRoom, HoldReply> hold = request -> new HoldReply.Held(request.ttl());
    volatile Function<MarkMigrating, MarkReply> mark = request -> new MarkReply.Marked(Given.cpu(2_000));
    volatile Function<UnmarkMigrating, MarkReply> unmark = request -> new MarkReply.Unmarked(Given.cpu(2_000));
    volatile Function<MigrateVm, MigrateReply> migrate =
            request -> new MigrateReply.Begun("object-" + request.vm().name(), 1);
    volatile Function<EndMigration, EndReply> end = request -> new EndReply.Ended();
    private final Vertx vertx;
    final Bus bus;

    Stage(Vertx vertx) {
        this.vertx = vertx;
        bus = new Bus(vertx);
        show(Given.node("n1"));
        show(Given.node("n2"));
        bus.subscribe(PressureAddresses.DECISION, decisions::add).await();
        bus.subscribe(ClusterAddresses.RELIST_WANTED, relists::add).await();
        bus.serve(
                        LedgerAddresses.SNAPSHOT,
                        request -> Future.succeededFuture(new Snapshot(ledger.values().stream()
                                .filter(each -> request.node().isEmpty()
                                        || request.node().equals(each.node()))
                                .toList())))
                .await();
        serve(LedgerAddresses.HOLD, this::held);
        serve(LedgerAddresses.RELEASE, (ReleaseHold request) -> new HoldReply.Released());
        serve(LedgerAddresses.MARK, request -> mark.apply(request));
        serve(LedgerAddresses.UNMARK, request -> unmark.apply(request));
        serve(VmAddresses.MIGRATE, request -> migrate.apply(request));
        serve(VmAddresses.END_MIGRATION, request -> end.apply(request));
    }

    private <Q, A> void serve(RequestAddress<Q, A> address, Function<Q, A> answer) {
        bus.serve(address, request -> {
                    requests.add(request);
                    if (failing.merge(request.getClass(), -1, Integer::sum) >= 0) {
                        return Future.failedFuture(new IllegalStateException("lost on purpose"));
                    }
                    return Future.succeededFuture(answer.apply(request));
                })
                .await();
    }

    private HoldReply held(HoldRoom request) {
        var reply = hold.apply(request);
        if (reply instanceof HoldReply.Held) {
            var room = Given.reservation(request.holder(), request.amounts().milliCpu())
                    .held()
                    .ledger();
            var others = ledger.get(request.node()).reservations();
            show(Given.node(
                    request.node(),
                    Stream.concat(others.stream(), Stream.of(room)).toArray(ReservationView[]::new)));
        }
        return reply;
    }

    /** The next requests of that type get no reply. */
    void lose(Class<?> kind, int times) {
        failing.put(kind, times);
    }

    PressureVerticle deploy(PressureConfig config) {
        var verticle = new PressureVerticle(config, shell);
        vertx.deployVerticle(verticle).await();
        return verticle;
    }

    /** Another process, with metrics of its own. */
    Shell shell(Peers peers) {
        return new Shell(now::get, new SimpleMeterRegistry(), new Readiness(), new Random(1)).among(peers);
    }

    String deploy(Shell process) {
        return vertx.deployVerticle(new PressureVerticle(PressureConfig.DEFAULTS, process))
                .await();
    }

    void undeploy(String deployed) {
        vertx.undeploy(deployed).await();
    }

    /** Publishes that a full list is complete. */
    void listed() {
        bus.publish(ClusterAddresses.LISTED, new FullListPublished(2, 1, 1));
    }

    /** Sets the ledger of a node and publishes its change. */
    void pressed(NodeLedgerView full) {
        show(full);
        bus.publish(LedgerAddresses.NODE_CHANGED, Given.withoutMembers(full));
    }

    void show(NodeLedgerView shown) {
        ledger.put(shown.node(), shown);
    }

    void later(Duration passed) {
        now.updateAndGet(instant -> instant.plus(passed));
    }

    boolean requested(Class<?> kind) {
        return requests.stream().anyMatch(kind::isInstance);
    }

    <Q> Q request(Class<Q> kind) {
        until(() -> {
            if (!requested(kind)) {
                throw new AssertionError("no " + kind.getSimpleName() + " among " + requests);
            }
        });
        return requests.stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .findFirst()
                .orElseThrow();
    }

    PressureDecision decision(PressureDecision.Kind kind) {
        until(() -> {
            if (decisions.stream().noneMatch(decision -> decision.kind() == kind)) {
                throw new AssertionError("no " + kind + " among " + decisions);
            }
        });
        return decisions.stream()
                .filter(decision -> decision.kind() == kind)
                .findFirst()
                .orElseThrow();
    }

    double counter(String name, String tag, String value) {
        return meters.get("sluice.pressure." + name).tag(tag, value).counter().count();
    }

    double gauge(String name) {
        return meters.get("sluice.pressure." + name).gauge().value();
    }

    static void until(ThrowingRunnable holds) {
        await().atMost(20, TimeUnit.SECONDS).untilAsserted(holds);
    }
}
