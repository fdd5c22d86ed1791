package io.sluice.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.wire.UnreadableMessageException;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.ReplyException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Goal: while two releases run in one Hazelcast cluster, every message is either read or refused by name, at once.
 *
 * <p>Method: two messages of these tests alone, each with two versions. The older member has the codecs of version 1,
 * the newer one those of version 2: its {@code test.kept} still reads version 1, its {@code test.dropped} does not.
 */
@DisplayName("F22: two releases in one Hazelcast cluster read a message or refuse it by name")
class TwoReleasesTest {
    private static final int URGENCY_BEFORE_V2 = 3;
    private static final Notice NOTICE = new Notice("disk full", 9);
    private static final Notice AS_OF_V1 = new Notice("disk full", URGENCY_BEFORE_V2);

    private static final Notice NEXT = new Notice("disk has room", URGENCY_BEFORE_V2);

    private static final WireCodec<Notice> UNCHANGED = new NoticeCodec("test.unchanged", 1, 1);
    private static final WireCodec<Notice> KEPT_V1 = new NoticeCodec("test.kept", 1, 1);
    private static final WireCodec<Notice> KEPT_V2 = new NoticeCodec("test.kept", 2, 1);
    private static final WireCodec<Notice> DROPPED_V1 = new NoticeCodec("test.dropped", 1, 1);
    private static final WireCodec<Notice> DROPPED_V2 = new NoticeCodec("test.dropped", 2, 2);

    private TwoMembers members;
    private Release older;
    private Release newer;

    /**
     * The bus and the codecs of one release.
     *
     * @param bus of its member
     * @param kept the request and reply whose older version is still read
     * @param dropped the request and reply whose older version is not
     * @param reported the event whose older version is still read
     */
    private record Release(
            Bus bus,
            RequestAddress<Notice, Notice> kept,
            RequestAddress<Notice, Notice> dropped,
            EventAddress<Notice> reported) {
        static Release on(Vertx member, WireCodec<Notice> kept, WireCodec<Notice> dropped) {
            member.eventBus().registerCodec(new DecodedCodec<>(kept));
            member.eventBus().registerCodec(new DecodedCodec<>(dropped));
            return new Release(
                    new Bus(member),
                    new RequestAddress<>("test.ask-kept", kept, kept, Duration.ofMinutes(10), 1),
                    new RequestAddress<>("test.ask-dropped", dropped, dropped, Duration.ofMinutes(10), 1),
                    new EventAddress<>("test.told", kept));
        }

        /** Replies with what it read. */
        void echo() throws Exception {
            bus.serve(kept, Future::succeededFuture).await();
            bus.serve(dropped, Future::succeededFuture).await();
        }
    }

    @BeforeEach
    void join() throws Exception {
        members = new TwoMembers();
        older = Release.on(members.requester(), KEPT_V1, DROPPED_V1);
        newer = Release.on(members.answerer(), KEPT_V2, DROPPED_V2);
    }

    @AfterEach
    void leave() throws Exception {
        members.close();
    }

    @Test
    void theNewerReleaseReadsARequestOfTheOlder() throws Exception {
        BlockingQueue<Notice> read = new ArrayBlockingQueue<>(1);
        newer.bus()
                .serve(newer.kept(), notice -> {
                    read.add(notice);
                    return Future.failedFuture("no reply is needed");
                })
                .await();

        catchThrowable(() -> older.bus().request(older.kept(), NOTICE).await());

        assertThat(read.take()).isEqualTo(AS_OF_V1);
    }

    @Test
    void theOlderReleaseRefusesARequestOfTheNewerByName() throws Exception {
        older.echo();

        assertThat(refusal(newer.bus().request(newer.kept(), NOTICE)))
                .contains("test.kept: version 2 found, versions 1 to 1 can be read");
    }

    @Test
    void theOlderReleaseRefusesAReplyOfTheNewerByName() throws Exception {
        newer.echo();

        assertThatThrownBy(() -> older.bus().request(older.kept(), NOTICE).await())
                .isInstanceOf(UnreadableMessageException.class)
                .hasMessage("test.kept: version 2 found, versions 1 to 1 can be read");
    }

    @Test
    void theNewerReleaseRefusesByNameWhatItReadsNoLonger() throws Exception {
        newer.echo();

        assertThat(refusal(older.bus().request(older.dropped(), NOTICE)))
                .contains("test.dropped: version 1 is read no longer");
    }

    @Test
    void theNewerReleaseReadsAnEventOfTheOlder() throws Exception {
        BlockingQueue<Notice> read = new ArrayBlockingQueue<>(1);
        newer.bus().subscribe(newer.reported(), read::add).await();

        older.bus().publish(older.reported(), NOTICE);

        assertThat(read.take()).isEqualTo(AS_OF_V1);
    }

    @Test
    void theOlderReleaseSkipsAnEventOfTheNewerAndReadsTheNext() throws Exception {
        BlockingQueue<Notice> read = new ArrayBlockingQueue<>(2);
        older.bus().subscribe(older.reported(), read::add).await();
        members.requester().eventBus().registerCodec(new DecodedCodec<>(UNCHANGED));
        members.answerer().eventBus().registerCodec(new DecodedCodec<>(UNCHANGED));

        newer.bus().publish(newer.reported(), NOTICE);
        // On the same connection and to the same consumer, so it is read after the other was skipped.
        newer.bus().publish(new EventAddress<>(newer.reported().name(), UNCHANGED), NEXT);

        assertThat(read.take()).isEqualTo(NEXT);
        assertThat(read).isEmpty();
    }

    /** The failure of a request that the other member could not read. */
    private static String refusal(Future<?> future) {
        var failure = catchThrowable(() -> future.await());
        assertThat(failure).isInstanceOf(ReplyException.class);
        assertThat(((ReplyException) failure).failureCode()).isEqualTo(Bus.REQUEST_UNREADABLE);
        return failure.getMessage();
    }

    /** A message of these tests; version 2 has added its urgency. */
    private record Notice(String text, int urgency) {}

    /** The message's codec in one release, which reads from one version on. */
    private static final class NoticeCodec extends WireCodec<Notice> {
        private final int oldest;

        NoticeCodec(String name, int version, int oldest) {
            super(name, 1, version);
            this.oldest = oldest;
        }

        @Override
        protected void write(Notice message, WireWriter out) {
            out.text(message.text());
            if (version() > 1) {
                out.i32(message.urgency());
            }
        }

        @Override
        protected Notice read(int version, WireReader in) {
            if (version < oldest) {
                throw new IllegalArgumentException("version " + version + " is read no longer");
            }
            return new Notice(in.text(), version < 2 ? URGENCY_BEFORE_V2 : in.i32());
        }
    }
}
