package io.sluice.launcher.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.shell.Readiness;
import io.sluice.shell.config.ConfigException;
import io.sluice.shell.config.ConfigSources;
import io.sluice.shell.config.YamlText;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class ConfigWatchTest {
    private static final String STARTED = "roles: [ledger]\nledger: {watermark: 0.9}\n";

    private final BlockingQueue<SluiceConfig> taken = new LinkedBlockingQueue<>();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private volatile String file = STARTED;
    private volatile Future<Void> answer = Future.succeededFuture();
    private ConfigWatch watch;

    @BeforeEach
    void open(Vertx vertx) {
        watch = new ConfigWatch(
                vertx,
                () -> settings(file),
                settings(STARTED),
                config -> {
                    taken.add(config);
                    return answer;
                },
                meters);
    }

    @AfterEach
    void close() {
        watch.stop();
    }

    @Test
    void anUnchangedFileIsNotTakenAgain() throws Exception {
        look();

        assertThat(taken).isEmpty();
    }

    @Test
    void aLiveKeyIsTakenOnce() throws Exception {
        file = STARTED.replace("0.9", "0.8");
        look();
        look();

        assertThat(taken)
                .singleElement()
                .satisfies(config -> assertThat(config.ledger().watermark()).isEqualTo(0.8));
        assertThat(counted("taken")).isEqualTo(1);
    }

    @Test
    void theTimerLooksByItself() throws Exception {
        file = STARTED.replace("0.9", "0.8");
        watch.start(Duration.ofMillis(10), new Readiness());

        taken.take();
    }

    @Test
    void aKeyThatNeedsANewStartIsRefusedOnceAndLeavesTheRest() throws Exception {
        file = STARTED.replace("0.9", "0.8, permitValidFor: 9s");
        look();
        look();

        assertThat(taken).isEmpty();
        assertThat(counted("refused")).isEqualTo(1);
    }

    @Test
    void anInvalidFileIsRefusedAndTheNextGoodOneTaken() throws Exception {
        file = STARTED.replace("0.9", "1.5");
        look();
        assertThat(taken).isEmpty();
        assertThat(counted("refused")).isEqualTo(1);

        file = STARTED.replace("0.9", "0.7");
        look();
        assertThat(taken).hasSize(1);
    }

    @Test
    void aRefusedFileIsShownForAsLongAsItIsThere() throws Exception {
        file = STARTED.replace("0.9", "2");
        look();
        look();
        assertThat(watch.refused())
                .hasValueSatisfying(reason -> assertThat(reason).contains("ledger.watermark"));
        assertThat(meters.get("sluice.config.refused").gauge().value()).isOne();

        file = STARTED;
        look();
        assertThat(watch.refused()).isEmpty();
        assertThat(meters.get("sluice.config.refused").gauge().value()).isZero();
    }

    @Test
    void whatCouldNotBePutIntoForceIsTriedAgain() throws Exception {
        answer = Future.failedFuture("gateway.console.tls.cert cannot be read");
        file = STARTED.replace("0.9", "0.8");
        look();
        assertThat(counted("refused")).isEqualTo(1);

        answer = Future.succeededFuture();
        look();
        assertThat(counted("taken")).isEqualTo(1);
        assertThat(taken).hasSize(2);
    }

    private void look() {
        watch.look().await();
    }

    private double counted(String outcome) {
        var counter =
                meters.find("sluice.config.reloads").tag("outcome", outcome).counter();
        return counter == null ? 0 : counter.count();
    }

    private static Settings settings(String text) {
        if (text.isEmpty()) {
            throw new ConfigException(List.of("the file is empty."));
        }
        return Settings.read(new ConfigSources(YamlText.parse(text, "test.yaml"), Map.of(), Map.of()));
    }
}
