package io.sluice.gateway.listener;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The reply to a request that failed or has no route, as {@code {"error": sentence}}; the same at every listener. */
final class FailureReply {
    private static final Logger LOG = LoggerFactory.getLogger(FailureReply.class);
    private static final int PROGRAM_ERROR = 500;

    private FailureReply() {}

    /**
     * Sends it, unless the client is gone. A reply that has begun cannot become a failure: its connection is closed.
     */
    static void send(RoutingContext context, int failed) {
        var failure = context.failure();
        boolean isRefusal = failure == null || failure instanceof HttpException || failed != PROGRAM_ERROR;
        if (!isRefusal) {
            LOG.atError().setCause(failure).log("A request failed because of a program error.");
        }
        var response = context.response();
        if (response.closed() || response.ended()) {
            return;
        }
        if (response.headWritten()) {
            context.request().connection().close();
            return;
        }
        // The body handler reports a body that broke off with status 200.
        int status = failed < 400 ? 400 : failed;
        if (status == 401) {
            response.putHeader("WWW-Authenticate", "Bearer");
        } else if (status == 405 && !response.headers().contains(HttpHeaders.ALLOW)) {
            response.putHeader(HttpHeaders.ALLOW, "GET");
        }
        Replies.json(
                context,
                status,
                new JsonObject().put("error", sentence(status, failure)).toBuffer());
    }

    private static String sentence(int status, Throwable failure) {
        if (failure instanceof HttpException refused && refused.getPayload() != null) {
            return refused.getPayload();
        }
        return switch (status) {
            case 400 -> "this request cannot be read";
            case 404 -> "this path does not exist";
            case 405 -> "this path needs GET";
            case 408 -> "the body did not arrive in time";
            case 413 -> "the body is too long";
            case PROGRAM_ERROR -> "this request failed because of a program error; the log has the cause";
            default -> "this request cannot be served";
        };
    }
}
