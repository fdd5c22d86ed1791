package io.sluice.neonvm.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.shell.TokenReviewResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.junit5.VertxExtension;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Goal: a review accepts, rejects, or reports that no API server could be reached. Method: a stand-in for the API
 * server.
 */
@ExtendWith(VertxExtension.class)
class TokenReviewsTest {
    private static final String TOKEN = "head.body.seal";

    private volatile Consumer<HttpServerRequest> answer = request -> {};
    private KubernetesClient client;
    private TokenReviews reviews;

    @BeforeEach
    void open(Vertx vertx) {
        var server = vertx.createHttpServer()
                .requestHandler(request -> answer.accept(request))
                .listen(0, "127.0.0.1")
                .await();
        var config = KubernetesConfig.DEFAULTS.at("http://127.0.0.1:" + server.actualPort());
        client = KubernetesConnection.open(config);
        reviews = new TokenReviews(
                vertx,
                client,
                config,
                new Shell(new MonotonicClock(), new SimpleMeterRegistry(), new Readiness(), new Random(1)));
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void passesOnWhatTheServerReplies() {
        answer = request -> request.response()
                .setStatusCode(
                        request.path().equals("/apis/authentication.k8s.io/v1/tokenreviews")
                                        && request.method().name().equals("POST")
                                ? 201
                                : 404)
                .end("""
                    {"status":{"authenticated":true,"audiences":["sluice"],"user":{"username":"u"}}}\
                    """);
        assertThat(reviews.review(TOKEN, "sluice").await())
                .isEqualTo(new TokenReviewResult.Accepted("u", Optional.empty(), Optional.empty()));
        assertThat(reviews.review(TOKEN, "other").await()).isInstanceOf(TokenReviewResult.Rejected.class);
    }

    @Test
    void aServerThatDoesNotReplyReportsNothingOfTheToken() {
        answer = request -> request.response()
                .setStatusCode(403)
                .end("{\"message\":\"tokenreviews is forbidden: head.body.seal\"}");
        assertThat(failure(reviews.review(TOKEN, "sluice"))).isEqualTo("403 tokenreviews is forbidden: ...");
        answer = request -> request.response().setStatusCode(500).end("broken");
        assertThat(failure(reviews.review(TOKEN, "sluice"))).startsWith("500");
        answer = request -> request.connection().close();
        assertThat(failure(reviews.review(TOKEN, "sluice"))).isNotBlank().doesNotContain(TOKEN);
    }

    private static String failure(Future<?> future) {
        return catchThrowable(() -> future.await()).getMessage();
    }
}
