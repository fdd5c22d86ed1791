package io.sluice.gateway;

import io.sluice.gateway.core.HttpAnswer;
import io.sluice.gateway.listener.BodyStart;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** One request under way: it ends with its reply or with the close of its connection, whichever comes first. */
final class Exchange {
    private static final int UNAUTHORIZED = 401;
    private static final String GONE = "gone";

    private final HttpServerRequest request;
    private final BodyStart start;
    private final Future<byte[]> body;
    private Consumer<String> ended = code -> {};
    private Runnable onceOver = () -> {};
    private Optional<String> node = Optional.empty();
    private boolean over;

    /**
     * Takes a request and starts to collect its body. The body is read, or its connection is closed, whatever the reply
     * is.
     */
    Exchange(HttpServerRequest request, int bodyBytesMax) {
        this.request = request;
        request.response().closeHandler(closed -> end(GONE));
        start = BodyStart.of(request, bodyBytesMax);
        body = start.collected().onComplete(settled -> {
            if (over && !request.isEnded()) {
                request.connection().close();
            }
        });
    }

    /** Returns the first bytes of the body; fails if they do not arrive in time. */
    Future<byte[]> body() {
        return body;
    }

    /** Stops waiting for a late body. */
    void bodyLate(Duration within) {
        start.giveUp(within);
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

    boolean isOver() {
        return over;
    }

    /** Replies, unless a reply was sent. After that it closes a connection whose body was given up. */
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
        boolean hangUp = body.isComplete() && !request.isEnded();
        if (hangUp) {
            response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
        end(Integer.toString(answer.status()));
        response.end(answer.body()).onSuccess(sent -> {
            if (hangUp) {
                request.connection().close();
            }
        });
    }

    private void end(String code) {
        if (!over) {
            over = true;
            onceOver.run();
            ended.accept(code);
        }
    }
}
