package io.sluice.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.messages.ledger.SnapshotRequest;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Uses a real local event bus. Where a failure must be fast, the request's timeout is longer than the test's. */
@ExtendWith(VertxExtension.class)
class BusTest {
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final SnapshotRequest REQUEST = new SnapshotRequest("n1");
    private static final LoadReply ANSWER = new LoadReply(3, 1);
    private static final NodeGone EVENT = new NodeGone("n1", 7);

    private Vertx vertx;
    private Bus bus;

    @BeforeEach
    void openBus(Vertx running) {
        vertx = running;
        bus = new Bus(running);
    }

    private static RequestAddress<SnapshotRequest, LoadReply> address(Duration timeout, int maxInFlight) {
        return new RequestAddress<>(
                "test.ask",
                LedgerAddresses.SNAPSHOT.request(),
                LedgerAddresses.LOAD_NODE.answer(),
                timeout,
                maxInFlight);
    }

    private static <X extends Throwable> X failureOf(Class<X> type, Future<?> future) {
        var failure = catchThrowableOfType(type, () -> future.await());
        assertThat(failure).isNotNull();
        return failure;
    }

    @Test
    void aRequestGetsItsReply() throws Exception {
        bus.serve(address(LONG, 1), request -> {
                    assertThat(request).isSameAs(REQUEST);
                    return Future.succeededFuture(ANSWER);
                })
                .await();

        assertThat(bus.request(address(LONG, 1), REQUEST).await()).isSameAs(ANSWER);
    }

    @Test
    void aRequestThatIsNotServedFailsAtOnce() {
        var failure = failureOf(ReplyException.class, bus.request(address(LONG, 1), REQUEST));

        assertThat(failure.failureType()).isEqualTo(ReplyFailure.NO_HANDLERS);
    }

    @Test
    void aRequestThatIsNotRepliedToInTimeFails() throws Exception {
        bus.serve(address(LONG, 1), request -> Promise.<LoadReply>promise().future())
                .await();

        var failure = failureOf(ReplyException.class, bus.request(address(Duration.ofMillis(20), 1), REQUEST));

        assertThat(failure.failureType()).isEqualTo(ReplyFailure.TIMEOUT);
    }

    @Test
    void aReplierThatThrowsFailsTheRequesterAtOnceWithTheReason() throws Exception {
        assertRequesterFails("out of paper", request -> {
            throw new IllegalStateException("out of paper");
        });
    }

    @Test
    void aReplierWithAFailedFutureFailsTheRequesterAtOnceWithTheReason() throws Exception {
        assertRequesterFails("no ink", request -> Future.failedFuture(new IllegalStateException("no ink")));
    }

    @Test
    void aReplierThatRepliesNothingFailsTheRequesterAtOnce() throws Exception {
        assertRequesterFails("the reply is null", request -> Future.succeededFuture(null));
    }

    @Test
    void aReplierThatReturnsNoFutureFailsTheRequesterAtOnce() throws Exception {
        assertRequesterFails("the reply is null", request -> null);
    }

    private void assertRequesterFails(String reason, Function<SnapshotRequest, Future<LoadReply>> answer)
            throws Exception {
        bus.serve(address(LONG, 1), answer).await();

        var failure = failureOf(ReplyException.class, bus.request(address(LONG, 1), REQUEST));

        assertThat(failure.failureType()).isEqualTo(ReplyFailure.RECIPIENT_FAILURE);
        assertThat(failure.failureCode()).isEqualTo(Bus.ANSWERER_FAILED);
        assertThat(failure).hasMessageStartingWith("test.ask: ").hasMessageContaining(reason);
    }

    @Test
    void moreThanTheBoundAreNotSent() throws Exception {
        BlockingQueue<Promise<LoadReply>> open = new ArrayBlockingQueue<>(4);
        var two = address(LONG, 2);
        bus.serve(two, request -> {
                    Promise<LoadReply> promise = Promise.promise();
                    open.add(promise);
                    return promise.future();
                })
                .await();
        var first = bus.request(two, REQUEST);
        var second = bus.request(two, REQUEST);

        var failure = failureOf(TooManyInFlightException.class, bus.request(two, REQUEST));
        assertThat(failure).hasMessage("test.ask: 2 requests wait for a reply, so no more are sent");

        open.take().complete(ANSWER);
        first.await();
        var third = bus.request(two, REQUEST);
        open.take().complete(ANSWER);
        open.take().complete(ANSWER);
        assertThat(Future.all(second, third).await().<LoadReply>list()).containsOnly(ANSWER);
    }

