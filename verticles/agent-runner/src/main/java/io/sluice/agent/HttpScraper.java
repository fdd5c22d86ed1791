package io.sluice.agent;

import io.sluice.messages.cluster.Endpoint;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Scrapes over HTTP on connections that are kept from one scrape to the next. */
final class HttpScraper implements MetricsScraper {
    private static final int OK = 200;
    private static final int WAITING_MAX = 4;
    private static final Duration KEPT_BEYOND_A_PERIOD = Duration.ofSeconds(30);

    private final HttpClient client;
    private final int maxBytes;

    HttpScraper(Vertx vertx, AgentConfig config) {
        maxBytes = config.scrapeMaxBytes();
        var keptFor = config.scrapePeriod().plus(KEPT_BEYOND_A_PERIOD);
        var options = new HttpClientOptions()
                .setKeepAlive(true)
                .setKeepAliveTimeout((int) keptFor.toSeconds())
                .setConnectTimeout((int) config.scrapeTimeout().toMillis());
        var pool = new PoolOptions().setHttp1MaxSize(config.scrapeConnections()).setMaxWaitQueueSize(WAITING_MAX);
        client = vertx.createHttpClient(options, pool);
    }

    @Override
    public Future<String> scrape(Endpoint endpoint, Duration timeout) {
        var target = new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setHost(endpoint.host())
                .setPort(endpoint.port())
                .setURI(endpoint.path());
        return client.request(target).compose(request -> read(request, timeout));
    }

    Future<Void> close() {
        return client.close();
    }

    /** A request that is over in any way but a good one gives its connection up: what it still sends is nobody's. */
    private Future<String> read(HttpClientRequest request, Duration timeout) {
        return request.send()
                .compose(this::body)
                .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .onFailure(failed -> request.reset());
    }

    private Future<String> body(HttpClientResponse response) {
        Promise<String> whole = Promise.promise();
        response.exceptionHandler(whole::tryFail);
        if (response.statusCode() != OK) {
            whole.fail("answered " + response.statusCode());
            return whole.future();
        }
        var body = Buffer.buffer();
        response.handler(part -> {
            if (body.length() + part.length() > maxBytes) {
                whole.tryFail("the answer is longer than " + maxBytes + " bytes");
            } else {
                body.appendBuffer(part);
            }
        });
        response.endHandler(end -> whole.tryComplete(body.toString(StandardCharsets.UTF_8)));
        return whole.future();
    }
}
