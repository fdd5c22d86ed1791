package io.sluice.cluster.fleet;

import io.sluice.cluster.process.Place;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Client of the agent APIs of all processes that have one. */
final class Gateways {
    /** The longest time that a reply is awaited. */
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

    /** Sends a request to one of them, once. The future never fails. */
    Future<Reply> request(int gateway, String body) {
        var place = places.get(gateway);
        var options = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setHost(place.host())
                .setPort(place.agentPort())
                .setURI("/")
                .setTimeout(ANSWER_MAX.toMillis());
        return client.request(options)
                .compose(request -> request.send(Buffer.buffer(body)).compose(Gateways::read))
                .timeout(ANSWER_MAX.toMillis(), TimeUnit.MILLISECONDS)
                .otherwise(lost -> new Reply.Silent(silence(lost)));
    }

    private static Future<Reply> read(HttpClientResponse response) {
        return response.body()
                .map(sent -> Reply.of(
                        response.statusCode(),
                        Optional.ofNullable(response.getHeader("Retry-After")),
                        sent.toString()));
    }

    private static String silence(Throwable lost) {
        return lost instanceof TimeoutException || lost.toString().contains("imeout")
                ? "no reply in 1 s"
                : "no connection";
    }
}
