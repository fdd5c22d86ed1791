package io.sluice.gateway;

import static io.sluice.gateway.ListenerFixture.body;
import static io.sluice.gateway.ListenerFixture.limits;
import static io.sluice.gateway.ListenerFixture.until;
import static io.sluice.gateway.ListenerFixture.untilInTime;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.junit5.VertxExtension;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class AgentApiLoadTest {
    private static final int RATE = 1;
    private static final int BURST = 5;

    @Test
    @DisplayName("F18: a noisy VM gets 429 and the others are served")
    void turnsOneNoisyPodAwayAndServesTheOthers(Vertx vertx) throws Exception {
        var listener = new ListenerFixture(vertx, limits(RATE, BURST, 512)).listed();
        long before = System.nanoTime();
        var storm = new ArrayList<CompletableFuture<HttpResponse<String>>>();
        for (int i = 0; i < 200; i++) {
            storm.add(listener.posting(body("a-0", 2, ",\"session\":1,\"seq\":" + (i + 1))));
        }
        // A gateway that gets no CPU for seconds refuses all with 503 for a while.
        until(() -> listener.post(body("b-0", 2, "")).statusCode() == 200);
        int served = 0;
        int turnedAway = 0;
        for (var one : storm) {
            var answer = one.get();
            served += answer.statusCode() == 200 ? 1 : 0;
            turnedAway += answer.statusCode() == 429 ? 1 : 0;
            if (answer.statusCode() != 200) {
                assertThat(answer.statusCode()).isIn(429, 503);
                assertThat(answer.headers().firstValue("retry-after")).isPresent();
            }
        }
        long seconds = Duration.ofNanos(System.nanoTime() - before).toSeconds() + 1;
        assertThat(served).isBetween(1, (int) Math.min(BURST + RATE * seconds, 199));
        assertThat(storm.size() - turnedAway).as("not turned away").isGreaterThanOrEqualTo(BURST);
        assertThat(listener.ledger.requests)
                .filteredOn(request -> request.pod().equals("pod-a"))
                .hasSizeBetween(served, storm.size() - turnedAway);
    }

    /** The first client writes without waiting for replies; the second sends at most twenty requests a second. */
    @Test
    @DisplayName("F18: a flood on one connection takes nothing from the others")
    void aFloodOnOneConnectionTakesNothingFromTheOthers(Vertx vertx) throws Exception {
        var listener = new ListenerFixture(vertx, limits(30, 60, 64)).listed();
        try (var flood = new Flood(listener.gateway.agentPort(), body("a-0", 2, ""))) {
            until(() -> flood.answers("429") > 100);
            int served = 0;
            while (served < 50) {
                int status = listener.post(body("b-0", 2, "")).statusCode();
                // A gateway or a ledger that gets no CPU for seconds refuses all with 503 for a while.
                assertThat(status).isIn(200, 503);
                served += status == 200 ? 1 : 0;
                vertx.timer(50, TimeUnit.MILLISECONDS).await();
            }
            long before = flood.answers("429");
            until(() -> flood.answers("429") > before + 100);
            assertThat(flood.answers("200")).isPositive();
            assertThat(flood.answers("500") + flood.answers("400")).isZero();
            long turnedAway = flood.answers("429");
            assertThat(flood.retryAfters()).isGreaterThanOrEqualTo(turnedAway);
        }
    }

    @Test
    void turnsAwayAtOnceWhatItCannotAnswerInTime(Vertx vertx) throws Exception {
        var listener = new ListenerFixture(vertx, limits(1_000_000, 1_000_000, 16)).listed();
        var held = Promise.<PermitReply>promise();
        listener.ledger.answerRequests(request -> held.future());
        var all = new ArrayList<CompletableFuture<HttpResponse<String>>>();
        for (int i = 0; i < 300; i++) {
            all.add(listener.posting(body("a-0", 2, ",\"session\":1,\"seq\":" + (i + 1))));
        }
        until(() -> all.stream().filter(CompletableFuture::isDone).count() >= 300 - 16);
        held.complete(new PermitReply.Superseded(2, "A"));
        for (var one : all) {
            var answer = one.get();
            assertThat(answer.statusCode()).isIn(409, 429, 503);
            if (answer.statusCode() != 409) {
                assertThat(answer.headers().firstValue("retry-after")).isPresent();
            }
        }
        listener.ledger.answerRequests(request -> Future.succeededFuture(listener.ledger.ruled(request, false)));
        until(() -> listener.post(body("b-0", 2, "")).statusCode() == 200);
    }

    @Test
    void turnsAwayWhatIsBeyondTheWholeListener(Vertx vertx) throws Exception {
        var listener = new ListenerFixture(vertx, limits(1000, 1000, 2)).listed();
        var held = Promise.<PermitReply>promise();
        listener.ledger.answerRequests(request -> held.future());
        var first = listener.posting(body("a-0", 2, ",\"session\":1,\"seq\":1"));
        var second = listener.posting(body("b-0", 2, ",\"session\":1,\"seq\":1"));
        until(() -> listener.ledger.requests.size() == 2);
        var third = listener.post(body("b-0", 2, ",\"session\":1,\"seq\":2"));
        assertThat(third.statusCode()).isEqualTo(503);
        assertThat(third.headers().firstValue("retry-after")).contains("1");
        held.complete(new PermitReply.Superseded(2, "A"));
        // They have 503 if they were held for longer than a permit request lasts.
        assertThat(first.get().statusCode()).isIn(409, 503);
        assertThat(second.get().statusCode()).isIn(409, 503);
        assertThat(listener.post(body("b-0", 2, ",\"session\":1,\"seq\":3")).statusCode())
                .isEqualTo(409);
    }

    /** Only the head of the request is sent: its reply cannot depend on the body. */
    @Test
    void turnsAwayBeforeItReadsTheBody() {
        untilInTime(limits(1000, 1000, 1), AgentApiLoadTest::isTurnedAwayWhileAnotherIsHeld);
    }

    private static boolean isTurnedAwayWhileAnotherIsHeld(ListenerFixture listener) throws Exception {
        var held = Promise.<PermitReply>promise();
        listener.ledger.answerRequests(request -> held.future());
        var first = listener.posting(body("a-0", 2, ",\"session\":1,\"seq\":1"));
        until(() -> listener.ledger.requests.size() == 1);
        try (var socket = new Socket("127.0.0.1", listener.gateway.agentPort())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream()
                    .write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            var status = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
            held.complete(new PermitReply.Superseded(2, "A"));
            if (first.get().statusCode() == 503) {
                return false;
            }
            assertThat(status).isEqualTo("HTTP/1.1 503");
            assertThat(first.get().statusCode()).isEqualTo(409);
            // The body of the refused request is discarded, and the connection serves the next one.
            socket.getOutputStream()
                    .write(("x".repeat(100) + "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .contains("HTTP/1.1 400")
                    .endsWith("must be POST");
            return true;
        }
    }

    /** Its only event loop stands still for longer than the limit; then it reads what was sent meanwhile. */
    @Test
    @DisplayName("F7: what was sent while the process stood still is refused, and what comes later is served")
    void refusesWhatWasSentWhileItStoodStill() throws Exception {
        var vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        try (var socket = new Socket()) {
            var lagMax = Duration.ofMillis(500);
            var config = limits(1_000, 1_000, 16, TokenReviewConfig.DEFAULTS, lagMax);
            var listener = new ListenerFixture(vertx, config).listed();
            socket.connect(new InetSocketAddress("127.0.0.1", listener.gateway.agentPort()));
            var standsStill = new CountDownLatch(1);
            var goesOn = new CountDownLatch(1);
            vertx.runOnContext(stop -> {
                standsStill.countDown();
                try {
                    goesOn.await();
                } catch (InterruptedException over) {
                    Thread.currentThread().interrupt();
                }
            });
            standsStill.await();
            long since = System.nanoTime();
            var request = body("a-0", 2, "");
            socket.getOutputStream().write(post(request));
            until(() -> System.nanoTime() - since > 2 * lagMax.toNanos());
            goesOn.countDown();
            assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                    .isEqualTo("HTTP/1.1 503");
            assertThat(listener.ledger.requests).isEmpty();
            until(() -> listener.post(request).statusCode() == 200);
        } finally {
            vertx.close().await();
        }
    }

    @Test
    void dropsARequestWhenItsClientDisconnectsWhileItWaits() {
        untilInTime(limits(1_000_000, 1_000_000, 512), AgentApiLoadTest::isDroppedWhileAnotherIsHeld);
    }

    private static boolean isDroppedWhileAnotherIsHeld(ListenerFixture listener) throws Exception {
        var held = Promise.<PermitReply>promise();
        listener.ledger.answerRequests(request ->
                request.seq() == 1 ? held.future() : Future.succeededFuture(listener.ledger.ruled(request, false)));
        var first = listener.posting(body("a-0", 2, ""));
        until(() -> listener.ledger.requests.size() == 1);
        String waiting = body("a-0", 7, "");
        var socket = new Socket("127.0.0.1", listener.gateway.agentPort());
        socket.getOutputStream().write(post(waiting));
        until(() -> listener.inFlight() == 2 || first.isDone());
        socket.close();
        until(() -> listener.inFlight() == 1 || first.isDone());
        held.complete(listener.ledger.ruled(listener.ledger.requests.getFirst(), false));
        if (first.get().statusCode() == 503) {
            return false;
        }
        assertThat(first.get().statusCode()).isEqualTo(200);
        assertThat(listener.post(body("a-0", 3, "")).statusCode()).isEqualTo(200);
        assertThat(listener.ledger.requests)
                .extracting(PermitRequest::target)
                .extracting(target -> target.milliCpu())
                .containsExactly(500L, 750L);
        return true;
    }

    @Test
    void answersWhenTheLedgerDoesNot(Vertx vertx) throws Exception {
        var listener = new ListenerFixture(vertx).listed();
        listener.ledger.answerRequests(request -> Promise.<PermitReply>promise().future());
        var lost = listener.post(body("a-0", 2, ""));
        assertThat(lost.statusCode()).isEqualTo(503);
        assertThat(lost.headers().firstValue("retry-after")).contains("1");
        listener.ledger.answerRequests(request -> Future.succeededFuture(listener.ledger.ruled(request, false)));
        assertThat(listener.post(body("a-0", 2, "")).statusCode()).isEqualTo(200);
        assertThat(listener.ledger.requests).extracting(PermitRequest::seq).containsExactly(1L, 2L);
    }

    private static byte[] post(String body) {
        return ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
    }
}
