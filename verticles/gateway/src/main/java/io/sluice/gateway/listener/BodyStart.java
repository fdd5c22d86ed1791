package io.sluice.gateway.listener;

import io.sluice.shell.config.Durations;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;

/** Collects the first bytes of a request's body and discards the rest. */
public final class BodyStart {
    private static final int PASSED_BY_MAX = 1024 * 1024;

    private final int bytesMax;
    private final Promise<byte[]> collected = Promise.promise();
    private final Buffer start = Buffer.buffer();
    private long passed;

    private BodyStart(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    /**
     * Returns the first bytes, once the body has ended or much more than is needed has arrived. Fails if the connection
     * closes or the body does not arrive in time.
     */
    public static Future<byte[]> of(Vertx vertx, HttpServerRequest request, int bytesMax, Duration within) {
        var body = of(request, bytesMax);
        long timer = vertx.setTimer(within.toMillis(), late -> body.giveUp(within));
        return body.collected().onComplete(done -> vertx.cancelTimer(timer));
    }

    /** Does the same without a timeout of its own, for a caller that has one timer for many requests. */
    public static BodyStart of(HttpServerRequest request, int bytesMax) {
        var body = new BodyStart(bytesMax);
        request.handler(body::take);
        request.endHandler(end -> body.complete());
        request.exceptionHandler(body.collected::tryFail);
        return body;
    }

    /** Returns the first bytes; fails if they did not arrive. */
    public Future<byte[]> collected() {
        return collected.future();
    }

    /** Stops waiting; changes nothing if the body has arrived. */
    public void giveUp(Duration within) {
        collected.tryFail("the body did not arrive within " + Durations.text(within));
    }

    private void take(Buffer chunk) {
        int wanted = Math.min(chunk.length(), bytesMax - start.length());
        if (wanted > 0) {
            start.appendBuffer(chunk, 0, wanted);
        }
        passed += chunk.length();
        if (passed > PASSED_BY_MAX) {
            complete();
        }
    }

    private void complete() {
        collected.tryComplete(start.getBytes());
    }
}
