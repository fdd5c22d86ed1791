package io.sluice.agent.scheduler;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.WriteStream;
import io.vertx.ext.web.codec.BodyCodec;
import io.vertx.ext.web.codec.spi.BodyStream;
import java.time.Instant;
import java.time.InstantSource;

/** Takes the body of an answer in; one that is too long, or still comes after its time, is given up. */
final class ShortBody implements BodyCodec<byte[]> {
    private final int bytesMax;
    private final InstantSource clock;
    private final Instant end;

    ShortBody(int bytesMax, InstantSource clock, Instant end) {
        this.bytesMax = bytesMax;
        this.clock = clock;
        this.end = end;
    }

    @Override
    public BodyStream<byte[]> stream() {
        return new Taking();
    }

    private final class Taking implements BodyStream<byte[]> {
        private final Buffer taken = Buffer.buffer();
        private final Promise<byte[]> whole = Promise.promise();

        @Override
        public Future<Void> write(Buffer part) {
            if (taken.length() + part.length() > bytesMax) {
                return givenUp("its answer is longer than " + bytesMax + " bytes");
            }
            if (clock.instant().isAfter(end)) {
                return givenUp("its answer did not end in time");
            }
            taken.appendBuffer(part);
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> end() {
            whole.tryComplete(taken.getBytes());
            return Future.succeededFuture();
        }

        private Future<Void> givenUp(String reason) {
            var failure = new NoAnswerException(reason);
            whole.tryFail(failure);
            return Future.failedFuture(failure);
        }

        @Override
        public Future<byte[]> result() {
            return whole.future();
        }

        @Override
        public void handle(Throwable broken) {
            whole.tryFail(broken);
        }

        @Override
        public WriteStream<Buffer> exceptionHandler(Handler<Throwable> handler) {
            return this;
        }

        @Override
        public WriteStream<Buffer> setWriteQueueMaxSize(int size) {
            return this;
        }

        @Override
        public boolean writeQueueFull() {
            return false;
        }

        @Override
        public WriteStream<Buffer> drainHandler(Handler<Void> handler) {
            return this;
        }
    }
}
