package io.sluice.gateway;

import io.sluice.gateway.core.Caller;
import io.sluice.gateway.core.HttpAnswer;
import io.sluice.trace.TraceSpan;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import java.util.function.Consumer;

/** One request under way: it ends with its reply or with the close of its connection, whichever comes first. */
final class Exchange {
    private static final int UNAUTHORIZED = 401;
    private static final String GONE = "gone";

    private final HttpServerRequest request;
    private Consumer<String> ended = code -> {};
    private Runnable onceOver = () -> {};
    private Caller caller = Caller.ANYBODY;
    private Optional<String> node = Optional.empty();
    private TraceSpan span = TraceSpan.NONE;
    private boolean over;

    Exchange(HttpServerRequest request) {
        this.request = request;
        request.response().closeHandler(closed -> end(GONE));
    }

    HttpServerRequest request() {
        return request;
    }

    /** Sets the client that the listener identified. */
    void identified(Caller client) {
        caller = client;
    }

    Caller caller() {
        return caller;
    }

    /**
     * Sets the listener for the end, which replaces the former one; it receives the status that was sent, or that the
     * client disconnected.
     */
    void whenOver(Consumer<String> listener) {
        ended = listener;
    }

    /** Adds an action to run at the end, beside the listener. */
    void onceOver(Runnable also) {
        onceOver = also;
    }

    /** Records that the body was a request, and the node of its pod for the metrics. */
    void understood(String podsNode) {
        node = Optional.of(podsNode);
    }

    /** Returns the node of the request's pod; empty if the body is not read yet or was no request. */
    Optional<String> node() {
        return node;
    }

    /** Sets the span of its handling, which ends with it. */
    void traced(TraceSpan used) {
        span = used;
    }

    TraceSpan span() {
        return span;
    }

    boolean isOver() {
        return over;
    }

    /** Replies, unless a reply was sent. */
    void answer(HttpAnswer answer) {
        if (over) {
            return;
        }
        var response = request.response();
        response.setStatusCode(answer.status()).putHeader(HttpHeaders.CONTENT_TYPE, answer.contentType());
        answer.retryAfterSeconds().ifPresent(seconds -> response.putHeader(HttpHeaders.RETRY_AFTER, seconds));
        if (answer.status() == UNAUTHORIZED) {
            response.putHeader("WWW-Authenticate", "Bearer");
        }
        end(Integer.toString(answer.status()));
        response.end(answer.body());
    }

    private void end(String code) {
        if (!over) {
            over = true;
            span.outcome(code).end();
            onceOver.run();
            ended.accept(code);
        }
    }
}
