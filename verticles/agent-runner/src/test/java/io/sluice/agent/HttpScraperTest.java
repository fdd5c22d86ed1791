package io.sluice.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.agent.core.metrics.MetricsReading;
import io.sluice.agent.core.metrics.MetricsText;
import io.sluice.messages.cluster.Endpoint;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.junit5.VertxExtension;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class HttpScraperTest {
    private final Set<String> connections = ConcurrentHashMap.newKeySet();
    private HttpScraper scraper;
    private int port;

    @BeforeEach
    void start(Vertx vertx) throws Exception {
        var server = vertx.createHttpServer().requestHandler(this::answer).listen(0, "127.0.0.1");
        port = finish(server).actualPort();
        scraper = new HttpScraper(vertx, Surroundings.CONFIG);
    }

    private void answer(HttpServerRequest request) {
        connections.add(request.remoteAddress().toString());
        switch (request.path()) {
            case "/good" -> request.response().end(Surroundings.text(1));
            case "/long" -> request.response().end(Surroundings.text(1) + "#".repeat(1 << 17));
            case "/half" -> request.response().setChunked(true).write("# TYPE host_load1 gauge\n");
            case "/silent" -> {}
            default -> request.response().setStatusCode(404).end();
        }
    }

    @Test
    void keepsOneConnectionFromScrapeToScrape() throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThat(finish(scrape("/good"))).isInstanceOf(MetricsReading.Read.class);
        }
        assertThat(connections).hasSize(1);
    }

    @Test
    void failsWhereNoWholeGoodAnswerComesInTime() throws Exception {
        assertThatThrownBy(() -> finish(scrape("/long"))).hasMessageContaining("longer than 65536 bytes");
        assertThatThrownBy(() -> finish(scrape("/none"))).hasMessageContaining("answered 404");
        assertThatThrownBy(() -> finish(scrape("/half"))).isInstanceOf(ExecutionException.class);
        assertThatThrownBy(() -> finish(scrape("/silent"))).isInstanceOf(ExecutionException.class);
        assertThat(finish(scrape("/good")))
                .as("the one connection is free again")
                .isInstanceOf(MetricsReading.Read.class);
    }

    private Future<MetricsReading> scrape(String path) {
        return scraper.scrape(new Endpoint("127.0.0.1", port, path), Surroundings.CONFIG.scrapeTimeout())
                .map(MetricsText::read);
    }

    private static <T> T finish(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
}
