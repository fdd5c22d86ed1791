package io.sluice.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.messages.vm.PatchReply;
import io.sluice.wire.UnreadableMessageException;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireWriter;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.eventbus.ReplyException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Goal: two members have the same guarantees on the bus as one, although every message between them is encoded and
 * decoded.
 *
 * <p>Method: two members over a socket. One of them sends the bytes of another release under the codec's name.
 */
class BusAcrossMembersTest {
    private static final SnapshotRequest REQUEST = new SnapshotRequest("n1");
    private static final LoadReply ANSWER = new LoadReply(3, 1);
    private static final NodeGone EVENT = new NodeGone("n1", 7);
    private static final RequestAddress<SnapshotRequest, LoadReply> REQUESTS = new RequestAddress<>(
            "test.ask",
            LedgerAddresses.SNAPSHOT.request(),
            LedgerAddresses.LOAD_NODE.answer(),
            Duration.ofMinutes(10),
            1);
    private static final RequestAddress<SnapshotRequest, PatchReply> REQUEST_FOR_WORDS = new RequestAddress<>(
            "test.words", LedgerAddresses.SNAPSHOT.request(), VmAddresses.PATCH.answer(), Duration.ofMinutes(10), 1);
    private static final String TOO_LONG = "x".repeat(WireWriter.TEXT_BYTES_MAX + 1);

    private TwoMembers members;

    @BeforeEach
    void join() throws Exception {
        members = new TwoMembers();
    }

    @AfterEach
    void leave() throws Exception {
        members.close();
    }

    @Test
    void aRequestIsRepliedToByAnotherMember() throws Exception {
        new Bus(members.answerer())
                .serve(REQUESTS, request -> {
                    assertThat(request).isEqualTo(REQUEST).isNotSameAs(REQUEST);
                    return Future.succeededFuture(ANSWER);
                })
                .await();

        assertThat(new Bus(members.requester()).request(REQUESTS, REQUEST).await())
                .isEqualTo(ANSWER)
                .isNotSameAs(ANSWER);
    }

    @Test
    void aReplierThatThrowsFailsTheRequesterOnAnotherMember() throws Exception {
        new Bus(members.answerer())
                .serve(REQUESTS, request -> {
                    throw new IllegalStateException("out of paper");
                })
                .await();

        assertThatThrownBy(() ->
                        new Bus(members.requester()).request(REQUESTS, REQUEST).await())
                .isInstanceOf(ReplyException.class)
                .hasMessageContaining("out of paper");
    }

    @Test
    @DisplayName("F22: a request of a newer release fails at once")
    void aRequestOfANewerReleaseFailsItsRequesterAtOnce() throws Exception {
        new Bus(members.answerer())
                .serve(REQUESTS, request -> Future.succeededFuture(ANSWER))
                .await();
        var bytes = RawCodec.register(members.requester(), REQUESTS.request());

        var failure = catchThrowable(() -> members.requester()
                .eventBus()
                .request(REQUESTS.name(), newer(REQUESTS.request(), REQUEST), bytes)
                .await());

        assertThat(failure)
                .isInstanceOf(ReplyException.class)
                .hasMessageContaining("ledger.snapshot-request: version 9 found, versions 1 to 1 can be read");
        assertThat(((ReplyException) failure).failureCode()).isEqualTo(Bus.REQUEST_UNREADABLE);
    }

    @Test
    void aReplyOfANewerReleaseFailsTheRequesterAtOnce() throws Exception {
        var bytes = RawCodec.register(members.answerer(), REQUESTS.answer());
        members.answerer().eventBus().registerCodec(new DecodedCodec<>(REQUESTS.request()));
        members.answerer()
                .eventBus()
                .consumer(REQUESTS.name(), message -> message.reply(newer(REQUESTS.answer(), ANSWER), bytes))
                .completion()
                .await();

        assertThatThrownBy(() ->
                        new Bus(members.requester()).request(REQUESTS, REQUEST).await())
                .isInstanceOf(UnreadableMessageException.class)
                .hasMessageContaining("ledger.load-reply: version 9 found");
    }

    @Test
    void anEventOfANewerReleaseIsSkipped() throws Exception {
        BlockingQueue<NodeGone> received = new ArrayBlockingQueue<>(2);
        var gone = ClusterAddresses.NODE_GONE;
        new Bus(members.answerer()).subscribe(gone, received::add).await();
        var bytes = RawCodec.register(members.requester(), gone.event());

        members.requester().eventBus().publish(gone.name(), newer(gone.event(), EVENT), bytes);
        members.requester().eventBus().publish(gone.name(), gone.event().encode(EVENT), bytes);

        assertThat(received.take()).isEqualTo(EVENT);
    }

    @Test
    void aRequestTooLongToWriteFailsAtOnceAndIsNotInFlight() throws Exception {
        new Bus(members.answerer())
                .serve(REQUESTS, request -> Future.succeededFuture(ANSWER))
                .await();
        var bus = new Bus(members.requester());

        assertThatThrownBy(() ->
                        bus.request(REQUESTS, new SnapshotRequest(TOO_LONG)).await())
                .hasMessageContaining("a text has at most 65536 bytes");
        assertThat(bus.request(REQUESTS, REQUEST).await()).isEqualTo(ANSWER);
    }

    @Test
    void aReplyTooLongToWriteFailsTheRequesterAtOnce() throws Exception {
        new Bus(members.answerer())
                .serve(REQUEST_FOR_WORDS, request -> Future.succeededFuture(new PatchReply.InDoubt(TOO_LONG)))
                .await();

        assertThatThrownBy(() -> new Bus(members.requester())
                        .request(REQUEST_FOR_WORDS, REQUEST)
                        .await())
                .isInstanceOf(UnreadableMessageException.class)
                .hasMessageContaining("a text has at most 65536 bytes");
    }

    private static <T> Buffer newer(WireCodec<T> codec, T message) {
        return codec.encode(message).setByte(0, (byte) 9);
    }

    /** Sends bytes unchanged, under the name of a codec that the other member has. */
    private record RawCodec(String name) implements MessageCodec<Buffer, Buffer> {
        private static DeliveryOptions register(Vertx member, WireCodec<?> known) {
            member.eventBus().registerCodec(new RawCodec(known.name()));
            return new DeliveryOptions().setCodecName(known.name());
        }

        @Override
        public void encodeToWire(Buffer buffer, Buffer bytes) {
            buffer.appendBuffer(bytes);
        }

        @Override
        public Buffer decodeFromWire(int position, Buffer buffer) {
            return buffer.getBuffer(position, buffer.length());
        }

        @Override
        public Buffer transform(Buffer bytes) {
            return bytes;
        }

        @Override
        public byte systemCodecID() {
            return -1;
        }
    }
}
