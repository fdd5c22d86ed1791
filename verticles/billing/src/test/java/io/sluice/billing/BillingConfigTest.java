package io.sluice.billing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.billing.outbox.OutboxConfig;
import io.sluice.billing.sink.AzureBlobSinkConfig;
import io.sluice.billing.sink.HttpSinkConfig;
import io.sluice.billing.sink.S3SinkConfig;
import io.sluice.billing.sink.file.FileSinkConfig;
import io.sluice.shell.config.ConfigException;
import io.sluice.shell.config.ConfigReader;
import io.sluice.shell.config.ConfigSources;
import io.sluice.shell.config.Durations;
import io.sluice.shell.config.UrlText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the section {@code billing} as a user writes it: an error names the key and the expected value. */
class BillingConfigTest {
    private static final BillingConfig DEFAULTS = BillingConfig.DEFAULTS;

    /** Maven runs the tests of a module in the module's directory. */
    private static final Path README = Path.of("README.md");

    private static BillingConfig read(Map<String, String> keys) {
        var properties = new HashMap<String, String>();
        keys.forEach((key, value) -> properties.put("sluice." + key, value));
        return ConfigReader.read(
                BillingConfig.class,
                DEFAULTS,
                new ConfigSources(JsonNodeFactory.instance.objectNode(), Map.of(), properties));
    }

    /** Parses keys and values of the form {@code a=1; b=2}. */
    private static Map<String, String> keys(String text) {
        var keys = new HashMap<String, String>();
        Arrays.stream(text.split(";"))
                .map(pair -> pair.strip().split("=", 2))
                .forEach(pair -> keys.put(pair[0], pair[1]));
        return keys;
    }

    @Test
    void anEmptySectionBillsToFilesOnThisMachine() {
        assertThat(read(Map.of())).isEqualTo(DEFAULTS);
        assertThat(DEFAULTS.file().on()).isTrue();
        assertThat(DEFAULTS.http().on() || DEFAULTS.s3().on()).isFalse();
        assertThat(DEFAULTS.azureBlob().on()).isFalse();
        assertThat(DEFAULTS.scalingEvents().file().on()).isFalse();
    }

    @Test
    void theReadmeListsTheDefaults() throws IOException {
        var outbox = DEFAULTS.outbox();
        var scaling = DEFAULTS.scalingEvents().outbox();
        assertThat(Files.readAllLines(README))
                .contains(
                        row("`arithmetic`, `host`", "`exact`, none"),
                        row(
                                "`cpuMetricName`, `activeTimeMetricName`",
                                code(DEFAULTS.cpuMetricName()) + ", " + code(DEFAULTS.activeTimeMetricName())))
                .anyMatch(line -> line.startsWith("| `collectEvery`, `accumulateEvery` | "
                        + code(Durations.text(DEFAULTS.collectEvery())) + ", "
                        + code(Durations.text(DEFAULTS.accumulateEvery())) + " |"))
                .anyMatch(line ->
                        line.startsWith("| `auditEvery` | " + code(Durations.text(DEFAULTS.auditEvery())) + " |"))
                .anyMatch(line -> line.startsWith("| `directory`, `outbox` | " + code(DEFAULTS.directory()) + ", "
                        + outbox.maxSize() / (1 << 20) + " MiB, "
                        + outbox.maxAge().toDays() + " days, "
                        + code(word(outbox.whenFull())) + " |"))
                .anyMatch(line -> line.startsWith("| `file`, `http`, `s3`, `azureBlob` | files in "
                        + code(DEFAULTS.file().directory()) + " | the others are off"))
                .anyMatch(line -> line.startsWith("| `scalingEvents` | off |"))
                .anyMatch(line -> line.contains("`drop_oldest`"))
                .anyMatch(line -> line.contains("Scaling events are dropped by"));
        assertThat(DEFAULTS.arithmetic()).isEqualTo(Arithmetic.EXACT);
        assertThat(DEFAULTS.host()).isEmpty();
        assertThat(scaling)
                .isEqualTo(new OutboxConfig(64L << 20, Duration.ofDays(1), OutboxConfig.Overflow.DROP_OLDEST));
        assertThat(DEFAULTS.file()).isEqualTo(FileSinkConfig.DEFAULTS.in("data/bills"));
    }

    private static String row(String keys, String defaults) {
        return "| " + keys + " | " + defaults + " | |";
    }

    private static String code(String word) {
        return "`" + word + "`";
    }

