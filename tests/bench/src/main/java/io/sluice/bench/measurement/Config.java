package io.sluice.bench.measurement;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.launcher.config.SluiceConfig;
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

/** A process's config and shell as the launcher makes them, with the overrides of a benchmark. */
public final class Config {
    private static final long TIMEOUT_S = 240;
    private static final String PREFIX = "sluice.";

    private Config() {}

    /**
     * The defaults, except for some keys.
     *
     * @param keys keys as system properties are named; a key with another prefix would be ignored
     */
    public static SluiceConfig with(Map<String, String> keys) {
        keys.keySet().stream().filter(key -> !key.startsWith(PREFIX)).findAny().ifPresent(key -> {
            throw new IllegalArgumentException(key + " does not begin with " + PREFIX);
        });
        var nothing = YamlText.parse("", "nothing");
        return ConfigReader.read(SluiceConfig.class, SluiceConfig.DEFAULTS, new ConfigSources(nothing, Map.of(), keys));
    }

    /** A shell with the metric registries of a process. */
    public static Shell shell() {
        return new Shell(
                new MonotonicClock(),
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
                new Readiness(),
                new Dumps(),
                new Random(1));
    }

    /** The result of a future, within a time limit. */
    public static <T> T done(Future<T> future) {
        return future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(TIMEOUT_S, TimeUnit.SECONDS)
                .join();
    }
}