    @Test
    void whatFailedIsNoLongerInFlight() {
        var one = address(LONG, 1);

        for (int i = 0; i < 3; i++) {
            failureOf(ReplyException.class, bus.request(one, REQUEST));
        }
    }

    @Test
    void eachRequestingBusHasItsOwnBound() throws Exception {
        var one = address(LONG, 1);
        var other = new Bus(vertx);
        Promise<LoadReply> late = Promise.promise();
        bus.serve(one, request -> late.future()).await();

        var first = bus.request(one, REQUEST);
        var second = other.request(one, REQUEST);
        late.complete(ANSWER);

        assertThat(Future.all(first, second).await().<LoadReply>list()).containsExactly(ANSWER, ANSWER);
    }

    @Test
    void manyMayOpenOneBusAtOnce() throws Exception {
        var fresh = Vertx.vertx();
        try {
            var opened = IntStream.range(0, 8)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> new Bus(fresh)))
                    .toList();
            for (var each : opened) {
                assertThat(each.get()).isNotNull();
            }
        } finally {
            fresh.close().await();
        }
    }

    @Test
    void everySubscriberReceivesAnEvent(VertxTestContext context) {
        var received = context.checkpoint(2);
        for (var each : List.of(bus, new Bus(vertx))) {
            each.subscribe(
                            ClusterAddresses.NODE_GONE,
                            gone -> context.verify(() -> {
                                assertThat(gone).isEqualTo(EVENT);
                                received.flag();
                            }))
                    .await();
        }

        bus.publish(ClusterAddresses.NODE_GONE, EVENT);
    }

    @Test
    void aHandlerThatThrowsReceivesTheNextEvent() throws Exception {
        BlockingQueue<NodeGone> received = new ArrayBlockingQueue<>(4);
        bus.subscribe(ClusterAddresses.NODE_GONE, gone -> {
                    received.add(gone);
                    throw new IllegalStateException("cannot bear it");
                })
                .await();

        bus.publish(ClusterAddresses.NODE_GONE, EVENT);
        bus.publish(ClusterAddresses.NODE_GONE, new NodeGone("n1", 8));

        assertThat(received.take()).isEqualTo(EVENT);
        assertThat(received.take()).isEqualTo(new NodeGone("n1", 8));
    }

    @Test
    void aBurstOfEventsArrivesInOrderAndWhole() throws Exception {
        int burst = 5_000;
        BlockingQueue<Long> received = new ArrayBlockingQueue<>(burst);
        bus.subscribe(ClusterAddresses.NODE_GONE, gone -> received.add(gone.version()))
                .await();

        for (long version = 0; version < burst; version++) {
            bus.publish(ClusterAddresses.NODE_GONE, new NodeGone("n1", version));
        }

        for (long version = 0; version < burst; version++) {
            assertThat(received.take()).isEqualTo(version);
        }
    }

    @Test
    void answersAndHandlersRunOnTheContextOfTheirVerticle() throws Exception {
        var verticle = new Listening();
        var id = vertx.deployVerticle(verticle).await();

        bus.request(address(LONG, 1), REQUEST).await();
        bus.publish(ClusterAddresses.NODE_GONE, EVENT);

        assertThat(List.of(verticle.receivedIn.take(), verticle.receivedIn.take()))
                .containsOnly(id);
    }

    private static final class Listening extends VerticleBase {
        private final BlockingQueue<String> receivedIn = new ArrayBlockingQueue<>(2);

        @Override
        public Future<?> start() {
            var bus = new Bus(vertx);
            return bus.serve(address(LONG, 1), request -> {
                        receivedIn.add(Vertx.currentContext().deploymentID());
                        return Future.succeededFuture(ANSWER);
                    })
                    .compose(served -> bus.subscribe(
                            ClusterAddresses.NODE_GONE,
                            gone -> receivedIn.add(Vertx.currentContext().deploymentID())));
        }
    }
}
