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
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Uses a real local event bus. Where a failure must be fast, the request's timeout is longer than the test's. */
@ExtendWith(VertxExtension.class)
class BusTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final int TIMEOUT_SECONDS = 20;
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

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    private static <X extends Throwable> X failureOf(Class<X> type, Future<?> future) {
        var thrown = catchThrowableOfType(ExecutionException.class, () -> await(future));
        assertThat(thrown).isNotNull();
        assertThat(thrown.getCause()).isInstanceOf(type);
        return type.cast(thrown.getCause());
    }

    @Test
    void aRequestGetsItsReply() throws Exception {
        await(bus.serve(address(LONG, 1), request -> {
            assertThat(request).isSameAs(REQUEST);
            return Future.succeededFuture(ANSWER);
        }));

        assertThat(await(bus.request(address(LONG, 1), REQUEST))).isSameAs(ANSWER);
    }

    @Test
    void aRequestThatIsNotServedFailsAtOnce() {
        var failure = failureOf(ReplyException.class, bus.request(address(LONG, 1), REQUEST));

        assertThat(failure.failureType()).isEqualTo(ReplyFailure.NO_HANDLERS);
    }

    @Test
    void aRequestThatIsNotRepliedToInTimeFails() throws Exception {
        await(bus.serve(
                address(LONG, 1), request -> Promise.<LoadReply>promise().future()));

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
        await(bus.serve(address(LONG, 1), answer));

        var failure = failureOf(ReplyException.class, bus.request(address(LONG, 1), REQUEST));

        assertThat(failure.failureType()).isEqualTo(ReplyFailure.RECIPIENT_FAILURE);
        assertThat(failure.failureCode()).isEqualTo(Bus.ANSWERER_FAILED);
        assertThat(failure).hasMessageStartingWith("test.ask: ").hasMessageContaining(reason);
    }

    @Test
    void moreThanTheBoundAreNotSent() throws Exception {
        BlockingQueue<Promise<LoadReply>> open = new ArrayBlockingQueue<>(4);
        var two = address(LONG, 2);
        await(bus.serve(two, request -> {
            Promise<LoadReply> promise = Promise.promise();
            open.add(promise);
            return promise.future();
        }));
        var first = bus.request(two, REQUEST);
        var second = bus.request(two, REQUEST);

        var failure = failureOf(TooManyInFlightException.class, bus.request(two, REQUEST));
        assertThat(failure).hasMessage("test.ask: 2 requests wait for a reply, so no more are sent");

        take(open).complete(ANSWER);
        await(first);
        var third = bus.request(two, REQUEST);
        take(open).complete(ANSWER);
        take(open).complete(ANSWER);
        assertThat(await(Future.all(second, third)).<LoadReply>list()).containsOnly(ANSWER);
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
        await(bus.serve(one, request -> late.future()));

        var first = bus.request(one, REQUEST);
        var second = other.request(one, REQUEST);
        late.complete(ANSWER);

        assertThat(await(Future.all(first, second)).<LoadReply>list()).containsExactly(ANSWER, ANSWER);
    }

    @Test
    void manyMayOpenOneBusAtOnce() throws Exception {
        var fresh = Vertx.vertx();
        try {
            var opened = IntStream.range(0, 8)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> new Bus(fresh)))
                    .toList();
            for (var each : opened) {
                assertThat(each.get(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isNotNull();
            }
        } finally {
            await(fresh.close());
        }
    }

    @Test
    void everySubscriberReceivesAnEvent() throws Exception {
        BlockingQueue<NodeGone> received = new ArrayBlockingQueue<>(4);
        await(bus.subscribe(ClusterAddresses.NODE_GONE, received::add));
        await(new Bus(vertx).subscribe(ClusterAddresses.NODE_GONE, received::add));

        bus.publish(ClusterAddresses.NODE_GONE, EVENT);

        assertThat(List.of(take(received), take(received))).containsExactly(EVENT, EVENT);
    }

    @Test
    void aHandlerThatThrowsReceivesTheNextEvent() throws Exception {
        BlockingQueue<NodeGone> received = new ArrayBlockingQueue<>(4);
        await(bus.subscribe(ClusterAddresses.NODE_GONE, gone -> {
            received.add(gone);
            throw new IllegalStateException("cannot bear it");
        }));

        bus.publish(ClusterAddresses.NODE_GONE, EVENT);
        bus.publish(ClusterAddresses.NODE_GONE, new NodeGone("n1", 8));

        assertThat(take(received)).isEqualTo(EVENT);
        assertThat(take(received)).isEqualTo(new NodeGone("n1", 8));
    }

    @Test
    void aBurstOfEventsArrivesInOrderAndWhole() throws Exception {
        int burst = 5_000;
        BlockingQueue<Long> received = new ArrayBlockingQueue<>(burst);
        await(bus.subscribe(ClusterAddresses.NODE_GONE, gone -> received.add(gone.version())));

        for (long version = 0; version < burst; version++) {
            bus.publish(ClusterAddresses.NODE_GONE, new NodeGone("n1", version));
        }

        for (long version = 0; version < burst; version++) {
            assertThat(take(received)).isEqualTo(version);
        }
    }

    @Test
    void answersAndHandlersRunOnTheContextOfTheirVerticle() throws Exception {
        var verticle = new Listening();
        var id = await(vertx.deployVerticle(verticle));

        await(bus.request(address(LONG, 1), REQUEST));
        bus.publish(ClusterAddresses.NODE_GONE, EVENT);

        assertThat(List.of(take(verticle.receivedIn), take(verticle.receivedIn)))
                .containsOnly(id);
    }

    private static <T> T take(BlockingQueue<T> queue) throws InterruptedException, TimeoutException {
        var next = queue.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        if (next == null) {
            throw new TimeoutException("nothing came");
        }
        return next;
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
