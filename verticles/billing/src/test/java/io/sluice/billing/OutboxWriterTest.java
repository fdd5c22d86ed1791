package io.sluice.billing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.billing.outbox.OutboxWrite;
import io.sluice.billing.outbox.WriteResult;
import io.sluice.billing.sink.EventKind;
import io.sluice.billing.sink.QueueId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OutboxWriterTest {
    private static final int TURNS = 400_000;
    private static final WriteResult TAKEN = new WriteResult.Taken(false, Map.of());
    private static final WriteResult FULL =
            new WriteResult.Full(List.of(new WriteResult.FullQueue(new QueueId(EventKind.BILLING, "http"), "no room")));

    private final List<OutboxWrite> offers = new ArrayList<>();
    private final List<Promise<WriteResult>> answers = new ArrayList<>();
    private final OutboxWriter writer = new OutboxWriter(this::offered, "meters", 41);

    private Future<WriteResult> offered(OutboxWrite offer) {
        offers.add(offer);
        var answer = Promise.<WriteResult>promise();
        answers.add(answer);
        return answer.future();
    }

    private void offer(String entry) {
        writer.offer(Map.of(), Map.of(entry, new byte[] {1}));
    }

    @Test
    void countsOnWithWhatWasTaken() {
        offer("a");
        assertThat(writer.isWaiting()).isTrue();
        answers.getLast().complete(TAKEN);
        assertThat(writer.isFree()).isTrue();
        offer("b");

        assertThat(offers).extracting(OutboxWrite::number).containsExactly(42L, 43L);
        assertThatThrownBy(() -> offer("c")).hasMessageContaining("meters");
    }

    @Test
    void whatWasNotTakenOrFailedComesAgainAsItIs() {
        offer("a");
        answers.getLast().complete(FULL);
        assertThat(writer.isFree() || writer.isWaiting()).isFalse();
        writer.again();
        answers.getLast().fail("the disk");
        assertThat(writer.isFree() || writer.isWaiting()).isFalse();
        writer.again();
        answers.getLast().complete(TAKEN);

        assertThat(writer.isFree()).isTrue();
        assertThat(offers).hasSize(3).allMatch(offers.getFirst()::equals);
    }

    @Test
    void isQuietOnceItWasAnsweredHoweverItTurnedOut() {
        assertThat(writer.quiet().isComplete()).isTrue();
        offer("a");
        var quiet = writer.quiet();
        assertThat(quiet.isComplete()).isFalse();
        answers.getLast().fail("the disk");

        assertThat(quiet.succeeded()).isTrue();
    }

    @Test
    void anAnswerThatIsThereAtOnceCounts() {
        var prompt = new OutboxWriter(offer -> Future.succeededFuture(TAKEN), "meters", 0);
        prompt.offer(Map.of(), Map.of());
        assertThat(prompt.isFree()).isTrue();
        assertThat(prompt.quiet().isComplete()).isTrue();
    }

    /**
     * The outbox completes on its own thread. Other tasks of the context must see the whole change of state or none of
     * it.
     */
    @Test
    void anAnswerIsTakenInAllAtOnce() throws Exception {
        var vertx = Vertx.vertx();
        var context = vertx.getOrCreateContext();
        var outbox = vertx.createSharedWorkerExecutor("outbox", 1);
        var busy = new OutboxWriter(offer -> outbox.executeBlocking(() -> TAKEN, false), "meters", 0);
        var turns = new Semaphore(16);
        var halfway = new AtomicInteger();
        for (int i = 0; i < TURNS && halfway.get() == 0; i++) {
            turns.acquire();
            context.runOnContext(turn -> {
                turns.release();
                if (busy.isFree()) {
                    busy.offer(Map.of(), Map.of());
                } else if (!busy.isWaiting()) {
                    halfway.incrementAndGet();
                }
            });
        }
        vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);

        assertThat(halfway)
                .as("tasks that saw a write which was neither awaited nor finished")
                .hasValue(0);
    }
}
