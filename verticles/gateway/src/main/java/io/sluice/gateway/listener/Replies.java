package io.sluice.gateway.listener;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;

/** Whole replies; unlike those of the library they are dropped where the client is gone. */
public final class Replies {
    private static final String PLAIN = "text/plain; charset=utf-8";
    private static final String JSON = "application/json";

    private Replies() {}

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
