package io.sluice.placement.prometheus;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.placement.core.utilisation.NodeMetrics;
import io.sluice.placement.core.utilisation.PrometheusAnswers;
import io.sluice.placement.core.utilisation.PrometheusAnswers.Reading;
import io.sluice.shell.Backoff;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Shell;
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
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what is in use of nodes from Prometheus, in rounds of one request after another. Requests are bounded in time,
 * answers in size. After a round that failed the next one waits longer; what was read before ages meanwhile.
 */
public final class PrometheusReader {
    private static final Logger LOG = LoggerFactory.getLogger(PrometheusReader.class);
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final List<Reading> RANGES = List.of(Reading.CPU, Reading.MEMORY);
    private static final int BYTES_MAX = 32 << 20;
    private static final int POINTS_MAX = 60;
    private static final int PERIODS_OF_PEAKS = 5;
    private static final Duration WAIT_LONGEST = Duration.ofMinutes(5);
    private static final int OK = 200;

    private final Vertx vertx;
    private final Shell shell;
    private final PrometheusConfig config;
    private final Duration period;
    private final Consumer<List<NodeMetrics>> consumer;
    private final PrometheusAnswers answers;
    private final HttpClient client;
    private final Backoff.Failures failures;
    private Map<Reading, JsonNode> ranges = Map.of();
    private int rounds;
    private long timer;
    private boolean stopped;
    private boolean complained;

    /** @param consumer takes what was measured, on the context that calls {@link #start} */
    public PrometheusReader(
            Vertx vertx, Shell shell, PrometheusConfig config, Duration period, Consumer<List<NodeMetrics>> consumer) {
        this.vertx = vertx;
        this.shell = shell;
        this.config = config;
        this.period = period;
        this.consumer = consumer;
        answers = new PrometheusAnswers(config.nodeLabel());
        client = vertx.httpClientBuilder()
                .with(new HttpClientOptions().setMetricsName("prometheus").setConnectTimeout((int)
                        config.timeout().toMillis()))
                .with(new PoolOptions().setHttp1MaxSize(1).setMaxWaitQueueSize(Reading.values().length))
                .build();
        failures = new Backoff(period, WAIT_LONGEST.compareTo(period) > 0 ? WAIT_LONGEST : period)
                .failures(shell.random());
    }

    /** Begins the first round. */
    public void start() {
        round().onComplete(read -> {
            shell.meters()
                    .counter("sluice.placement.prometheus.rounds", "outcome", read.succeeded() ? "read" : "failed")
                    .increment();
            if (read.succeeded()) {
                failures.reset();
                complained = false;
                consumer.accept(read.result());
            } else {
                complain(read.cause());
            }
            if (!stopped) {
                timer = vertx.setTimer(read.succeeded() ? period.toMillis() : failures.nextMs(), next -> start());
            }
        });
    }

    /** Ends the rounds. */
    public Future<Void> stop() {
        stopped = true;
        vertx.cancelTimer(timer);
        return client.close();
    }

    private void complain(Throwable failure) {
        if (!complained) {
            complained = true;
            LOG.atWarn()
                    .addKeyValue(LogKeys.REASON, String.valueOf(failure.getMessage()))
                    .log("What is in use of nodes could not be read from Prometheus; trying again.");
        }
    }

    private Future<List<NodeMetrics>> round() {
        return token().compose(token -> {
            var now = new EnumMap<Reading, JsonNode>(Reading.class);
            Future<Void> all = Future.succeededFuture();
            for (var reading : Reading.values()) {
                all = all.compose(before -> get("query?query=" + encoded(reading), token)
                        .onSuccess(answer -> now.put(reading, answer))
                        .mapEmpty());
            }
            return all.compose(read -> ranges(token, PrometheusAnswers.answeredAt(now.get(Reading.MEMORY))))
                    .map(read -> answers.nodes(now, ranges, shell.clock().instant()));
        });
    }

    /** Peaks change slowly, and cost more. */
    private Future<Void> ranges(String token, OptionalLong answeredAt) {
        if (answeredAt.isEmpty() || rounds++ % PERIODS_OF_PEAKS != 0) {
            return Future.succeededFuture();
        }
        long end = answeredAt.getAsLong();
        long step = Math.max(period.toSeconds(), config.peakWindow().toSeconds() / POINTS_MAX + 1);
        var read = new EnumMap<Reading, JsonNode>(Reading.class);
        Future<Void> all = Future.succeededFuture();
        for (var reading : RANGES) {
            var uri = "query_range?query=" + encoded(reading) + "&start="
                    + (end - config.peakWindow().toSeconds()) + "&end=" + end + "&step=" + step;
            all = all.compose(before -> get(uri, token)
                    .onSuccess(answer -> read.put(reading, answer))
                    .mapEmpty());
        }
        return all.onSuccess(done -> ranges = read).onFailure(failed -> rounds = 0);
    }

    private String encoded(Reading reading) {
        return URLEncoder.encode(answers.query(reading), StandardCharsets.UTF_8);
    }

    private Future<String> token() {
        return config.tokenFile().isEmpty()
                ? Future.succeededFuture("")
                : vertx.fileSystem()
                        .readFile(config.tokenFile())
                        .map(file -> file.toString(StandardCharsets.UTF_8).strip());
    }

    private Future<JsonNode> get(String uri, String token) {
        var base = config.url().endsWith("/") ? config.url() : config.url() + "/";
        var options = new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setAbsoluteURI(base + "api/v1/" + uri)
                .setFollowRedirects(false)
                .setTimeout(config.timeout().toMillis());
        if (!token.isEmpty()) {
            options.putHeader("Authorization", "Bearer " + token);
        }
        Promise<JsonNode> answer = Promise.promise();
        client.request(options)
                .compose(request -> {
                    // The time of the whole exchange is bounded, not only of its pauses.
                    long late = vertx.setTimer(config.timeout().toMillis(), over -> {
                        if (answer.tryFail(
                                "no complete answer within " + config.timeout().toMillis() + " ms")) {
                            request.reset();
                        }
                    });
                    answer.future().onComplete(done -> vertx.cancelTimer(late));
                    return request.send().map(response -> {
                        take(request, response, answer);
                        return response;
                    });
                })
                .onFailure(answer::tryFail);
        return answer.future();
    }

    private static void take(HttpClientRequest request, HttpClientResponse response, Promise<JsonNode> answer) {
        var taken = Buffer.buffer();
        response.exceptionHandler(answer::tryFail);
        response.handler(part -> {
            if (taken.length() + part.length() > BYTES_MAX) {
                if (answer.tryFail("the answer is longer than " + BYTES_MAX + " bytes")) {
                    request.reset();
                }
            } else {
                taken.appendBuffer(part);
            }
        });
        response.endHandler(end -> {
            if (response.statusCode() != OK) {
                answer.tryFail("the answer was " + response.statusCode());
                return;
            }
            try {
                answer.tryComplete(MAPPER.readTree(taken.getBytes()));
            } catch (JsonProcessingException noJson) {
                answer.tryFail("the answer is no JSON: " + noJson.getOriginalMessage());
            } catch (IOException unread) {
                answer.tryFail(unread);
            }
        });
    }
}
