package io.sluice.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.NodeState;
import io.sluice.ledger.core.Outcome;
import io.sluice.ledger.store.LedgerStore;
import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.NodeSeen;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodSeen;
import io.sluice.messages.cluster.ResyncWanted;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSeen;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.messages.ledger.NodeBooks;
import io.sluice.messages.ledger.NotReadyCause;
import io.sluice.messages.ledger.OpenReply;
import io.sluice.messages.ledger.OpenSession;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.messages.ledger.Settle;
import io.sluice.messages.ledger.SettleReply;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.SnapshotRequest;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The verticle on a real local bus: each address once as it should go, and once as it should fail. */
class LedgerVerticleTest {
    private static final Resources UNIT = new Resources(250, 1024);
    private static final Resources SMALL = new Resources(1000, 4096);
    private static final Resources LARGE = new Resources(2000, 8192);
    private static final Resources NODE_SIZE = new Resources(10_000, 1 << 20);

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Shell shell = new Shell(now::get, meters, new Readiness(), new Random(1));
    private final BlockingQueue<NodeBooks> changes = new LinkedBlockingQueue<>();
    private final BlockingQueue<ResyncWanted> resyncs = new LinkedBlockingQueue<>();
    private int changesSeen;
    private Vertx vertx;
    private Bus bus;

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
        bus = new Bus(vertx);
        get(bus.subscribe(LedgerAddresses.NODE_CHANGED, changes::add));
        get(bus.subscribe(ClusterAddresses.RESYNC_WANTED, resyncs::add));
    }

    @AfterEach
    void stop() {
        get(vertx.close());
    }

    @Test
    void grantsOverTheBusWhatTheNodeHas() throws InterruptedException {
        deploy();
        assertThat(resyncs.poll(5, TimeUnit.SECONDS)).isEqualTo(new ResyncWanted("ledger"));
        assertThat(shell.readiness().isReady()).isTrue();

        assertThat(load()).isEqualTo(new LoadReply(1, 1));
        assertThat(get(bus.request(LedgerAddresses.OPEN, new OpenSession("n", "vm", "runner", 0))))
                .isEqualTo(new OpenReply.Opened(1, SMALL, true));
        var ruled = (PermitReply.Ruled) get(bus.request(LedgerAddresses.PERMIT, question()));
        assertThat(ruled.permit()).isEqualTo(LARGE);
        assertThat(ruled.validFor()).isEqualTo(Duration.ofSeconds(10));

        var books = get(bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest("")));
        assertThat(books.nodes()).singleElement().satisfies(node -> {
            assertThat(node.reserved()).isEqualTo(LARGE);
            assertThat(node.members())
                    .singleElement()
                    .satisfies(member -> assertThat(member.seq()).isEqualTo(1));
        });
        assertThat(meters.counter("sluice.ledger.permits", "kind", "cpu", "verdict", "noted")
                        .count())
                .as("two of its maximum of four: less than was booked")
                .isEqualTo(1);
        assertThat(meters.get("sluice.ledger.reserved.cpu.cores")
                        .tag("node", "n")
                        .gauge()
                        .value())
                .isEqualTo(2);
    }

    @Test
    void anAnswerThatWasLostIsGivenAgain() {
        deploy();
        load();
        get(bus.request(LedgerAddresses.OPEN, new OpenSession("n", "vm", "runner", 0)));

        var first = get(bus.request(LedgerAddresses.PERMIT, question()));

        assertThat(get(bus.request(LedgerAddresses.PERMIT, question()))).isEqualTo(first);
        assertThat(get(bus.request(LedgerAddresses.OPEN, new OpenSession("n", "vm", "runner", 0))))
                .isEqualTo(new OpenReply.Opened(1, LARGE, false));
        assertThat(load()).isEqualTo(new LoadReply(1, 0));
    }

    @Test
    void beforeAListingNobodyIsGrantedAnything() {
        deploy();
        assertThat(get(bus.request(LedgerAddresses.PERMIT, question())))
                .isEqualTo(new PermitReply.NotReady(NotReadyCause.NODE_UNKNOWN, Duration.ofSeconds(1)));
        assertThat(get(bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest("n"))))
                .isEqualTo(new Snapshot(List.of()));
    }

    @Test
    void settlesARecoveredMemberOnceItIsTime() {
        deploy();
        load();
        var settle = new Settle("n", "vm", SMALL);
        assertThat(get(bus.request(LedgerAddresses.SETTLE, settle)))
                .isEqualTo(new SettleReply.TooEarly(Duration.ofSeconds(11)));

        now.set(Instant.EPOCH.plusSeconds(11));

        assertThat(get(bus.request(LedgerAddresses.SETTLE, settle))).isEqualTo(new SettleReply.Settled(SMALL));
        assertThat(get(bus.request(LedgerAddresses.SETTLE, settle)))
                .as("the answer was lost and asked for again")
                .isEqualTo(new SettleReply.NotRecovered());
    }

    @Test
    void followsFactsAndSaysSo() throws InterruptedException {
        deploy();
        bus.publish(ClusterAddresses.NODE_SEEN, new NodeSeen("n", 1, NODE_SIZE));
        bus.publish(ClusterAddresses.POD_SEEN, pod(2));
        bus.publish(ClusterAddresses.VM_SEEN, vm(3));
        awaitChange(books -> books.reserved().equals(SMALL.times(4)) && !books.complete());

        bus.publish(ClusterAddresses.POD_GONE, new PodGone("vm", "n", 4));
        awaitChange(books -> books.reserved().equals(Resources.NONE));
        bus.publish(ClusterAddresses.NODE_GONE, new NodeGone("n", 5));
        awaitChange(books -> books.total().equals(Resources.NONE));
    }

    @Test
    void saysManyChangesInFewEventsAndTheLastAlways() throws InterruptedException {
        deploy();
        for (int i = 1; i <= 1000; i++) {
            bus.publish(ClusterAddresses.POD_SEEN, new PodSeen("p", "ns", "p", "n", "", i, new Resources(i, 1), 0));
        }

        var last = awaitChange(books -> books.reserved().milliCpu() == 1000);

        assertThat(last.members()).isEmpty();
        assertThat(changesSeen).isLessThan(20);
    }

    @Test
    void anEmptyNodeThatIsGoneLeavesNoMetricBehind() throws InterruptedException {
        deploy();
        bus.publish(ClusterAddresses.NODE_SEEN, new NodeSeen("n", 1, NODE_SIZE));
        bus.publish(ClusterAddresses.NODE_GONE, new NodeGone("n", 2));
        awaitChange(books -> books.total().equals(Resources.NONE));
        now.set(Instant.EPOCH.plus(Duration.ofHours(1)));

        var deadline = Instant.now().plusSeconds(10);
        while (meters.find("sluice.ledger.total.cpu.cores").gauge() != null) {
            assertThat(Instant.now()).isBefore(deadline);
            changes.poll(50, TimeUnit.MILLISECONDS);
        }
        assertThat(get(bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest("")))
                        .nodes())
                .isEmpty();
    }

    @Test
    void aStoreThatFailsIsAFailureToEveryAsker() {
        get(vertx.deployVerticle(new LedgerVerticle(new BrokenStore(), shell)));

        assertFails(bus.request(LedgerAddresses.OPEN, new OpenSession("n", "vm", "runner", 0)));
        assertFails(bus.request(LedgerAddresses.PERMIT, question()));
        assertFails(bus.request(LedgerAddresses.LOAD_NODE, listing()));
        assertFails(bus.request(LedgerAddresses.SETTLE, new Settle("n", "vm", SMALL)));
        assertFails(bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest("")));
    }

    private static void assertFails(Future<?> answer) {
        assertThatThrownBy(() -> get(answer)).hasStackTraceContaining("no majority");
    }

    private void deploy() {
        get(vertx.deployVerticle(new LedgerVerticle(LedgerConfig.DEFAULTS, shell)));
    }

    private LoadReply load() {
        return get(bus.request(LedgerAddresses.LOAD_NODE, listing()));
    }

    private static LoadNode listing() {
        return new LoadNode(new NodeSeen("n", 1, NODE_SIZE), 3, List.of(pod(2)), List.of(vm(3)));
    }

    private static PodSeen pod(long version) {
        return new PodSeen("vm", "ns", "vm-pod", "n", "vm", version, SMALL, 0);
    }

    private static VmSeen vm(long version) {
        return new VmSeen(
                new VmId("neonvm", "ns", "vm", "vm-uid"),
                version,
                "vm",
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
                Optional.empty());
    }

    private static PermitRequest question() {
        return new PermitRequest("n", "vm", "runner", 1, 1, UNIT, LARGE, Optional.empty(), Optional.empty());
    }

    private NodeBooks awaitChange(Predicate<NodeBooks> wanted) throws InterruptedException {
        while (true) {
            var books = changes.poll(10, TimeUnit.SECONDS);
            assertThat(books).as("a change was expected within 10 s").isNotNull();
            changesSeen++;
            if (wanted.test(books)) {
                return books;
            }
        }
    }

    private static <T> T get(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
        } catch (Exception failed) {
            throw new AssertionError("no answer", failed);
        }
    }

    private static final class BrokenStore implements LedgerStore {
        private static <T> Future<T> failed() {
            return Future.failedFuture(new IllegalStateException("no majority"));
        }

        @Override
        public <A> Future<Outcome<A>> run(String node, LedgerCommand<A> command) {
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
    }
}
