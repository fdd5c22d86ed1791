package io.sluice.neonvm.api;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Reads an answer of the API server as a whole. An answer that is too long or too late is cut off. The client's own
 * body handlers collect it without a bound, even after the timeout.
 */
final class WholeAnswer {
    /** A page of a list is the longest answer and seldom has more than a tenth of this. */
    static final int BYTES_MAX = 64 << 20;

    private final ByteArrayOutputStream read = new ByteArrayOutputStream();
    private final CompletableFuture<KubernetesApi.Answer> whole = new CompletableFuture<>();

    private WholeAnswer() {}

    /** Runs on threads of the client. */
    static CompletableFuture<KubernetesApi.Answer> to(HttpClient client, HttpRequest request, Duration within) {
        var answer = new WholeAnswer();
        var begun = client.consumeBytes(request, answer::read);
        begun.whenComplete(answer::begun);
        answer.whole.orTimeout(within.toMillis(), TimeUnit.MILLISECONDS).exceptionally(lost -> {
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
                whole.complete(answer(response));
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

    private KubernetesApi.Answer answer(HttpResponse<AsyncBody> response) {
        return KubernetesApi.Answer.of(response.code(), read.toByteArray(), RefusedException.retryAfter(response));
    }
}
