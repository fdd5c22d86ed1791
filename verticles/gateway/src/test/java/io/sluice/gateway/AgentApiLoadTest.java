package io.sluice.gateway;

import static io.sluice.gateway.ListenerFixture.body;
import static io.sluice.gateway.ListenerFixture.limits;
import static io.sluice.gateway.ListenerFixture.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@Timeout(60)
@ExtendWith(VertxExtension.class)
class AgentApiLoadTest {
    @Test
    @DisplayName("F18: a noisy VM gets 429 and the others are served")
    void turnsOneNoisyPodAwayAndServesTheOthers(Vertx vertx) throws Exception {
        var listener = new ListenerFixture(vertx, limits(1, 5, 512)).listed();
        var storm = new ArrayList<CompletableFuture<HttpResponse<String>>>();
        for (int i = 0; i < 200; i++) {
            storm.add(listener.posting(body("a-0", 2, ",\"session\":1,\"seq\":" + (i + 1))));
        }
        long before = System.nanoTime();
        assertThat(listener.post(body("b-0", 2, "")).statusCode()).isEqualTo(200);
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(2));
        int served = 0;
        for (var one : storm) {
            var answer = one.get();
            served += answer.statusCode() == 200 ? 1 : 0;
            if (answer.statusCode() != 200) {
                assertThat(answer.statusCode()).isEqualTo(429);
                assertThat(answer.headers().firstValue("retry-after")).isPresent();
            }
        }
        assertThat(served).isBetween(5, 30);
        assertThat(listener.ledger.requests).hasSize(served + 1);
    }

    /** The first client writes without waiting for replies; the second sends at most twenty requests a second. */
    @Test
    @DisplayName("F18: a flood on one connection takes nothing from the others")
    void aFloodOnOneConnectionTakesNothingFromTheOthers(Vertx vertx) throws Exception {
        var listener = new ListenerFixture(vertx, limits(30, 60, 64)).listed();
        try (var flood = new Flood(listener.gateway.agentPort(), body("a-0", 2, ""))) {
            until(() -> flood.answers("429") > 100);
            int served = 0;
            for (int i = 0; i < 50; i++) {
                served += listener.post(body("b-0", 2, "")).statusCode() == 200 ? 1 : 0;
                vertx.timer(50, TimeUnit.MILLISECONDS).await();
            }
            long before = flood.answers("429");
            until(() -> flood.answers("429") > before + 100);
            assertThat(served).isEqualTo(50);
            assertThat(flood.answers("200")).isPositive();
            assertThat(flood.answers("500") + flood.answers("503") + flood.answers("400"))
                    .isZero();
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
        assertThat(listener.post(body("b-0", 2, "")).statusCode()).isEqualTo(200);
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
        assertThat(first.get().statusCode()).isEqualTo(409);
        assertThat(second.get().statusCode()).isEqualTo(409);
        assertThat(listener.post(body("b-0", 2, ",\"session\":1,\"seq\":3")).statusCode())
                .isEqualTo(409);
    }

    /** Only the head of the request is sent: its reply cannot depend on the body. */
    @Test
    void turnsAwayBeforeItReadsTheBody(Vertx vertx) throws Exception {
        var listener = new ListenerFixture(vertx, limits(1000, 1000, 1)).listed();
        var held = Promise.<PermitReply>promise();
        listener.ledger.answerRequests(request -> held.future());
        var first = listener.posting(body("a-0", 2, ",\"session\":1,\"seq\":1"));
        until(() -> listener.ledger.requests.size() == 1);
        try (var socket = new Socket("127.0.0.1", listener.gateway.agentPort())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            var status = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
            assertThat(status).isEqualTo("HTTP/1.1 503");
            // The body of the refused request is discarded, and the connection serves the next one.
            held.complete(new PermitReply.Superseded(2, "A"));
            assertThat(first.get().statusCode()).isEqualTo(409);
            socket.getOutputStream()
                    .write(("x".repeat(100) + "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .contains("HTTP/1.1 400")
                    .endsWith("must be POST");
        }
    }

    @Test
    void dropsARequestWhenItsClientDisconnectsWhileItWaits(Vertx vertx) throws Exception {
        var listener = new ListenerFixture(vertx).listed();
        var held = Promise.<PermitReply>promise();
        listener.ledger.answerRequests(request ->
                request.seq() == 1 ? held.future() : Future.succeededFuture(listener.ledger.ruled(request, false)));
        var first = listener.posting(body("a-0", 2, ""));
        until(() -> listener.ledger.requests.size() == 1);
        String waiting = body("a-0", 7, "");
        var socket = new Socket("127.0.0.1", listener.gateway.agentPort());
        socket.getOutputStream()
                .write(("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + waiting.length() + "\r\n\r\n"
                                + waiting)
                        .getBytes(StandardCharsets.US_ASCII));
        until(() -> listener.meters.get("sluice.gateway.agent.inflight").gauge().value() == 2);
        socket.close();
        until(() -> listener.meters.get("sluice.gateway.agent.inflight").gauge().value() == 1);
        held.complete(listener.ledger.ruled(listener.ledger.requests.getFirst(), false));
        assertThat(first.get().statusCode()).isEqualTo(200);
        assertThat(listener.post(body("a-0", 3, "")).statusCode()).isEqualTo(200);
        assertThat(listener.ledger.requests)
                .extracting(PermitRequest::target)
                .extracting(target -> target.milliCpu())
                .containsExactly(500L, 750L);
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
}
