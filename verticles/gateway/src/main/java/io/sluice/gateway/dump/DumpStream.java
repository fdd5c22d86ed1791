package io.sluice.gateway.dump;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.shell.Dumps.Source;
import io.sluice.shell.config.Durations;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One dump that is sent to one reader, piece by piece: the next piece is requested after the reader has taken the last.
 * Runs on the context on which it was created; sources may reply on any.
 */
final class DumpStream {
    private static final JsonFactory JSON = new JsonFactory();
    private static final String GONE = "null";

    private final Vertx vertx;
    private final Context context;
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final DumpShape shape;
    private final Duration pieceWithin;
    private final Deque<Holder> members = new ArrayDeque<>();
    private final Deque<Map.Entry<String, Source>> parts = new ArrayDeque<>();
    private final Deque<String> keys = new ArrayDeque<>();
    private Consumer<String> ended = outcome -> {};
    private Source source;
    private String beforeMember = "";
    private String beforePart = "";
    private String beforePiece = "";
    private boolean inMember;
    private boolean inPart;
    private boolean over;

    /**
     * A process whose state is read.
     *
     * @param id of the process
     * @param parts what it offers; completes when the process has listed its parts
     */
    record Holder(String id, Supplier<Future<Map<String, Source>>> parts) {}

    DumpStream(Vertx vertx, HttpServerRequest request, DumpShape shape, Duration pieceWithin) {
        this.vertx = vertx;
        this.request = request;
        this.shape = shape;
        this.pieceWithin = pieceWithin;
        context = vertx.getOrCreateContext();
        response = request.response();
    }

    /**
     * Starts the dump.
     *
     * @param atMost a reader that takes longer for all of it is disconnected
     * @param listener receives the outcome once: {@code whole}, {@code left} or {@code late}
     */
    void run(List<Holder> holders, Duration atMost, Consumer<String> listener) {
        long late = vertx.setTimer(atMost.toMillis(), timer -> {
            end("late");
            request.connection().close();
        });
        ended = outcome -> {
            vertx.cancelTimer(late);
            listener.accept(outcome);
        };
        response.closeHandler(closed -> end("left"));
        response.exceptionHandler(broken -> end("left"));
        members.addAll(holders);
        response.write(shape.open());
        next();
    }

    private void next() {
        if (over) {
            return;
        }
        if (response.writeQueueFull()) {
            response.drainHandler(drained -> {
                response.drainHandler(null);
                next();
            });
        } else if (!keys.isEmpty()) {
            readPiece(keys.removeFirst());
        } else if (inPart) {
            inPart = false;
            response.write(shape.partClose());
            next();
        } else if (!parts.isEmpty()) {
            openPart(parts.removeFirst());
        } else if (inMember) {
            inMember = false;
            response.write(shape.memberClose());
            next();
        } else if (!members.isEmpty()) {
            openMember(members.removeFirst());
        } else {
            response.end(shape.close());
            end("whole");
        }
    }

    private void openMember(Holder holder) {
        request(holder.parts(), (offered, failure) -> {
            inMember = failure == null;
            if (inMember) {
                parts.addAll(offered.entrySet());
                response.write(beforeMember + shape.memberOpen(holder.id(), offered));
            } else {
                response.write(beforeMember + shape.memberFailed(holder.id(), sentence(failure)));
            }
            beforeMember = ",";
            beforePart = "";
        });
    }

    private void openPart(Map.Entry<String, Source> part) {
        source = part.getValue();
        inPart = true;
        response.write(beforePart + shape.partOpen(part.getKey()));
        beforePart = ",";
        beforePiece = "";
        request(source::keys, (listed, failure) -> {
            if (failure == null) {
                keys.addAll(listed);
            } else {
                write(shape.partFailed(sentence(failure)));
            }
        });
    }

    private void readPiece(String key) {
        request(() -> source.read(key).map(DumpStream::checked), (json, failure) -> {
            if (failure != null) {
                write(shape.piece(key, shape.failed(key, sentence(failure))));
            } else if (!json.equals(GONE)) {
                write(shape.piece(key, json));
            }
        });
    }

    private void write(String text) {
        response.write(beforePiece + text);
        beforePiece = ",\n";
    }

    /** Each reply is an event of its own on the context of this stream, so that many in a row do not grow the stack. */
    private <T> void request(Supplier<Future<T>> request, BiConsumer<T, Throwable> answered) {
        var answer = Promise.<T>promise();
        long timer = vertx.setTimer(
                pieceWithin.toMillis(),
                late -> answer.tryFail("there was no reply within " + Durations.text(pieceWithin)));
        Future.succeededFuture().compose(go -> request.get()).onComplete(done -> {
            if (done.succeeded()) {
                answer.tryComplete(done.result());
            } else {
                answer.tryFail(done.cause());
            }
        });
        answer.future()
                .onComplete(done -> context.runOnContext(back -> {
                    vertx.cancelTimer(timer);
                    if (!over) {
                        answered.accept(done.result(), done.cause());
                        next();
                    }
                }));
    }

    /** One piece that is not JSON would make the whole dump invalid. */
    private static String checked(String json) {
        try (var parser = JSON.createParser(json)) {
            JsonToken begin = parser.nextToken();
            parser.skipChildren();
            if (begin == null || parser.nextToken() != null) {
                throw new IllegalStateException("this is not one JSON value");
            }
            return json;
        } catch (IOException garbage) {
            throw new IllegalStateException("this is not JSON", garbage);
        }
    }

    private static String sentence(Throwable failure) {
        return failure.getMessage() == null ? failure.toString() : failure.getMessage();
    }

    private void end(String outcome) {
        if (!over) {
            over = true;
            ended.accept(outcome);
        }
    }
}
