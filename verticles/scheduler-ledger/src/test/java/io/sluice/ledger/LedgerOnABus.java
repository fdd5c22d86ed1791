package io.sluice.ledger;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.RequestAddress;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.store.LedgerStore;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/** A ledger verticle on a real local bus, with a clock that stands still and one VM on one node. */
final class LedgerOnABus {
    static final Resources UNIT = new Resources(250, 1024);
    static final Resources SMALL = new Resources(1000, 4096);
    static final Resources NODE_SIZE = new Resources(10_000, 1 << 20);
    static final long LISTED = 3;
    static final long FIRST_SESSION = LISTED + 1;
    private static final Duration REPLY_MAX = Duration.ofMinutes(1);

    final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    final Shell shell = new Shell(now::get, meters, new Readiness(), new Random(1));
    final Vertx vertx;
    final Bus bus;
    private final BlockingQueue<NodeLedgerView> changes = new LinkedBlockingQueue<>();
    int changesObserved;

    LedgerOnABus(Vertx vertx) {
        this.vertx = vertx;
        bus = new Bus(vertx);
        bus.subscribe(LedgerAddresses.NODE_CHANGED, changes::add).await();
    }

    LedgerVerticle deploy() {
        var verticle = new LedgerVerticle(LedgerConfig.DEFAULTS, shell);
        vertx.deployVerticle(verticle).await();
        return verticle;
    }

    LedgerVerticle deployBroken() {
        var verticle = new LedgerVerticle(LedgerConfig.DEFAULTS, new BrokenStore(), shell);
        vertx.deployVerticle(verticle).await();
        return verticle;
    }

    /** A busy machine may take longer to reply than a client of the ledger waits. */
    <Q, A> Future<A> request(RequestAddress<Q, A> address, Q request) {
        var patient = new RequestAddress<>(
                address.name(), address.request(), address.answer(), REPLY_MAX, address.maxInFlight());
        return bus.request(patient, request);
    }

    LoadReply load() {
        return request(LedgerAddresses.LOAD_NODE, fullList().relist(relist())).await();
    }

    /** The incarnation that a list has to name if it is requested from now on. */
    long relist() {
        return request(LedgerAddresses.LOAD_NODE, LoadNode.ahead(new NodeObserved("n", 1, NODE_SIZE)))
                .await()
                .relist()
                .orElseThrow();
    }

    static LoadNode fullList() {
        return new LoadNode(new NodeObserved("n", 1, NODE_SIZE), LISTED, List.of(pod(2)), List.of(vm(3)));
    }

    static PodObserved pod(long version) {
        return new PodObserved("vm", "ns", "vm-pod", "n", "vm", version, SMALL, 0);
    }

    static VmObserved vm(long version) {
        return vm(version, "vm");
    }

    static VmObserved vm(long version, String pod) {
        return new VmObserved(
                new VmId("neonvm", "ns", "vm", "vm-uid"),
                version,
                pod,
                "vm-pod",
                "n",
                VmPhase.RUNNING,
                true,
                true,
                false,
                new VmSizes(UNIT, SMALL.times(4), SMALL, Optional.empty(), 1024),
                Overcommit.OFF,
                ScalingOverrides.NONE,
                Optional.empty(),
                Optional.empty(),
                "",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                VmTraits.NONE);
    }

    NodeLedgerView awaitChange(Predicate<NodeLedgerView> condition) throws InterruptedException {
        while (true) {
            var ledger = changes.take();
            changesObserved++;
            if (condition.test(ledger)) {
                return ledger;
            }
        }
    }

    private static final class BrokenStore implements LedgerStore {
        private static <T> Future<T> failed() {
            return Future.failedFuture(new IllegalStateException("no majority"));
        }

        @Override
        public <A> Future<A> run(String node, LedgerCommand<A> command) {
            return failed();
        }

        @Override
        public Future<Void> rule(LedgerRules rules) {
            return failed();
        }

        @Override
        public Future<Optional<NodeState>> read(String node) {
            return failed();
        }

        @Override
        public Future<List<String>> nodes() {
            return failed();
        }

        @Override
        public Future<List<String>> kept() {
            return failed();
        }

        @Override
        public void watch(Watcher watcher) {}
    }
}