    private static String word(OutboxConfig.Overflow whenFull) {
        return whenFull.name().toLowerCase(Locale.ROOT);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "collectEvery=99ms | billing.collectEvery=99ms must be between 100ms and 1h",
                "collectEvery=61m; accumulateEvery=1h | billing.collectEvery=1h1m must be between 100ms and 1h",
                "accumulateEvery=50ms | billing.accumulateEvery=50ms must be between 100ms and 1h",
                "accumulateEvery=2h | billing.accumulateEvery=2h must be between 100ms and 1h",
                "accumulateEvery=3s | billing.accumulateEvery=3s must be at least billing.collectEvery=4s",
                "auditEvery=1ms | billing.auditEvery=1ms must be between 100ms and 1h",
                "auditEvery=2h | billing.auditEvery=2h must be between 100ms and 1h",
                "cpuMetricName=' ' | billing.cpuMetricName must name a metric, not be blank",
                "activeTimeMetricName='' | billing.activeTimeMetricName must name a metric, not be blank",
                "cpuMetricName=x; activeTimeMetricName=x | billing.activeTimeMetricName=x must differ from"
                        + " billing.cpuMetricName",
                "arithmetic=reference | billing.host must name this process where billing.arithmetic is reference:"
                        + " otherwise two processes could make equal keys",
                "arithmetic=reference; host=' ' | billing.host must name this process where billing.arithmetic is"
                        + " reference: otherwise two processes could make equal keys",
                "directory='' | billing.directory must name a directory, not be blank",
                "outbox.maxSize=65535B | billing.outbox.maxSize=65535B must be between 64KiB and 1TiB",
                "outbox.maxSize=2TiB | billing.outbox.maxSize=2TiB must be between 64KiB and 1TiB",
                "outbox.maxAge=59s | billing.outbox.maxAge=59s must be at least 1m",
                "file.keepFiles=0 | billing.file.keepFiles=0 must be between 1 and 10000",
                "file.keepFiles=10001 | billing.file.keepFiles=10001 must be between 1 and 10000",
                "file.maxFileSize=4095B | billing.file.maxFileSize=4095B must be between 4KiB and 1TiB",
                "http.url=http://billing.example; http.tokenFile=token | billing.http.tokenFile is given, but a token"
                        + " is sent over TLS only: set https in billing.http.url, not http://billing.example",
                "azureBlob.container=c; azureBlob.endpoint=http://127.0.0.1:10000 | billing.azureBlob.endpoint must"
                        + " begin with https where billing.azureBlob.connectionStringFile is not given",
                "http.url=ftp://a | billing.http.url must be http://host or https://host, with neither user, query nor"
                        + " fragment: ftp://a",
                "s3.bucket=b | billing.s3.region must be",
                "azureBlob.container=c | billing.azureBlob.endpoint must be",
                "scalingEvents.outbox.maxSize=1B | billing.scalingEvents.outbox.maxSize=1B must be between 64KiB and"
                        + " 1TiB",
                "scalingEvents.outbox.maxAge=1s | billing.scalingEvents.outbox.maxAge=1s must be at least 1m",
                "scalingEvents.file.directory=d | billing.scalingEvents.regionName must not be blank where scaling"
                        + " events have a sink",
                "scalingEvents.s3.bucket=b; scalingEvents.s3.region=r; scalingEvents.s3.prefix=p |"
                        + " billing.scalingEvents.regionName must not be blank",
                "scalingEvents.regionName=eu; scalingEvents.s3.bucket=b; scalingEvents.s3.region=r |"
                        + " billing.scalingEvents.s3.prefix",
                "scalingEvents.regionName=eu; scalingEvents.azureBlob.container=c;"
                        + " scalingEvents.azureBlob.endpoint=https://a | billing.scalingEvents.azureBlob.prefix",
                "scalingEvents.file.pushEvery=1ms | billing.scalingEvents.file.pushEvery=1ms must be between 100ms and"
                        + " 1h"
            })
    void refusesAndReportsWhichKeyAndWhatItShouldBe(String keys, String message) {
        assertThat(refusal(keys(keys.replace("' '", " ").replace("''", "")))).contains(message);
    }

    private static String refusal(Map<String, String> keys) {
        var refused = catchThrowableOfType(ConfigException.class, () -> read(keys));
        assertThat(refused.errors()).hasSize(1);
        return refused.errors().getFirst().toString();
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
        var shown = UrlText.shown(url);
        assertThat(refusal(Map.of("http.url", url))).contains("billing.http.url", shown);
        assertThat(refusal(Map.of("s3.bucket", "b", "s3.region", "r", "s3.endpoint", url)))
                .contains("billing.s3.endpoint", shown);
        assertThat(refusal(Map.of("azureBlob.container", "c", "azureBlob.endpoint", url)))
                .contains("billing.azureBlob.endpoint", shown);
    }

    @ParameterizedTest
    @CsvSource({
        "pushEvery, 0s",
        "pushEvery, 2h",
        "pushTimeout, 50ms",
        "pushTimeout, 11m",
        "maxBatchSize, 0",
        "maxBatchSize, 100001"
    })
    void batchesOfEverySinkHaveBounds(String key, String value) {
        for (var sink : List.of("http", "s3", "azureBlob", "file")) {
            if (!sink.equals("file") || !key.equals("pushTimeout")) {
                assertThat(refusal(Map.of(sink + "." + key, value)))
                        .contains("billing." + sink + "." + key + "=" + value + " must be between");
            }
        }
    }

    @Test
    void aPrefixLeavesRoomForTheRestOfAKey() {
        assertThat(refusal(Map.of("s3.prefix", "p".repeat(201)))).contains("billing.s3.prefix=", "200");
        assertThat(refusal(Map.of("azureBlob.prefix", "p".repeat(201)))).contains("billing.azureBlob.prefix=", "200");
    }

    @ParameterizedTest
    @CsvSource({
        "arithmetic=roughly, arithmetic, 'exact, reference'",
        "collectEvery=4, collectEvery, 250ms",
        "outbox.maxSize=65536, outbox.maxSize, a size with its unit",
        "outbox.whenFull=drop-oldest, outbox.whenFull, 'block, drop_oldest'",
        "scalingEvents.outbox.whenFull=wait, scalingEvents.outbox.whenFull, 'block, drop_oldest'",
        "scalingEvents.regionname=eu, scalingEvents.regionname, did you mean -Dsluice.scalingEvents.regionName"
    })
    void refusesWordsThatMeanNothingHere(String keys, String key, String expected) {
        assertThat(refusal(keys(keys))).contains(key, expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"directory", "file.directory", "http.tokenFile", "azureBlob.connectionStringFile"})
    void refusesWhatIsNoPath(String key) {
        assertThat(refusal(Map.of(key, "a\0b"))).startsWith("billing." + key + " is not a path");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "collectEvery=100ms; accumulateEvery=100ms",
                "collectEvery=1h; accumulateEvery=1h",
                "auditEvery=0s",
                "auditEvery=1h",
                "arithmetic=reference; host=agent-1",
                "outbox.maxSize=64KiB; outbox.maxAge=1m; outbox.whenFull=drop_oldest",
                "outbox.maxSize=1TiB; outbox.maxAge=999999999h",
                "scalingEvents.regionName=eu",
                "scalingEvents.regionName=eu; scalingEvents.file.directory=d; scalingEvents.outbox.whenFull=block",
                "file.directory=",
                "file.maxFileSize=4KiB; file.keepFiles=1",
                "http.url=https://billing.example/v1; http.tokenFile=token",
                "http.url=http://localhost:8080; http.tokenFile=token",
                "http.url=http://billing.example",
                "s3.bucket=b; s3.region=eu-central-1",
                "s3.bucket=b; s3.region=any; s3.endpoint=http://minio:9000; s3.prefix=p",
                "azureBlob.container=c; azureBlob.endpoint=https://account.blob.core.windows.net",
                "azureBlob.container=c; azureBlob.endpoint=http://127.0.0.1:10000/a; azureBlob.connectionStringFile=key"
            })
    void takesWhatWorksAndWhatLiesOnTheBounds(String keys) {
        assertThat(read(keys(keys))).isNotEqualTo(DEFAULTS);
    }

    /** By default bills are never dropped; account lines never hold up bills. */
    @Test
    void theLimitOfAQueueIsWhatTheSectionConfigures() {
        var outbox = read(keys("outbox.maxSize=70000B; outbox.maxAge=5m; outbox.whenFull=block"))
                .outbox();

        assertThat(outbox).isEqualTo(new OutboxConfig(70_000, Duration.ofMinutes(5), OutboxConfig.Overflow.BLOCK));
    }

    @Test
    void everythingCanBeBelowOneDirectory() {
        var config = read(keys("collectEvery=1s; scalingEvents.regionName=eu")).in(Path.of("demo"));

        assertThat(config.directory()).isEqualTo(Path.of("demo", "outbox").toString());
        assertThat(config.file().directory()).isEqualTo(Path.of("demo", "bills").toString());
        assertThat(config.collectEvery()).isEqualTo(Duration.ofSeconds(1));
        assertThat(config.scalingEvents().regionName()).isEqualTo("eu");
        assertThat(config.http()).isEqualTo(HttpSinkConfig.DEFAULTS);
        assertThat(config.s3()).isEqualTo(S3SinkConfig.DEFAULTS);
        assertThat(config.azureBlob()).isEqualTo(AzureBlobSinkConfig.DEFAULTS);
    }
}
