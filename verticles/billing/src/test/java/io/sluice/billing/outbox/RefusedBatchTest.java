package io.sluice.billing.outbox;

import static io.sluice.billing.outbox.OutboxRig.HTTP;
import static io.sluice.billing.outbox.OutboxRig.ROOMY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.billing.outbox.delivery.Delivery;
import io.sluice.billing.outbox.delivery.DeliveryContext;
import io.sluice.billing.outbox.delivery.DeliverySchedule;
import io.sluice.billing.outbox.delivery.Destination;
import io.sluice.shell.Backoff;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A receiver refuses a batch each time that it is sent, for its size or for one event. */
class RefusedBatchTest {
    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final List<String> EVENTS = IntStream.range(0, 40)
            .mapToObj(i -> "{\"n\":" + i + ",\"of\":[{\"a\":\"]}{\\\"\u00e9\"}],\"pad\":\"" + "x".repeat(60) + "\"}")
            .toList();

    @TempDir
    private Path directory;

    private final Vertx vertx = Vertx.vertx();
    private final RememberingSink http = new RememberingSink();
    private final Readiness readiness = new Readiness();
    private OutboxRig rig;
    private Delivery delivery;

    @BeforeEach
    void accept() throws IOException {
        rig = OutboxRig.with(directory, OutboxRig.queue(HTTP, BatchForm.JSON_OBJECT, 40, ROOMY));
        rig.accept(HTTP, EVENTS.toArray(String[]::new));
        rig.accept(HTTP, "{\"later\":1}");
    }

    @AfterEach
    void end() throws IOException {
        if (delivery != null) {
            stop();
        }
        vertx.close().toCompletionStage().toCompletableFuture().join();
        rig.close();
    }

    private void stop() {
        delivery.stop(Duration.ofSeconds(5))
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    private void begin() {
        var pace = new DeliverySchedule(
                Duration.ofMillis(20),
                Duration.ofSeconds(30),
                new Backoff(Duration.ofMillis(5), Duration.ofMillis(20)));
        vertx.getOrCreateContext().runOnContext(go -> {
            delivery = new Delivery(
                    vertx,
                    rig.outbox,
                    List.of(new Destination(rig.queues.getFirst(), http, pace)),
                    new DeliveryContext(new MonotonicClock(), new Random(1), new SimpleMeterRegistry(), readiness));
            delivery.start();
        });
    }

    private List<String> received() {
        var events = new ArrayList<String>();
        http.taken()
                .forEach(batch -> BatchForm.JSON_OBJECT.events(batch.body()).stream()
                        .map(OutboxRig::text)
                        .forEach(events::add));
        return events;
    }

    @Test
    void aBatchThatIsTooLargeIsSentInPartsWithTheSameEventsInTheirOrder() {
        http.refuse(batch -> batch.body().length > 1024);
        begin();
        await().atMost(WAIT).until(() -> received().size() > EVENTS.size());

        var expected = new ArrayList<>(EVENTS);
        expected.add("{\"later\":1}");
        assertThat(received()).isEqualTo(expected);
        assertThat(http.taken().stream().map(batch -> batch.name()).distinct()).hasSameSizeAs(http.taken());
    }

    @Test
    void theEventThatIsRefusedIsAloneInItsBatchWhichIsNamed() throws IOException {
        http.refuse(batch -> OutboxRig.text(batch.body()).contains("\"n\":13,"));
        begin();
        await().atMost(WAIT).until(() -> received().size() == 13);
        await().atMost(WAIT)
                .untilAsserted(() -> assertThat(readiness.troubles().toString())
                        .contains("HTTP code 413", "with 1 events, closed at 2025-03-04T05:06:07Z"));

        rig.killAndOpen();
        assertThat(OutboxRig.text(rig.outbox.head(HTTP).orElseThrow().body()))
                .isEqualTo("{\"events\":[" + EVENTS.get(13) + "]}");
    }

    /** A damaged row makes the outbox copy all others to a new file. */
    @Test
    void bothPartsAreCopiedWhereTheFileIsDamaged() throws IOException {
        rig.outbox.divide(HTTP, rig.outbox.head(HTTP).orElseThrow().id());
        rig.outbox.close();
        var file = rig.file();
        var bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
        Files.writeString(file, bytes.replace("{\"later\":1}", "{\"latex\":1}"), StandardCharsets.ISO_8859_1);
        rig.open();

        assertThat(rig.received.findings).isNotEmpty();
        assertThat(rig.drain(HTTP).stream()
                        .flatMap(body -> BatchForm.JSON_OBJECT.events(body.getBytes(StandardCharsets.UTF_8)).stream())
                        .map(OutboxRig::text))
                .isEqualTo(EVENTS);
    }
}
