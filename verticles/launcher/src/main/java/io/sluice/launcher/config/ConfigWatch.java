package io.sluice.launcher.config;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.launcher.core.ConfigReload;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Readiness;
import io.sluice.shell.config.ConfigException;
import io.sluice.shell.config.ConfigText;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the config again every few seconds and puts changes into force. A config that cannot be put into force changes
 * nothing, and is reported once for each new state of the file.
 */
public final class ConfigWatch {
    private static final Logger LOG = LoggerFactory.getLogger(ConfigWatch.class);

    private static final String TAKEN = "taken";
    private static final String REFUSED = "refused";
    private static final String REFUSED_NOW = "sluice.config.refused";

    private final Vertx vertx;
    private final Supplier<Settings> reader;
    private final Function<SluiceConfig, Future<Void>> take;
    private final MeterRegistry meters;
    private Settings inForce;
    private volatile List<String> logged = List.of();
    private boolean busy;
    private long timer = -1;

    /**
     * A watch that is not started yet.
     *
     * @param reader reads all sources; called off the event loop
     * @param inForce the config that the process was started with
     * @param take puts a config into force that differs in live keys alone, or fails with a sentence and leaves the old
     *     one
     */
    public ConfigWatch(
            Vertx vertx,
            Supplier<Settings> reader,
            Settings inForce,
            Function<SluiceConfig, Future<Void>> take,
            MeterRegistry meters) {
        this.vertx = vertx;
        this.reader = reader;
        this.inForce = inForce;
        this.take = take;
        this.meters = meters;
        Optional.ofNullable(meters.find(REFUSED_NOW).gauge()).ifPresent(meters::remove);
        refused(meters, () -> refused().isPresent() ? 1 : 0);
    }

    private static void refused(MeterRegistry meters, Supplier<Number> value) {
        Gauge.builder(REFUSED_NOW, value)
                .description("Whether the config is another than the one in force, and is not taken")
                .strongReference(true)
                .register(meters);
    }

    /** Why the present config is not taken; empty if it is in force. */
    Optional<String> refused() {
        return logged.stream().findFirst().map(reason -> "the changed config is not taken: " + reason);
    }

    /** Reads the config periodically from now on, until it is stopped; a config that is not taken is a trouble. */
    public void start(Duration every, Readiness readiness) {
        readiness.reports("config", "file", this::refused);
        timer = vertx.setPeriodic(every.toMillis(), tick -> look());
    }

    public void stop() {
        vertx.cancelTimer(timer);
    }

    /** Reads the config once; completes when it is in force or refused. */
    Future<Void> look() {
        if (busy) {
            return Future.succeededFuture();
        }
        busy = true;
        return vertx.executeBlocking(reader::get)
                .compose(this::weigh)
                .recover(this::unreadable)
                .onComplete(done -> busy = false);
    }

    private Future<Void> weigh(Settings read) {
        return switch (change(read)) {
            case ConfigReload.Nothing() -> {
                if (!logged.isEmpty()) {
                    LOG.info("The config file is again as it is in force.");
                }
                logged = List.of();
                yield Future.succeededFuture();
            }
            case ConfigReload.Refused(var needStart) -> {
                refuse(needStart.stream()
                        .map(change ->
                                change.key() + " needs a restart to become " + change.to() + ", it is " + change.from())
                        .toList());
                yield Future.succeededFuture();
            }
            case ConfigReload.Taken(var changes) ->
                take.apply(read.config())
                        .onSuccess(taken -> taken(read, changes))
                        .onFailure(refused -> refuse(List.of(String.valueOf(refused.getMessage()))));
        };
    }

    /** Compares texts only of configs that differ, as that takes milliseconds of an event loop. */
    private ConfigReload change(Settings read) {
        return read.config().equals(inForce.config())
                ? new ConfigReload.Nothing()
                : ConfigReload.of(ConfigText.of(inForce.config()), ConfigText.of(read.config()));
    }

    private void taken(Settings read, List<ConfigReload.Change> changes) {
        inForce = read;
        logged = List.of();
        reloads(meters, TAKEN).increment();
        changes.forEach(change -> LOG.atInfo()
                .addKeyValue(LogKeys.KEY, change.key())
                .addKeyValue(LogKeys.FROM, change.from())
                .addKeyValue(LogKeys.TO, change.to())
                .log("A key of the config has a new value."));
    }

    private Future<Void> unreadable(Throwable failure) {
        refuse(
                failure instanceof ConfigException config
                        ? config.errors()
                        : List.of(String.valueOf(failure.getMessage())));
        return Future.succeededFuture();
    }

    private void refuse(List<String> reasons) {
        if (reasons.equals(logged)) {
            return;
        }
        logged = reasons;
        reloads(meters, REFUSED).increment();
        reasons.forEach(reason -> LOG.atWarn()
                .addKeyValue(LogKeys.REASON, reason)
                .log("The changed config is not taken; the previous one stays in force."));
    }

    /** Registers the metrics at zero, also in a process that never reloads. */
    public static void announce(MeterRegistry meters) {
        refused(meters, () -> 0);
        List.of(TAKEN, REFUSED).forEach(outcome -> reloads(meters, outcome));
    }

    private static Counter reloads(MeterRegistry meters, String outcome) {
        return Counter.builder("sluice.config.reloads")
                .description("Changed configs, by whether they were put into force")
                .tag("outcome", outcome)
                .register(meters);
    }
}
