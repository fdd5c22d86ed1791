package io.sluice.gateway.listener;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;

/** Short replies, the same at every listener. */
public final class ShortReplies {
    private static final String PLAIN = "text/plain; charset=utf-8";
    private static final String JSON = "application/json";

    private ShortReplies() {}

    /** Sends text. */
    public static void text(HttpServerRequest request, int status, String text) {
        send(request, status, PLAIN, text);
    }

    /** Sends JSON text. */
    public static void json(HttpServerRequest request, int status, String json) {
        send(request, status, JSON, json);
    }

    /** Sends a refusal, as {@code {"error": sentence}}. */
    public static void error(HttpServerRequest request, int status, String sentence) {
        send(request, status, JSON, new JsonObject().put("error", sentence).encode());
    }

    /**
     * Sends the reply, unless the client is gone. A body that is still arriving is not awaited: the connection ends
     * with this reply.
     */
    public static void send(HttpServerRequest request, int status, String contentType, String body) {
        var response = request.response();
        if (response.closed() || response.ended()) {
            return;
        }
        boolean hangUp = !request.isEnded() && hasBody(request);
        response.setStatusCode(status).putHeader(HttpHeaders.CONTENT_TYPE, contentType);
        if (hangUp) {
            response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
        response.end(body).onComplete(sent -> {
            if (hangUp) {
                request.connection().close();
            }
        });
    }

    private static boolean hasBody(HttpServerRequest request) {
        var length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        return request.headers().contains(HttpHeaders.TRANSFER_ENCODING) || length != null && !length.equals("0");
    }
}
