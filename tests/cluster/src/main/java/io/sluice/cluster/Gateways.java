package io.sluice.cluster;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The agents' doors of all processes that have one. */
final class Gateways {
    /** No answer is waited for longer. */
    static final Duration ANSWER_MAX = Duration.ofSeconds(1);

    private static final int CONNECTIONS_EACH = 256;

    private final List<Place> places;
    private final HttpClient client;

    Gateways(Vertx vertx, List<Place> places) {
        this.places = List.copyOf(places);
        var options = new HttpClientOptions().setConnectTimeout((int) ANSWER_MAX.toMillis());
        client = vertx.httpClientBuilder()
                .with(options)
                .with(new PoolOptions().setHttp1MaxSize(CONNECTIONS_EACH))
                .build();
    }

    int count() {
        return places.size();
    }

    String name(int gateway) {
        return places.get(gateway).toString();
    }

    /** Asks one of them once. Never fails. */
    Future<Reply> ask(int gateway, String question) {
        var place = places.get(gateway);
        var options = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setHost(place.host())
                .setPort(place.agentPort())
                .setURI("/")
                .setTimeout(ANSWER_MAX.toMillis());
        return client.request(options)
                .compose(request -> request.send(Buffer.buffer(question)))
                .compose(response -> response.body()
                        .map(body -> Reply.of(
                                response.statusCode(),
                                Optional.ofNullable(response.getHeader("Retry-After")),
                                body.toString())))
                .timeout(ANSWER_MAX.toMillis(), TimeUnit.MILLISECONDS)
                .otherwise(lost -> new Reply.Silent(silence(lost)));
    }

    private static String silence(Throwable lost) {
        return lost instanceof TimeoutException || lost.toString().contains("imeout")
                ? "no answer in 1 s"
                : "no connection";
    }
}
