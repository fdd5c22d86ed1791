package io.sluice.neonvm.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.neonvm.api.ScriptedApi;
import io.sluice.neonvm.api.WatchMetrics;
import io.sluice.neonvm.api.WatchedKind;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One watch, with an API server that sends a scripted sequence. */
@ExtendWith(VertxExtension.class)
class KindWatcherTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofSeconds(2);
    private static final String BUSY = """
        {"type":"ERROR","object":{"code":429,"message":"too many"}}
        """;
    private static final String EXPIRED = """
        {"type":"ERROR","object":{"code":410,"message":"too old"}}
        """;

    private final LinkedBlockingQueue<HttpServerRequest> requests = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<String> received = new LinkedBlockingQueue<>();
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private Vertx vertx;
    private ScriptedApi api;
    private KindWatcher watch;

    @BeforeEach
    void keep(Vertx injected) {
        vertx = injected;
    }

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    @DisplayName("F12: a watch resumes at its version however it ended")
    void goesOnWhereItStoppedHoweverItEnded() throws InterruptedException {
        begin(LONG, LONG, requests::add);
        reports(next(5), event("ADDED", 6), response -> response.end());
        reports(next(6), event("MODIFIED", 7), response -> response.reset());
        reports(next(7), event("BOOKMARK", 20), response -> response.end());
        next(20);

        assertThat(received).containsExactly("6", "7");
    }

    @Test
    void goesOnWhereItStoppedWhateverItReceived() throws InterruptedException {
        begin(LONG, LONG, requests::add);
        reports(next(5), BUSY, response -> {});
        reports(next(5), "no JSON\n", response -> {});
        reports(next(5), "{\"type\":\"ADDED\"}\n" + event("DELETED", 8), response -> response.end());
        next(8);

        assertThat(received).containsExactly("gone 8");
    }

    @Test
    @DisplayName("F12: a watch waits for a list after 410")
    void waitsForAFullListWhereTheServerHasForgottenIt() throws InterruptedException {
        begin(LONG, LONG, requests::add);
        reports(next(5), EXPIRED, response -> {});
        assertThat(received.take()).isEqualTo("expired");

        api.onContext(ignored -> {
            watch.listed(30);
            return true;
        });
        next(30).response().setStatusCode(410).end();
        assertThat(received.take()).isEqualTo("expired");
        assertThat(requests).isEmpty();
    }

    /** The event comes after the timeout of any other request. */
    @Test
    void lastsLongerThanARequestAndTakesSilenceForItsEnd() throws InterruptedException {
        beginAtRest(SHORT, SHORT.multipliedBy(2), request -> {
            if (request.getParam("resourceVersion").equals("5")) {
                reports(request, event("BOOKMARK", 5), response -> later(() -> response.write(event("ADDED", 6))));
            } else {
                requests.add(request);
            }
        });

        assertThat(received.take()).isEqualTo("6");
        assertThat(ends("silent")).isZero();
        now.set(now.get().plus(LONG));
        next(6);
        assertThat(ends("silent")).isEqualTo(1);
    }

    /** As behind a proxy that answers, and passes nothing on. */
    @Test
    void isInTroubleAfterTwoSilencesInARow() throws InterruptedException {
        beginAtRest(LONG, Duration.ofSeconds(1), requests::add);
        reports(next(5), event("BOOKMARK", 6), response -> {});
        await(watching -> watch.state().version() == 6);

        now.set(now.get().plus(LONG));
        next(6).response().setChunked(true).writeHead().await();
        await(opened -> watch.state().watching());
        assertThat(watch.trouble()).as("one silence").isEmpty();

        now.set(now.get().plus(LONG));
        var third = next(6);
        var words = watch.trouble().orElseThrow().reason();
        third.response().setChunked(true).writeHead().await();
        await(opened -> watch.state().openings() == 3);
        assertThat(watch.state().watching()).isFalse();
        assertThat(words).isEqualTo("nothing was received for 2 s");

        third.response().write(event("BOOKMARK", 7));
        await(received -> watch.state().watching());
        assertThat(watch.trouble()).isEmpty();
    }

    private void await(Predicate<KindWatcher> condition) {
        Awaitility.await().until(() -> api.onContext(turn -> condition.test(watch)));
    }

    @Test
    void opensAgainWhereNoAnswerBegins() throws InterruptedException {
        beginAtRest(LONG, SHORT, requests::add);
        next(5);
        assertThat(ends("silent")).isZero();
        now.set(now.get().plus(LONG));
        next(5);

        assertThat(ends("silent")).isEqualTo(1);
    }

    /** Otherwise an alert would miss the first one. */
    @Test
    void countsEachWayToEndFromItsBegin() {
        begin(LONG, LONG, requests::add);

        assertThat(List.of("done", "refused", "broken", "silent", "expired"))
                .allSatisfy(end -> assertThat(ends(end)).isZero());
        assertThat(api.meters
                        .get("autoscaling.plugin.watchers.errors")
                        .tag("watcher_instance", "Pods")
                        .counters())
                .extracting(counter -> counter.getId().getTag("source"))
                .containsExactlyInAnyOrder("List", "Watch");
    }

    private double ends(String end) {
        return api.meters
                .get("sluice.cluster.watch.ends")
                .tag("kind", "pods")
                .tag("end", end)
                .counter()
                .count();
    }

    private void later(Runnable work) {
        vertx.setTimer(SHORT.toMillis() + 1_000, late -> work.run());
    }

    private void begin(Duration requestTimeout, Duration silence, Handler<HttpServerRequest> answers) {
        api = new ScriptedApi(vertx, requestTimeout, answers);
        begin(silence, api.shell);
    }

    /** The clock stands still until the test sets it, so a slow machine is no silence. */
    private void beginAtRest(Duration requestTimeout, Duration silence, Handler<HttpServerRequest> answers) {
        api = new ScriptedApi(vertx, requestTimeout, answers);
        begin(silence, new Shell(now::get, api.meters, new Readiness(), new Random(1)));
    }

    private void begin(Duration silence, Shell shell) {
        watch = api.onContext(client -> {
            var dependencies = new KindWatcher.Dependencies(vertx, client, shell, new WatchMetrics(api.meters));
            var begun = new KindWatcher(
                    WatchedKind.PODS, new KindWatcher.Options("", silence), dependencies, new Reported());
            begun.listed(5);
            return begun;
        });
    }

    private final class Reported implements KindWatcher.Listener {
        @Override
        public void changed(JsonNode object, boolean gone) {
            received.add((gone ? "gone " : "")
                    + object.at("/metadata/resourceVersion").asText());
        }

        @Override
        public void expired() {
            received.add("expired");
        }
    }

    private HttpServerRequest next(long version) throws InterruptedException {
        var request = requests.take();
        assertThat(request.getParam("resourceVersion")).isEqualTo(Long.toString(version));
        return request;
    }

    private static void reports(HttpServerRequest request, String text, Consumer<HttpServerResponse> then) {
        var response = request.response().setChunked(true);
        response.write(text).onSuccess(written -> then.accept(response));
    }

    private static String event(String type, long version) {
        return "{\"type\":\"%s\",\"object\":{\"metadata\":{\"resourceVersion\":\"%d\"}}}\n".formatted(type, version);
    }
}
