package io.sluice.billing.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.billing.sink.file.FileSinkConfig;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SinkConfigTest {
    private static final Duration EVERY = Duration.ofSeconds(10);
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final String BLOB = "https://account.blob.core.windows.net";

    @Test
    void everySinkIsOffUnlessItsPlaceIsConfigured() {
        assertThat(HttpSinkConfig.DEFAULTS.checked("billing.http").on()).isFalse();
        assertThat(S3SinkConfig.DEFAULTS.checkedWithPrefix("billing.s3").on()).isFalse();
        assertThat(AzureBlobSinkConfig.DEFAULTS
                        .checkedWithPrefix("billing.azureBlob")
                        .on())
                .isFalse();
        assertThat(FileSinkConfig.DEFAULTS.checked("billing.file").on()).isFalse();
    }

    @Test
    void takesWhatWorks() {
        assertThat(http("https://billing.example/v1", "token")
                        .checked("billing.http")
                        .on())
                .isTrue();
        assertThat(http("http://localhost:8080", "token")
                        .checked("billing.http")
                        .on())
                .isTrue();
        assertThat(http("http://billing.example", "").checked("billing.http").on())
                .isTrue();
        assertThat(s3("eu-central-1", "", "").checked("billing.s3").on()).isTrue();
        assertThat(s3("any", "http://minio:9000", "p")
                        .checkedWithPrefix("billing.s3")
                        .on())
                .isTrue();
        assertThat(azure(BLOB, "", "p").checkedWithPrefix("billing.azureBlob").on())
                .isTrue();
        assertThat(azure("http://127.0.0.1:10000/devstoreaccount1", "key", "")
                        .checked("a")
                        .on())
                .isTrue();
        assertThat(file("events", 4096, 1).checked("billing.file").on()).isTrue();
    }

    @Test
    void aTokenIsSentOverTlsOnly() {
        refuses(
                () -> http("http://billing.example", "token").checked("billing.http"),
                "billing.http.tokenFile",
                "billing.http.url",
                "http://billing.example");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "billing.example",
                "ftp://billing.example",
                "https://",
                "https://a?b=c",
                "https://u@a",
                "https://a#b",
                "a b"
            })
    void refusesWhatIsNoUrlOfARequest(String url) {
        refuses(() -> http(url, "").checked("billing.http"), "billing.http.url", url);
        refuses(() -> s3("region", url, "").checked("billing.s3"), "billing.s3.endpoint", url);
        refuses(() -> azure(url, "", "").checked("billing.azureBlob"), "billing.azureBlob.endpoint", url);
    }

    @Test
    void aBucketNeedsItsRegion() {
        refuses(() -> s3(" ", "", "").checked("billing.scalingEvents.s3"), "billing.scalingEvents.s3.region");
    }

    @Test
    void aContainerNeedsItsEndpoint() {
        refuses(() -> azure("", "", "").checked("billing.azureBlob"), "billing.azureBlob.endpoint");
    }

    @Test
    void anIdentityIsSentOverTlsOnly() {
        refuses(
                () -> azure("http://127.0.0.1:10000", "", "").checked("billing.azureBlob"),
                "billing.azureBlob.endpoint",
                "billing.azureBlob.connectionStringFile");
    }

    @Test
    void scalingEventsNeedAPrefix() {
        refuses(
                () -> s3("region", "", "").checkedWithPrefix("billing.scalingEvents.s3"),
                "billing.scalingEvents.s3.prefix");
        refuses(
                () -> azure(BLOB, "", "").checkedWithPrefix("billing.scalingEvents.azureBlob"),
                "billing.scalingEvents.azureBlob.prefix");
        assertThatCode(() -> s3("region", "", "").checked("billing.s3")).doesNotThrowAnyException();
    }

    @Test
    void aPrefixLeavesRoomForTheRestOfAKey() {
        refuses(() -> s3("region", "", "p".repeat(201)).checked("billing.s3"), "billing.s3.prefix", "200");
    }

    @ParameterizedTest
    @CsvSource({"4095, 16, maxFileSize=4095B", "4096, 0, keepFiles=0", "4096, 10001, keepFiles=10001"})
    void filesHaveBounds(long maxFileBytes, int keepFiles, String named) {
        refuses(() -> file("events", maxFileBytes, keepFiles).checked("billing.file"), "billing.file." + named);
    }

    @Test
    void aPathIsOne() {
        refuses(() -> file("a\0b", 4096, 1).checked("billing.file"), "billing.file.directory");
        refuses(() -> http("https://a", "a\0b").checked("billing.http"), "billing.http.tokenFile");
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S, PT1S, 1, pushEvery=0s",
        "PT2H, PT1S, 1, pushEvery=2h",
        "PT1S, PT0.05S, 1, pushTimeout=50ms",
        "PT1S, PT11M, 1, pushTimeout=11m",
        "PT1S, PT1S, 0, maxBatchSize=0",
        "PT1S, PT1S, 100001, maxBatchSize=100001",
    })
    void batchesHaveBounds(Duration every, Duration timeout, int size, String named) {
        refuses(
                () -> new HttpSinkConfig("", "", every, timeout, size).checked("billing.http"),
                "billing.http." + named);
        refuses(() -> new S3SinkConfig("", "", "", "", every, timeout, size).checked("b.s3"), "b.s3." + named);
        refuses(() -> new AzureBlobSinkConfig("", "", "", "", every, timeout, size).checked("b.az"), "b.az." + named);
        if (!named.startsWith("pushTimeout")) {
            refuses(() -> new FileSinkConfig("", 4096, 1, every, size).checked("b.file"), "b.file." + named);
        }
    }

    private static void refuses(ThrowingCallable check, String... named) {
        assertThatThrownBy(check).isInstanceOf(IllegalArgumentException.class).hasMessageContainingAll(named);
    }

    private static HttpSinkConfig http(String url, String tokenFile) {
        return new HttpSinkConfig(url, tokenFile, EVERY, TIMEOUT, 200);
    }

    private static S3SinkConfig s3(String region, String endpoint, String prefix) {
        return new S3SinkConfig("usage", region, endpoint, prefix, EVERY, TIMEOUT, 200);
    }

    private static AzureBlobSinkConfig azure(String endpoint, String connectionStringFile, String prefix) {
        return new AzureBlobSinkConfig(endpoint, "usage", prefix, connectionStringFile, EVERY, TIMEOUT, 200);
    }

    private static FileSinkConfig file(String directory, long maxFileBytes, int keepFiles) {
        return new FileSinkConfig(directory, maxFileBytes, keepFiles, EVERY, 200);
    }
}
