package io.sluice.billing.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

class BatchFormTest {
    @Test
    void joinsEventsAsTheReceiverRequiresThem() throws IOException {
        var events = OutboxRig.bytes("{\"a\":1}", "{\"b\":2}");
        assertThat(OutboxRig.text(BatchForm.JSON_OBJECT.body(events))).isEqualTo("{\"events\":[{\"a\":1},{\"b\":2}]}");
        assertThat(OutboxRig.text(BatchForm.NDJSON.body(events))).isEqualTo("{\"a\":1}\n{\"b\":2}\n");
        try (var gzip = new GZIPInputStream(new ByteArrayInputStream(BatchForm.NDJSON_GZIP.body(events)))) {
            assertThat(OutboxRig.text(gzip.readAllBytes())).isEqualTo("{\"a\":1}\n{\"b\":2}\n");
        }
    }

    @Test
    void makesShortNamesOfTheSameLengthThatDoNotRepeat() {
        assertThat(ShortUuid.of(BigInteger.ZERO)).isEqualTo("2".repeat(22));
        assertThat(ShortUuid.of(BigInteger.valueOf(58))).isEqualTo("2".repeat(20) + "33");
        assertThat(ShortUuid.of(BigInteger.ONE.shiftLeft(128).subtract(BigInteger.ONE)))
                .hasSize(22);
        var random = new Random(20250304);
        var names = new HashSet<String>();
        for (int i = 0; i < 1000; i++) {
            var name = ShortUuid.next(random);
            assertThat(name).matches("[2-9A-HJ-NP-Za-km-z]{22}");
            assertThat(names.add(name)).isTrue();
        }
    }

    @Test
    void aBodyWithoutEventsHasNone() {
        assertThat(BatchForm.JSON_OBJECT.events("{}".getBytes(UTF_8))).isEmpty();
    }
}
