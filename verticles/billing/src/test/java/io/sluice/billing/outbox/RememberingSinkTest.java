package io.sluice.billing.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.billing.sink.Batch;
import io.sluice.billing.sink.SinkException;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class RememberingSinkTest {
    private static final Batch BATCH = new Batch(OutboxRig.HTTP, 1, "a", Instant.EPOCH, 1, new byte[] {1});

    private final RememberingSink sink = new RememberingSink();

    @Test
    void failsAsOftenAsConfiguredAndThenTakes() throws SinkException {
        sink.fail(1, "HTTP code 500");
        assertThatThrownBy(() -> sink.send(BATCH))
                .isInstanceOfSatisfying(
                        SinkException.class,
                        failure -> assertThat(failure.label()).isEqualTo("HTTP code 500"));
        sink.send(BATCH);
        assertThat(sink.taken()).containsExactly(BATCH);
        assertThat(sink.tries()).isEqualTo(2);
    }

    @Test
    void hangsUntilItIsLetGo() throws InterruptedException {
        var latch = new CountDownLatch(1);
        sink.hang(latch);
        var sender = Thread.ofPlatform().start(() -> {
            try {
                sink.send(BATCH);
            } catch (SinkException impossible) {
                throw new AssertionError(impossible);
            }
        });
        while (sink.tries() == 0) {
            Thread.onSpinWait();
        }
        assertThat(sink.taken()).isEmpty();
        latch.countDown();
        sender.join();
        assertThat(sink.taken()).containsExactly(BATCH);
    }
}
