package io.sluice.neonvm.api;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.shell.Shell;
import io.sluice.shell.TokenReviewResult;
import io.sluice.shell.TokenReviewer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/** Sends token reviews to the API server. Nothing of an answer is logged, as it contains the token. */
public final class TokenReviews implements TokenReviewer {
    private static final String PATH = "/apis/authentication.k8s.io/v1/tokenreviews";

    private final KubernetesApi api;

    /** Reviews by a client that the caller closes. */
    public TokenReviews(Vertx vertx, KubernetesClient client, KubernetesConfig config, Shell shell) {
        api = new KubernetesApi(vertx, client, config, shell.meters());
    }

    @Override
    public Future<TokenReviewResult> review(String token, String audience) {
        return api.create(TokenReviewObjects.KIND, PATH, TokenReviewObjects.create(token, audience))
                .transform(ended -> ended.failed()
                        ? Future.failedFuture(lost(KubernetesApi.words(ended.cause()), token))
                        : read(ended.result(), token, audience));
    }

    private static Future<TokenReviewResult> read(KubernetesApi.Answer answer, String token, String audience) {
        return answer.isSuccess()
                ? Future.succeededFuture(TokenReviewObjects.read(answer.body(), token, audience))
                : Future.failedFuture(lost(
                        answer.status() + " " + answer.body().path("message").asText(""), token));
    }

    private static IllegalStateException lost(String words, String token) {
        return new IllegalStateException(TokenReviewObjects.words(words, token));
    }
}
