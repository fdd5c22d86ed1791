package io.sluice.gateway.listener;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;

/** Whole requests and replies; unlike those of the library, replies are dropped where the client is gone. */
public final class Replies {
    private static final String PLAIN = "text/plain; charset=utf-8";
    private static final String JSON = "application/json";
    private static final Duration BODY_WITHIN = Duration.ofSeconds(5);
    private static final String BODY_TIMER = "body-timer";

    private Replies() {}

    /**
     * Fails a request unless its body arrives within 5 s: otherwise a client that never ends a body keeps it, and its
     * connection. The library's timeout handler would replace the end handler by which the listener counts its
     * requests.
     */
    public static void awaitBody(RoutingContext context) {
        context.put(BODY_TIMER, context.vertx().setTimer(BODY_WITHIN.toMillis(), late -> context.fail(408)));
        context.addBodyEndHandler(replied -> bodyArrived(context));
        context.next();
    }

    /** The body of a request has arrived; its reply may take longer. */
    public static void bodyArrived(RoutingContext context) {
        context.vertx().cancelTimer(context.<Long>get(BODY_TIMER));
    }

    /** Sends text. */
    public static void text(RoutingContext context, int status, String text) {
        send(context, status, PLAIN, Buffer.buffer(text));
    }

    /** Sends JSON text. */
    public static void json(RoutingContext context, int status, Buffer json) {
        send(context, status, JSON, json);
    }

    /** Sends a body, unless the client is gone or has a reply. */
    public static void send(RoutingContext context, int status, String contentType, Buffer body) {
        var response = context.response();
        if (!response.closed() && !response.ended()) {
            response.setStatusCode(status)
                    .putHeader(HttpHeaders.CONTENT_TYPE, contentType)
                    // Vert.x itself leaves it out of a reply to HEAD.
                    .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length()))
                    .end(body);
        }
    }
}
