package io.sluice.shell.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** Receives one HTTP response. If it is too long, or not complete in time, it is given up, and its request is reset. */
public final class BoundedAnswer {
    private final HttpClientRequest request;
    private final int bytesMax;
    private final Promise<Whole> answer = Promise.promise();
    private final Buffer taken = Buffer.buffer();

    private BoundedAnswer(HttpClientRequest request, int bytesMax) {
        this.request = request;
        this.bytesMax = bytesMax;
    }

    /**
     * A response.
     *
     * @param head its status and headers
     * @param body the whole of it
     */
    public record Whole(HttpClientResponse head, Buffer body) {
        public int status() {
            return head.statusCode();
        }
    }

    /**
     * The response to a request that is sent with this body. Fails with {@link TimeoutException} if it is not complete
     * in time, with {@link IOException} if it is longer than that many bytes.
     */
    public static Future<Whole> send(
            Vertx vertx, HttpClientRequest request, Buffer body, Duration within, int bytesMax) {
        var exchange = new BoundedAnswer(request, bytesMax);
        long timer = vertx.setTimer(
                Math.max(1, within.toMillis()),
                late -> exchange.giveUp(new TimeoutException("its response did not end in time")));
        request.exceptionHandler(exchange.answer::tryFail);
        request.send(body).onComplete(exchange::begun, exchange.answer::tryFail);
        return exchange.answer.future().onComplete(over -> vertx.cancelTimer(timer));
    }

    private void begun(HttpClientResponse response) {
        response.exceptionHandler(answer::tryFail);
        response.handler(this::take);
        response.endHandler(end -> answer.tryComplete(new Whole(response, taken)));
    }

    private void take(Buffer part) {
        if (taken.length() + part.length() > bytesMax) {
            giveUp(new IOException("its response is longer than " + bytesMax + " bytes"));
        } else {
            taken.appendBuffer(part);
        }
    }

    private void giveUp(Exception reason) {
        if (answer.tryFail(reason)) {
            request.reset();
        }
    }
}
