package io.sluice.gateway;

import io.sluice.gateway.core.HttpAnswer;
import io.sluice.gateway.listener.BodyStart;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** One request on its way: answered once, or gone because its connection closed. Whichever comes first ends it. */
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

    /** Takes a request, and starts to collect its body: whatever is answered, the body is taken in or hung up on. */
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

    /** The first bytes of the body; fails when they do not come in time. */
    Future<byte[]> body() {
        return body;
    }

    /** The body is late: it is waited for no longer. */
    void bodyLate(Duration within) {
        start.giveUp(within);
    }

    /** Hears the status that was sent, or that the asker has gone; replaces whoever listened before. */
    void whenOver(Consumer<String> listener) {
        ended = listener;
    }

    /** Does this too when it is over, whoever listens then. */
    void onceOver(Runnable also) {
        onceOver = also;
    }

    /** Says that the body was a request, and on which node its pod runs, as metrics have it. */
    void understood(String podsNode) {
        node = Optional.of(podsNode);
    }

    /** The node of a request; empty while, or if, the body was none. */
    Optional<String> node() {
        return node;
    }

    boolean isOver() {
        return over;
    }

    /** Answers, if nobody has. A connection whose body was given up is of no more use and is closed after that. */
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
