package io.sluice.agent.scheduler;

import io.sluice.hostile.Certificates;
import io.sluice.hostile.TlsClientContract;
import io.sluice.trace.TraceSpan;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.file.Files;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;

/** Runners send requests to a scheduler, with the certificates from the start and with reloaded ones. */
class SchedulerTlsTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    @Nested
    class AtFirst extends TlsClientContract {
        @Override
        protected Optional<String> request(String url, Certificates trusted) throws Exception {
            return requested(url, trusted, false);
        }
    }

    @Nested
    class Renewed extends TlsClientContract {
        @Override
        protected Optional<String> request(String url, Certificates trusted) throws Exception {
            return requested(url, trusted, true);
        }
    }

    private static Optional<String> requested(String url, Certificates trusted, boolean renewed) throws Exception {
        var authority = trusted.authorityFile();
        var config = new SchedulerConfig(
                SchedulerTransport.HTTP,
                SchedulerDiscovery.URLS,
                List.of(url),
                "",
                "",
                "",
                10_299,
                LONG,
                64,
                trusted.tokenFile().toString(),
                new SchedulerTls(false, authority.toString(), ""));
        var vertx = Vertx.vertx();
        try {
            var secrets = new SchedulerSecrets(vertx, config);
            // On the thread that set its timer: from another one it may not be possible to cancel it yet.
            await(secrets.start(certificates -> Future.succeededFuture()).onSuccess(read -> secrets.stop()));
            var client = new SchedulerHttp(
                    vertx, config, new ListedSchedulers(config.addresses()), InstantSource.system(), secrets);
            if (renewed) {
                await(client.trust(Buffer.buffer(Files.readAllBytes(authority))));
            }
            await(client.connect(client.among(config.addresses()), TraceSpan.NONE)
                    .compose(connected -> client.send(connected, "{}")));
            return Optional.empty();
        } catch (ExecutionException refused) {
            return Optional.of(String.valueOf(refused.getCause().getMessage()));
        } finally {
            await(vertx.close());
        }
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(90, TimeUnit.SECONDS);
    }
}
