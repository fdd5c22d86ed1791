package io.sluice.sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.billing.sink.Batch;
import io.sluice.billing.sink.EventKind;
import io.sluice.billing.sink.ObjectKeys;
import io.sluice.billing.sink.QueueId;
import io.sluice.billing.sink.Sink;
import io.sluice.billing.sink.SinkException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that every sink of objects must pass on its store. */
@Timeout(60)
abstract class ObjectStoreContract {
    static final String HOLDER = "usage";
    static final Duration LONG = Duration.ofSeconds(30);

    private static final Instant CLOSED_AT = Instant.parse("2025-03-04T05:06:07.891Z");
    private static final String LINES = "{\"endpoint_id\":\"ep-demo-1\"}\n{\"endpoint_id\":\"ep-ä\"}\n";

    /** Returns a sink for a bucket or container, which exists only if its name is {@link #HOLDER}. */
    abstract Sink sink(String holder) throws Exception;

    /** Returns a sink with unknown credentials. */
    abstract Sink strangersSink() throws Exception;

    /** Returns the names of all objects in the store. */
    abstract List<String> names() throws Exception;

    /** Returns the object with that name. */
    abstract byte[] read(String name) throws Exception;

    /** Returns the store. */
    abstract StandIn store();

    /** Returns the label of the sink's failures. */
    abstract String label();

    @ParameterizedTest
    @ValueSource(strings = {"", "usage", "deep/er", "with space", "ümlaut+plus&more%41"})
    void keepsABatchByItsNameAndByteForByte(String prefix) throws Exception {
        var batch = batch(ObjectKeys.usage(prefix).apply(CLOSED_AT, "KwSysDpxcBU9FNhGkn2dCf"), LINES);
        try (var sink = sink(HOLDER)) {
            sink.send(batch);
        }

        assertThat(names()).containsExactly(batch.name());
        assertThat(read(batch.name())).isEqualTo(batch.body());
        assertThat(unzipped(read(batch.name()))).isEqualTo(LINES);
    }

    @Test
    @DisplayName("F20: a batch that is sent twice leaves one object")
    void aBatchThatComesAgainLeavesOneObject() throws Exception {
        try (var sink = sink(HOLDER)) {
            sink.send(batch("a", "half"));
            sink.send(batch("b", "other"));
            sink.send(batch("a", LINES));
        }

        assertThat(names()).containsExactlyInAnyOrder("a", "b");
        assertThat(unzipped(read("a"))).isEqualTo(LINES);
    }

    @Test
    void takesALargeBatchInOnePiece() throws Exception {
        var bytes = new byte[12 << 20];
        new Random(1).nextBytes(bytes);
        try (var sink = sink(HOLDER)) {
            sink.send(new Batch(queue(), 1, "large", CLOSED_AT, 1, bytes));
        }

        assertThat(read("large")).isEqualTo(bytes);
    }

    @Test
    void refusesWhereNothingIsToPutItInto() throws Exception {
        try (var sink = sink("nowhere")) {
            var refused = refusal(sink);
            assertThat(refused.label()).isEqualTo(label());
            assertThat(refused).hasMessageContaining("nowhere").hasMessageContaining("lost");
        }
        assertThat(names()).isEmpty();
    }

    @Test
    void refusesWithUnknownCredentials() throws Exception {
        try (var sink = strangersSink()) {
            assertThat(refusal(sink).label()).isEqualTo(label());
        }
        assertThat(names()).isEmpty();
    }

    @Test
    void goesOnWhenTheStoreIsBack() throws Exception {
        try (var sink = sink(HOLDER)) {
            sink.send(batch("before", LINES));
            store().stop();
            assertThat(refusal(sink).label()).isEqualTo(label());
            assertThat(refusal(sink).label()).isEqualTo(label());
            store().start();
            sink.send(batch("lost", LINES));
        }

        assertThat(names()).containsExactlyInAnyOrder("before", "lost");
    }

    private static SinkException refusal(Sink sink) {
        return catchThrowableOfType(SinkException.class, () -> sink.send(batch("lost", LINES)));
    }

    private static Batch batch(String name, String lines) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(bytes)) {
            gzip.write(lines.getBytes(StandardCharsets.UTF_8));
        }
        return new Batch(queue(), 1, name, CLOSED_AT, 2, bytes.toByteArray());
    }

    private static QueueId queue() {
        return new QueueId(EventKind.BILLING, "test");
    }

    private static String unzipped(byte[] bytes) throws IOException {
        try (var gzip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return new String(gzip.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
