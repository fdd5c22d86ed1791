package io.sluice.bench;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.launcher.SluiceConfig;
import io.sluice.shell.Dumps;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.shell.config.ConfigReader;
import io.sluice.shell.config.ConfigSources;
import io.sluice.shell.config.YamlText;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** A process's config and shell as the launcher makes them, but for what a benchmark must have otherwise. */
final class Config {
    private static final long PATIENCE_S = 60;
    private static final String PREFIX = "sluice.";

    private Config() {}

    /**
     * The defaults, but for some keys.
     *
     * @param keys as system properties are named; any other would be taken for somebody else's, and left unread
     */
    static SluiceConfig with(Map<String, String> keys) {
        keys.keySet().stream().filter(key -> !key.startsWith(PREFIX)).findAny().ifPresent(key -> {
            throw new IllegalArgumentException(key + " does not begin with " + PREFIX);
        });
        var nothing = YamlText.parse("", "nothing");
        return ConfigReader.read(SluiceConfig.class, SluiceConfig.DEFAULTS, new ConfigSources(nothing, Map.of(), keys));
    }

    /** A shell with the registries that processes have. */
    static Shell shell() {
        return new Shell(
                new MonotonicClock(),
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
                new Readiness(),
                new Dumps(),
                new Random(1));
    }

    /** What the future held, within a bound. */
    static <T> T done(Future<T> future) {
        return future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(PATIENCE_S, TimeUnit.SECONDS)
                .join();
    }
}
