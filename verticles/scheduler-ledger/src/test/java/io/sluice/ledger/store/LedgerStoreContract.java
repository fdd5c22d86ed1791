package io.sluice.ledger.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.core.InvariantChecks;
import io.sluice.ledger.core.LastPermitTrust;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.core.ObservationReply;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.permit.NotReadyCause;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.shell.Portions;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of every store. */
public abstract class LedgerStoreContract {
    private static final Resources SIZE = new Resources(1000, 1000);
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private LedgerStore store;

    /** A new store that runs commands with this ledger at the instants of this clock. */
    protected abstract LedgerStore store(NodeLedger ledger, InstantSource clock);

    @BeforeEach
    void open() {
        store = store(new NodeLedger(rules(0.9)), now::get);
    }

    private static LedgerRules rules(double watermark) {
        return new LedgerRules(
                Duration.ofSeconds(10), watermark, Portions.NOTHING, LastPermitTrust.RECOVERY, InvariantChecks.WHOLE);
    }

    @Test
    void keepsWhatACommandLedTo() {
        var reply = run("one", new LedgerCommand.ObserveNode(new NodeObserved("one", 1, SIZE)));

        assertThat(reply).isEqualTo(ObservationReply.TAKEN);
        assertThat(store.read("one").await().orElseThrow().size().total()).isEqualTo(SIZE);
        assertThat(store.nodes().await()).containsExactly("one");
        assertThat(store.kept().await()).containsExactly("one");
    }

    @Test
    void runsEachCommandOnWhatTheOneBeforeLeft() {
        for (int i = 1; i <= 50; i++) {
            run("one", new LedgerCommand.ObservePod(pod("pod-" + i, "one", i)));
        }

        var state = store.read("one").await().orElseThrow();
        assertThat(state.reservations().size()).isEqualTo(50);
        assertThat(state.sums().reserved()).isEqualTo(new Resources(50, 50));
    }

    @Test
    void keepsNodesApart() {
        run("two", new LedgerCommand.ObservePod(pod("p", "two", 1)));
        run("one", new LedgerCommand.ObservePod(pod("p", "one", 1)));

        assertThat(store.nodes().await()).containsExactly("one", "two");
        assertThat(store.read("one").await().orElseThrow().node()).isEqualTo("one");
    }

    @Test
    void keepsNothingOfANodeThatWasOnlyRequested() {
        var reply = run("none", new LedgerCommand.Open(new OpenSession("none", "m", "r", 0)));

        assertThat(reply).isEqualTo(new OpenReply.NotReady(NotReadyCause.NODE_UNKNOWN, Duration.ofSeconds(1)));
        assertThat(store.nodes().await()).isEmpty();
        assertThat(store.read("none").await()).isEmpty();
    }

    @Test
    void keepsTheIncarnationThatItRepliedOfANodeThatIsOtherwiseUnknown() {
        var ahead = new LedgerCommand.Load(LoadNode.ahead(new NodeObserved("one", 1, SIZE)));

        var first = run("one", ahead);
        var another = run("two", new LedgerCommand.Load(LoadNode.ahead(new NodeObserved("two", 1, SIZE))));

        assertThat(first.relist()).isPresent().isNotEqualTo(another.relist());
        assertThat(run("one", ahead)).isEqualTo(first);
        assertThat(store.read("one").await().orElseThrow().fullList().incarnation())
                .isEqualTo(first.relist());
        assertThat(run("one", new LedgerCommand.Open(new OpenSession("one", "m", "r", 0))))
                .isEqualTo(new OpenReply.NotReady(NotReadyCause.NODE_UNKNOWN, Duration.ofSeconds(1)));
    }

    @Test
    void forgetsWhatTheLedgerForgets() {
        run("one", new LedgerCommand.ObserveNode(new NodeObserved("one", 1, SIZE)));
        run("one", new LedgerCommand.LoseNode(new NodeGone("one", 2)));
        now.set(Instant.EPOCH.plus(Duration.ofHours(1)));
        run("one", new LedgerCommand.Tick());

        assertThat(store.nodes().await()).isEmpty();
    }

    @Test
    void runsCommandsByTheRulesItWasGivenLast() {
        run("one", new LedgerCommand.ObserveNode(new NodeObserved("one", 1, SIZE)));
        assertThat(watermark("one")).isEqualTo(new Resources(900, 900));

        store.rule(rules(0.5)).await();

        assertThat(watermark("one")).as("the state stays as it is").isEqualTo(new Resources(900, 900));
        assertThat(run("one", new LedgerCommand.Reweigh())).isTrue();
        assertThat(watermark("one")).isEqualTo(new Resources(500, 500));
        run("two", new LedgerCommand.ObserveNode(new NodeObserved("two", 1, SIZE)));
        assertThat(watermark("two")).isEqualTo(new Resources(500, 500));
    }

    private Resources watermark(String node) {
        return store.read(node).await().orElseThrow().size().watermark();
    }

    @Test
    void aStateThatWasReadNeverChanges() {
        run("one", new LedgerCommand.ObservePod(pod("p", "one", 1)));
        Optional<NodeState> before = store.read("one").await();
        run("one", new LedgerCommand.ObservePod(pod("q", "one", 2)));

        assertThat(before.orElseThrow().reservations().size()).isEqualTo(1);
    }

    @Test
    void reportsEachCommandInTheirOrder() {
        var reported = new LinkedBlockingQueue<Integer>();
        store.watch((after, notices) -> reported.add(after.reservations().size()));
        for (int i = 1; i <= 3; i++) {
            run("one", new LedgerCommand.ObservePod(pod("pod-" + i, "one", i)));
        }

        assertThat(reported).containsExactly(1, 2, 3);
    }

    @Test
    void repliesToEachOfManyRequestsAtOnce() {
        var replies = new ArrayList<Future<ObservationReply>>();
        for (int i = 1; i <= 1000; i++) {
            replies.add(store.run("one", new LedgerCommand.ObservePod(pod("pod-" + i % 100, "one", i / 100 + 1))));
        }

        assertThat(replies.stream().map(reply -> reply.await()).filter(ObservationReply.TAKEN::equals))
                .hasSizeGreaterThanOrEqualTo(100);
        assertThat(store.read("one").await().orElseThrow().reservations().size())
                .isEqualTo(100);
    }

    private static PodObserved pod(String uid, String node, long version) {
        return new PodObserved(uid, "ns", uid, node, "", version, new Resources(1, 1), 0);
    }

    private <A> A run(String node, LedgerCommand<A> command) {
        return store.run(node, command).await();
    }
}
