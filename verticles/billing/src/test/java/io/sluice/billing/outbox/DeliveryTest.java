package io.sluice.billing.outbox;

import static io.sluice.billing.outbox.OutboxRig.HTTP;
import static io.sluice.billing.outbox.OutboxRig.ROOMY;
import static io.sluice.billing.outbox.OutboxRig.S3;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.billing.outbox.delivery.Delivery;
import io.sluice.billing.outbox.delivery.DeliveryContext;
import io.sluice.billing.outbox.delivery.DeliverySchedule;
import io.sluice.billing.outbox.delivery.Destination;
import io.sluice.billing.sink.QueueId;
import io.sluice.shell.Backoff;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeliveryTest {
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Backoff SHORT = new Backoff(Duration.ofMillis(5), Duration.ofMillis(20));
    private static final DeliverySchedule QUICK =
            new DeliverySchedule(Duration.ofMillis(20), Duration.ofSeconds(30), SHORT);
    private static final DeliverySchedule RARE = new DeliverySchedule(LONG, LONG, SHORT);

    @TempDir
    private Path directory;

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final RememberingSink http = new RememberingSink();
    private final RememberingSink s3 = new RememberingSink();
    private final Readiness readiness = new Readiness();
    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private OutboxRig rig;
    private Delivery delivery;

    @BeforeEach
    void openOutbox() throws IOException {
        rig = OutboxRig.with(
                directory,
                OutboxRig.queue(
                        HTTP, BatchForm.JSON_OBJECT, 3, new OutboxConfig(1500, LONG, OutboxConfig.Overflow.BLOCK)),
                OutboxRig.queue(S3, BatchForm.NDJSON, 3, ROOMY));
    }

    @AfterEach
    void end() throws IOException {
        if (delivery != null) {
            on(() -> delivery.stop(Duration.ofSeconds(5)));
        }
        wait(vertx.close());
        rig.outbox.close();
    }

    private void begin(DeliverySchedule pace) {
        begin(pace, new MonotonicClock());
    }

    private void begin(DeliverySchedule pace, InstantSource clock) {
        on(() -> {
            delivery = new Delivery(
                    vertx,
                    rig.outbox,
                    List.of(
                            new Destination(rig.queues.get(0), http, pace),
                            new Destination(rig.queues.get(1), s3, pace)),
                    new DeliveryContext(clock, new Random(1), meters, readiness));
            delivery.start();
            return Future.succeededFuture();
        });
    }

    /** Runs a request on the delivery's context, and returns its result. */
    private <T> T on(Callable<Future<T>> request) {
        var answer = Promise.<T>promise();
        context.runOnContext(go -> {
            try {
                request.call().onComplete(answer);
            } catch (Exception failure) {
                answer.fail(failure);
            }
        });
        return wait(answer.future());
    }

    private static <T> T wait(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }

    private WriteResult offer(QueueId queue, String... events) {
        var offer = rig.offer(Map.of(queue, OutboxRig.bytes(events)), Map.of());
        return on(() -> delivery.offer(offer));
    }

    /** Returns once the delivery has received the results of all writes to the outbox before: one follows the other. */
    private void offerNothing() {
        var nothing = rig.offer(Map.of(), Map.of());
        on(() -> delivery.offer(nothing));
    }

    private static List<String> bodies(RememberingSink sink) {
        return sink.taken().stream().map(batch -> OutboxRig.text(batch.body())).toList();
    }

    private double metric(String name) {
        return Arrays.stream(meters.scrape().split("\n"))
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " is not in\n" + meters.scrape()));
    }

    @Test
    void sendsAFullBatchAtOnceAndTheRestWhenItsTimeHasCome() {
        begin(QUICK);
        offer(HTTP, "{1}", "{2}", "{3}", "{4}");
        await().until(() -> bodies(http).size() == 2);
        assertThat(bodies(http)).containsExactly("{\"events\":[{1},{2},{3}]}", "{\"events\":[{4}]}");
        await().until(() -> rig.outbox.view(HTTP).events() == 0);
        assertThat(s3.tries()).isZero();
        await("the mark of nothing to send")
                .until(() -> metric("autoscaling_agent_billing_last_send_duration_seconds{client=\"http\"}") == 1e-6);
    }

    @Test
    void countsTheTimeToTheNextClosingFromTheLastSend() {
        var now = new AtomicReference<>(OutboxRig.NOW);
        begin(new DeliverySchedule(Duration.ofSeconds(10), LONG, SHORT), now::get);
        now.set(OutboxRig.NOW.plusSeconds(8));
        offer(HTTP, "{1}", "{2}", "{3}");
        await().until(() -> rig.outbox.view(HTTP).events() == 0);
        offerNothing();
        now.set(OutboxRig.NOW.plusSeconds(12));
        offer(HTTP, "{4}");
        now.set(OutboxRig.NOW.plusSeconds(18));
        offer(HTTP, "{5}");
        await().until(() -> bodies(http).size() == 2);
        assertThat(bodies(http).getLast()).isEqualTo("{\"events\":[{4},{5}]}");
    }

    @Test
    void sendsWhatAnEarlierProcessLeft() {
        rig.accept(S3, "{1}", "{2}", "{3}");
        begin(RARE);
        await().until(() -> bodies(s3).equals(List.of("{1}\n{2}\n{3}\n")));
    }

    @Test
    void sendsTheSameAgainUntilItIsTakenThoughNothingNewComes() {
        http.fail(3, "HTTP code 503");
        begin(RARE);
        offer(HTTP, "{1}", "{2}", "{3}");
        await().until(() -> http.taken().size() == 1);
        assertThat(http.tries()).isEqualTo(4);
        await().until(() ->
                metric("autoscaling_agent_billing_send_errors_total{cause=\"HTTP code 503\",client=\"http\"}") == 3);
    }

    /** Each cause is a series of the metric. */
    @Test
    void countsFailuresOfManyCausesAsOfOne() {
        begin(QUICK);
        for (int cause = 0; cause < 60; cause++) {
            http.fail(1, "cause " + (char) ('A' + cause));
            offer(HTTP, "{1}", "{2}", "{3}");
            await().until(() -> rig.outbox.view(HTTP).events() == 0);
        }
        assertThat(metric("autoscaling_agent_billing_send_errors_total{cause=\"cause A\",client=\"http\"}"))
                .isEqualTo(1);
        assertThat(metric("autoscaling_agent_billing_send_errors_total{cause=\"other\",client=\"http\"}"))
                .isEqualTo(11);
    }

    @Test
    void closesNothingWhileItsSinkFails() {
        http.fail(Integer.MAX_VALUE, "down");
        begin(QUICK);
        offer(HTTP, "{1}", "{2}", "{3}", "{4}");
        await().until(() -> http.tries() > 5);
        offer(HTTP, "{5}");
        await().until(() -> http.tries() > 10);
        assertThat(rig.outbox.view(HTTP).open()).isEqualTo(2);

        http.fail(0, "");
        await().until(() -> bodies(http).equals(List.of("{\"events\":[{1},{2},{3}]}", "{\"events\":[{4},{5}]}")));
    }

    @Test
    void sendsAllOfItInItsOrderHoweverOftenItsSinkFails() {
        var random = new Random(20250304);
        begin(QUICK);
        var all = new ArrayList<String>();
        for (int offer = 0; offer < 200; offer++) {
            s3.fail(random.nextInt(3), "down");
            var events = IntStream.range(0, 1 + random.nextInt(5))
                    .mapToObj(event -> "{" + (all.size() + event) + "}")
                    .toList();
            all.addAll(events);
            offer(S3, events.toArray(String[]::new));
        }
        await().until(() -> rig.outbox.view(S3).events() == 0);
        assertThat(bodies(s3).stream().flatMap(String::lines)).containsExactlyElementsOf(all);
        assertThat(s3.tries()).isGreaterThan(s3.taken().size());
        assertThat(meters.scrape()).as("two batches at a time").doesNotContain("cause=\"unexpected\"");
    }

    @Test
    void holdsUpNoOtherQueueWhileOneHangs() {
        var latch = new CountDownLatch(1);
        http.hang(latch);
        begin(QUICK);
        offer(HTTP, "{1}", "{2}", "{3}");
        await().until(() -> http.tries() == 1);
        offer(S3, "{4}", "{5}", "{6}");
        await().until(() -> s3.taken().size() == 1);
        latch.countDown();
        await().until(() -> http.taken().size() == 1);
    }

    @Test
    void countsASendThatTakesTooLongAndSendsNothingBesideIt() {
        var latch = new CountDownLatch(1);
        http.hang(latch);
        begin(new DeliverySchedule(LONG, Duration.ofMillis(20), SHORT));
        offer(HTTP, "{1}", "{2}", "{3}");
        await().until(() -> http.tries() == 1);
        await().until(() ->
                metric("autoscaling_agent_billing_send_errors_total{cause=\"timeout\",client=\"http\"}") == 1);
        offer(HTTP, "{4}", "{5}", "{6}");
        assertThat(http.tries()).isEqualTo(1);
        http.fail(1, "late");
        assertThat(metric("autoscaling_agent_billing_last_send_duration_seconds{client=\"http\"}"))
                .isZero();
        latch.countDown();
        await().until(() -> http.taken().size() == 2);
        assertThat(meters.scrape()).as("a failure that is counted already").doesNotContain("cause=\"late\"");
    }

    @Test
    void registersTheNamesOfTheReferenceAtOnce() {
        begin(RARE);
        assertThat(metric("autoscaling_agent_billing_queue_size{client=\"http\"}"))
                .isZero();
        assertThat(metric("autoscaling_agent_scalingevents_queue_size{client=\"s3\"}"))
                .isZero();
        assertThat(metric("autoscaling_agent_billing_last_send_duration_seconds{client=\"http\"}"))
                .isEqualTo(1e-6);
        assertThat(metric("autoscaling_agent_scalingevents_send_errors_total{cause=\"timeout\",client=\"s3\"}"))
                .isZero();
        assertThat(metric("sluice_billing_outbox_bytes{queue=\"billing/http\"}"))
                .isZero();
        assertThat(metric("sluice_billing_outbox_oldest_age_seconds{queue=\"billing/http\"}"))
                .isZero();
        assertThat(metric("sluice_billing_outbox_lost_events_total{queue=\"billing/http\"}"))
                .isZero();
        assertThat(metric("sluice_billing_outbox_quarantined_total{queue=\"billing/http\"}"))
                .isZero();
        assertThat(metric("sluice_billing_outbox_blocked{queue=\"billing/http\"}"))
                .isZero();
    }

    @Test
    void showsThatAQueueIsFullAndTakesTheWriteLater() {
        http.fail(Integer.MAX_VALUE, "down");
        begin(QUICK);
        var large = "{" + "1".repeat(1000) + "}";
        offer(HTTP, large);
        var second = rig.offer(Map.of(HTTP, OutboxRig.bytes(large)), Map.of());
        assertThat(on(() -> delivery.offer(second))).isInstanceOf(WriteResult.Full.class);
        assertThat(metric("sluice_billing_outbox_blocked{queue=\"billing/http\"}"))
                .isEqualTo(1);

        http.fail(0, "");
        await().until(() -> on(() -> delivery.offer(second)) instanceof WriteResult.Taken);
        assertThat(metric("sluice_billing_outbox_blocked{queue=\"billing/http\"}"))
                .isZero();
        await().until(() -> http.taken().size() == 2);
    }

    @Test
    void sendsWhatIsOpenBeforeItStops() throws IOException {
        begin(RARE);
        offer(HTTP, "{1}");
        on(() -> delivery.stop(Duration.ofSeconds(20)));
        assertThat(bodies(http)).containsExactly("{\"events\":[{1}]}");
        assertThat(http.closed()).isTrue();
        rig.open();
        assertThat(rig.outbox.view(HTTP)).isEqualTo(QueueView.EMPTY);
    }

    @Test
    void keepsForTheNextStartWhatItCouldNotSend() throws IOException {
        http.fail(Integer.MAX_VALUE, "down");
        begin(RARE);
        offer(HTTP, "{1}");
        on(() -> delivery.stop(Duration.ofSeconds(20)));
        rig.open();
        assertThat(rig.drain(HTTP)).containsExactly("{\"events\":[{1}]}");
    }

    @Test
    void triesOnceMoreWhenItStopsWhileItPauses() {
        http.fail(1, "down");
        begin(new DeliverySchedule(LONG, LONG, new Backoff(LONG, LONG)));
        offer(HTTP, "{1}", "{2}", "{3}");
        await().until(() -> metric("autoscaling_agent_billing_send_errors_total{cause=\"down\",client=\"http\"}") == 1);
        on(() -> delivery.stop(Duration.ofSeconds(20)));
        assertThat(bodies(http)).containsExactly("{\"events\":[{1},{2},{3}]}");
    }

    @Test
    void stopsThoughASinkHangs() throws IOException {
        var never = new CountDownLatch(1);
        http.hang(never);
        begin(RARE);
        offer(HTTP, "{1}", "{2}", "{3}");
        await().until(() -> http.tries() == 1);
        on(() -> delivery.stop(Duration.ofMillis(50)));
        rig.open();
        assertThat(rig.drain(HTTP)).containsExactly("{\"events\":[{1},{2},{3}]}");
    }

    /** A batch that rotted makes the first attempt fail; the next one finds it set aside. */
    @Test
    void goesOnAfterTheOutboxHasFailed() throws IOException {
        OutboxDiskTest.manyBatches(rig, S3);
        OutboxDiskTest.flip(rig.file(), "{\"batch\":1000");
        begin(QUICK);
        await().until(() -> {
            rig.now = rig.now.plusSeconds(60);
            return s3.taken().size() == 99;
        });
        assertThat(bodies(s3)).noneMatch(body -> body.contains("{\"batch\":1000"));
        assertThat(rig.received.recoveries).isEqualTo(1);
    }
}
