package io.sluice.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.messages.cluster.RelistRequest;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.SnapshotRequest;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class TapTest {
    private static final SnapshotRequest REQUEST = new SnapshotRequest("n1");
    private static final Snapshot ANSWER = new Snapshot(List.of());

    private final BlockingQueue<Tap.Passage> passed = new LinkedBlockingQueue<>();
    private Bus bus;

    @BeforeEach
    void openABus(Vertx vertx) {
        bus = new Bus(vertx);
    }

    @Test
    void showsARequestAndItsReplyOnBothSides() throws Exception {
        bus.serve(LedgerAddresses.SNAPSHOT, request -> Future.succeededFuture(ANSWER))
                .await();
        bus.tap().listen(passed::add);

        bus.request(LedgerAddresses.SNAPSHOT, REQUEST).await();

        assertThat(next(4))
                .extracting(TapTest::words)
                .containsExactly("REQUEST OUT", "REQUEST IN", "REPLY OUT", "REPLY IN");
    }

    @Test
    void reportsSizeAndLatencyOfAReply() throws Exception {
        bus.serve(LedgerAddresses.SNAPSHOT, request -> Future.succeededFuture(ANSWER))
                .await();
        bus.tap().listen(passed::add);

        bus.request(LedgerAddresses.SNAPSHOT, REQUEST).await();

        var all = next(4);
        assertThat(all.getFirst().message()).contains(REQUEST);
        assertThat(all.getFirst().bytes())
                .isEqualTo(LedgerAddresses.SNAPSHOT.request().encode(REQUEST).length());
        assertThat(all.getFirst().latencyNanos()).isEmpty();
        assertThat(all.getLast().message()).contains(ANSWER);
        assertThat(all.getLast().latencyNanos())
                .hasValueSatisfying(nanos -> assertThat(nanos).isPositive());
    }

    @Test
    void showsThatThereWasNoAnswerAndWhy() throws Exception {
        bus.serve(LedgerAddresses.SNAPSHOT, request -> Future.failedFuture("the ledger is on fire"))
                .await();
        bus.tap().listen(passed::add);

        bus.request(LedgerAddresses.SNAPSHOT, REQUEST).otherwise(ANSWER).await();

        var last = next(4).getLast();
        assertThat(last.message()).isEmpty();
        assertThat(last.bytes()).isZero();
        assertThat(last.failure()).hasValueSatisfying(why -> assertThat(why).contains("on fire"));
    }

    @Test
    void showsAnEventOnceOutAndOnceForEachReceiver() throws Exception {
        bus.subscribe(ClusterAddresses.RELIST_WANTED, received -> {}).await();
        bus.subscribe(ClusterAddresses.RELIST_WANTED, received -> {}).await();
        bus.tap().listen(passed::add);

        bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest("test"));

        assertThat(next(3)).extracting(TapTest::words).containsExactly("EVENT OUT", "EVENT IN", "EVENT IN");
    }

    @Test
    void isOneForAllBusesOfAVertx(Vertx vertx) throws Exception {
        bus.tap().listen(passed::add);

        new Bus(vertx).publish(ClusterAddresses.RELIST_WANTED, new RelistRequest("test"));

        assertThat(next(1)).extracting(TapTest::words).containsExactly("EVENT OUT");
    }

    @Test
    void showsNothingOnceClosed() throws Exception {
        var later = new LinkedBlockingQueue<Tap.Passage>();
        bus.tap().listen(passed::add).close();
        bus.tap().listen(later::add);

        bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest("test"));

        later.take();
        assertThat(passed).isEmpty();
    }

    @Test
    void aListenerThatThrowsIsNotCalledAgainAndStopsNoMessage() throws Exception {
        var calls = new ArrayList<Tap.Passage>();
        bus.tap().listen(passage -> {
            calls.add(passage);
            throw new IllegalStateException("full");
        });
        bus.tap().listen(passed::add);

        bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest("one"));
        bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest("two"));

        assertThat(next(2)).hasSize(2);
        assertThat(calls).hasSize(1);
    }

    @Test
    void refusesMoreListenersThanItsBound() {
        for (int i = 0; i < Tap.LISTENERS_MAX; i++) {
            bus.tap().listen(passed::add);
        }

        assertThatThrownBy(() -> bus.tap().listen(passed::add)).isInstanceOf(IllegalStateException.class);
    }

    private List<Tap.Passage> next(int count) throws InterruptedException {
        var all = new ArrayList<Tap.Passage>();
        for (int i = 0; i < count; i++) {
            all.add(passed.take());
        }
        return all;
    }

    private static String words(Tap.Passage passage) {
        return passage.kind() + " " + passage.direction();
    }
}
