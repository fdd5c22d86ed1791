package io.sluice.neonvm.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.vertx.core.Context;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * A streamed answer of the API server. The next part is read only after the former part was processed, so nothing
 * accumulates. A server that cannot send on ends the stream.
 */
public final class JsonStream {
    private static final int OK = 200;

    private final Context context;
    private final Listener listener;
    private final JsonLines lines = new JsonLines();
    private CompletableFuture<HttpResponse<AsyncBody>> answer = new CompletableFuture<>();
    private boolean ended;

    private JsonStream(Context context, Listener listener) {
        this.context = context;
        this.listener = listener;
    }

    /** Receives the lines and the end of a stream, on one context. */
    public interface Listener {
        /** The server has begun to answer. */
        void opened();

        void line(JsonNode line);

        /** The stream has ended. Called once, and not after {@link JsonStream#close}. */
        void ended(Optional<Throwable> failure);
    }

    /** To be called on the context. */
    static JsonStream open(HttpClient client, HttpRequest request, Context context, Listener listener) {
        var stream = new JsonStream(context, listener);
        try {
            stream.answer = client.consumeBytes(request, stream::read);
        } catch (RuntimeException notMade) {
            // The client throws where it cannot make the request, as without a token.
            stream.answer = CompletableFuture.failedFuture(notMade);
        }
        stream.answer.whenComplete((answer, failure) -> context.runOnContext(turn -> stream.answered(answer, failure)));
        return stream;
    }

    /** To be called on the context. The listener is not called any more. */
    public void close() {
        ended = true;
        answer.thenAccept(begun -> begun.body().cancel());
    }

    private void answered(HttpResponse<AsyncBody> begun, Throwable failure) {
        if (ended) {
            return;
        }
        if (failure != null) {
            end(Optional.of(failure));
            return;
        }
        if (begun.code() != OK) {
            begun.body().cancel();
            end(Optional.of(new RefusedException(
                    begun.request().uri().getPath(), begun.code(), RefusedException.retryAfter(begun))));
            return;
        }
        begun.body()
                .done()
                .whenComplete((done, broken) -> context.runOnContext(turn -> end(Optional.ofNullable(broken))));
        listener.opened();
        begun.body().consume();
    }

    /** Runs on a thread of the client, one call at a time. */
    private void read(List<ByteBuffer> pieces, AsyncBody body) {
        try {
            var read = lines.take(pieces);
            context.runOnContext(turn -> {
                read.stream().takeWhile(line -> !ended).forEach(listener::line);
                body.consume();
            });
        } catch (IOException noJson) {
            body.cancel();
            context.runOnContext(turn -> end(Optional.of(noJson)));
        }
    }

    private void end(Optional<Throwable> failure) {
        if (!ended) {
            ended = true;
            listener.ended(failure.map(JsonStream::cause));
        }
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : failure;
    }
}
