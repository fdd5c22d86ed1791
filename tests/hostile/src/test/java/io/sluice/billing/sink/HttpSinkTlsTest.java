package io.sluice.billing.sink;

import io.sluice.hostile.Certificates;
import io.sluice.hostile.TlsClientContract;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Billing events are sent to an HTTP sink. */
class HttpSinkTlsTest extends TlsClientContract {
    private static final Duration LONG = Duration.ofSeconds(60);

    @Override
    protected Optional<String> request(String url, Certificates trusted) throws Exception {
        var config = new HttpSinkConfig(url, trusted.tokenFile().toString(), LONG, LONG, 200);
        var batch =
                new Batch(new QueueId(EventKind.BILLING, "test"), 1, "name", Instant.EPOCH, 1, new byte[] {'{', '}'});
        try (var sink =
                new HttpSink(config, "billing.http", HttpClient.newBuilder().sslContext(trusted.trusting()))) {
            sink.send(batch);
            return Optional.empty();
        } catch (SinkException refused) {
            return Optional.of(refused.getMessage());
        }
    }
}
