package io.sluice.pods.api;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Reads the answer for one object. An answer that is too long or too late is cut off, so that it ends with its turn.
 * The client's own body handlers collect it without a bound, even after the timeout.
 */
final class AnswerText {
    /** Ten times what an API server stores of one object. */
    static final int BYTES_MAX = 16 << 20;

    private final ByteArrayOutputStream read = new ByteArrayOutputStream();
    private final CompletableFuture<Text> whole = new CompletableFuture<>();

    private AnswerText() {}

    /**
     * An answer.
     *
     * @param status HTTP status
     * @param body the whole of it
     */
    record Text(int status, String body) {}

    /** Runs on threads of the client. */
    static CompletableFuture<Text> to(HttpClient client, HttpRequest request, long withinMs) {
        var answer = new AnswerText();
        var begun = client.consumeBytes(request, answer::read);
        begun.whenComplete(answer::begun);
        answer.whole.orTimeout(withinMs, TimeUnit.MILLISECONDS).exceptionally(lost -> {
            begun.thenAccept(response -> response.body().cancel());
            begun.cancel(true);
            return null;
        });
        return answer.whole;
    }

    private void begun(HttpResponse<AsyncBody> response, Throwable failure) {
        if (failure != null) {
            whole.completeExceptionally(failure);
            return;
        }
        response.body().done().whenComplete((done, broken) -> {
            if (broken == null) {
                whole.complete(new Text(response.code(), read.toString(StandardCharsets.UTF_8)));
            } else {
                whole.completeExceptionally(broken);
            }
        });
        response.body().consume();
    }

    private void read(List<ByteBuffer> pieces, AsyncBody body) {
        for (var piece : pieces) {
            if (piece.remaining() > BYTES_MAX - read.size()) {
                whole.completeExceptionally(new IOException("the answer is longer than " + BYTES_MAX + " bytes"));
                return;
            }
            var bytes = new byte[piece.remaining()];
            piece.get(bytes);
            read.writeBytes(bytes);
        }
        body.consume();
    }
}
