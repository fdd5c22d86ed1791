package io.sluice.agent.scrape;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * One scrape. It is over when the whole text has arrived, on the first error, or at the timeout. Unless it succeeds,
 * its connection is closed, and what still arrives on it is dropped.
 */
final class ScrapeAttempt {
    private static final int OK = 200;

    private final Vertx vertx;
    private final Duration timeout;
    private final int maxBytes;
    private final Promise<byte[]> text = Promise.promise();
    private final long timer;
    private Optional<HttpClientRequest> request = Optional.empty();
    private byte[] body;
    private int length;

    /**
     * The timeout begins here, and includes the time to connect.
     *
     * @param expectedBytes the likely length of the text; if it is right, the text is copied once
     */
    ScrapeAttempt(Vertx vertx, Duration timeout, int maxBytes, int expectedBytes) {
        this.vertx = vertx;
        this.timeout = timeout;
        this.maxBytes = maxBytes;
        this.body = new byte[expectedBytes];
        this.timer = vertx.setTimer(timeout.toMillis(), end -> late());
    }

    Future<byte[]> text() {
        return text.future();
    }

    void connected(HttpClientRequest connection) {
        connection.exceptionHandler(this::broken);
        if (text.future().isComplete()) {
            connection.reset();
            return;
        }
        request = Optional.of(connection);
        connection.send().onComplete(this::answered, this::broken);
    }

    void unreachable(Throwable fault) {
        fail(ScrapeOutcome.REFUSED, "cannot be reached: " + inWords(fault));
    }

    private void answered(HttpClientResponse response) {
        response.exceptionHandler(this::broken);
        if (response.statusCode() != OK) {
            fail(ScrapeOutcome.STATUS, "answered " + response.statusCode());
            return;
        }
        var encoding = response.getHeader(HttpHeaders.CONTENT_ENCODING);
        if (encoding != null && !"identity".equalsIgnoreCase(encoding)) {
            fail(ScrapeOutcome.MALFORMED, "answered in " + encoding + ", which was not requested");
            return;
        }
        response.handler(this::part);
        response.endHandler(end -> whole());
    }

    private void part(Buffer part) {
        int longer = length + part.length();
        if (longer > maxBytes) {
            fail(ScrapeOutcome.TOO_LONG, "the response is longer than " + maxBytes + " bytes");
            return;
        }
        if (longer > body.length) {
            body = Arrays.copyOf(body, Math.min(maxBytes, Math.max(longer, 2 * body.length)));
        }
        part.getBytes(body, length);
        length = longer;
    }

    private void whole() {
        if (text.tryComplete(length == body.length ? body : Arrays.copyOf(body, length))) {
            vertx.cancelTimer(timer);
        }
    }

    private void late() {
        fail(ScrapeOutcome.LATE, "no complete response in " + timeout.toMillis() + " ms");
    }

    private void broken(Throwable fault) {
        fail(ScrapeOutcome.BROKEN, "the connection ended: " + inWords(fault));
    }

    /** The first reason counts; later ones follow from closing the connection. */
    private void fail(ScrapeOutcome outcome, String sentence) {
        if (text.tryFail(new ScrapeFailedException(outcome, sentence))) {
            vertx.cancelTimer(timer);
            request.ifPresent(HttpClientRequest::reset);
        }
    }

    private static String inWords(Throwable fault) {
        return Objects.requireNonNullElseGet(fault.getMessage(), fault::toString);
    }
}
