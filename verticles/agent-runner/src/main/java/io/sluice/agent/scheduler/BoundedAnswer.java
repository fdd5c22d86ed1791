package io.sluice.agent.scheduler;

import io.sluice.agent.scheduler.core.AnswerReader;
import io.sluice.agent.scheduler.core.SchedulerAnswer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import java.time.Duration;
import java.util.Optional;

/** Receives one response. If it is too long, or not complete in time, it is given up, and its connection is closed. */
final class BoundedAnswer {
    private final HttpClientRequest request;
    private final Promise<SchedulerAnswer> answer = Promise.promise();
    private final Buffer taken = Buffer.buffer();

    private BoundedAnswer(HttpClientRequest request) {
        this.request = request;
    }

    /** The response to a request that is sent with this body. */
    static Future<SchedulerAnswer> send(Vertx vertx, HttpClientRequest request, Buffer body, Duration within) {
        var exchange = new BoundedAnswer(request);
        long timer = vertx.setTimer(
                Math.max(1, within.toMillis()), late -> exchange.giveUp("its response did not end in time"));
        request.exceptionHandler(exchange.answer::tryFail);
        request.send(body).onComplete(exchange::begun, exchange.answer::tryFail);
        return exchange.answer.future().onComplete(over -> vertx.cancelTimer(timer));
    }

    private void begun(HttpClientResponse response) {
        response.exceptionHandler(answer::tryFail);
        response.handler(this::take);
        response.endHandler(end -> answer.tryComplete(AnswerReader.read(
                response.statusCode(),
                Optional.ofNullable(response.getHeader(HttpHeaders.RETRY_AFTER)),
                taken.getBytes())));
    }

    private void take(Buffer part) {
        if (taken.length() + part.length() > AnswerReader.BODY_BYTES_MAX) {
            giveUp("its response is longer than " + AnswerReader.BODY_BYTES_MAX + " bytes");
        } else {
            taken.appendBuffer(part);
        }
    }

    private void giveUp(String reason) {
        if (answer.tryFail(new NoAnswerException(reason))) {
            request.reset();
        }
    }
}
