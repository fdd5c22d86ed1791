package io.sluice.neonvm.api;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** An API server with scripted answers, and a client of it. */
public final class ScriptedApi implements AutoCloseable {
    public final Vertx vertx;
    public final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    public final Shell shell = new Shell(new MonotonicClock(), meters, new Readiness(), new Random(1));
    public final KubernetesConfig config;
    private final KubernetesClient client;

    public ScriptedApi(Vertx vertx, Duration requestTimeout, Handler<HttpServerRequest> answers) {
        this(vertx, requestTimeout, served(vertx, answers));
    }

    /** A client that sends the token of a file. */
    ScriptedApi(Vertx vertx, Duration requestTimeout, Path tokenFile, Handler<HttpServerRequest> answers) {
        this(vertx, requestTimeout, served(vertx, answers), tokenFile.toString());
    }

    /** A client of another server. */
    ScriptedApi(Vertx vertx, Duration requestTimeout, String url) {
        this(vertx, requestTimeout, url, "");
    }

    private ScriptedApi(Vertx vertx, Duration requestTimeout, String url, String tokenFile) {
        this.vertx = vertx;
        config = new KubernetesConfig(
                url, tokenFile, "", requestTimeout, Duration.ofMinutes(5), Duration.ofMinutes(1), 10);
        client = KubernetesConnection.open(config, meters);
    }

    private static String served(Vertx vertx, Handler<HttpServerRequest> answers) {
        return "http://127.0.0.1:"
                + vertx.createHttpServer()
                        .requestHandler(answers)
                        .listen(0, "127.0.0.1")
                        .await()
                        .actualPort();
    }

    /** Returns the result of work on the context, on which everything that it creates stays. */
    public <T> T onContext(Function<KubernetesApi, T> work) {
        var made = new CompletableFuture<T>();
        vertx.getOrCreateContext()
                .runOnContext(turn -> made.complete(work.apply(new KubernetesApi(vertx, client, config, meters))));
        return made.orTimeout(30, TimeUnit.SECONDS).join();
    }

    @Override
    public void close() {
        client.close();
    }
}
