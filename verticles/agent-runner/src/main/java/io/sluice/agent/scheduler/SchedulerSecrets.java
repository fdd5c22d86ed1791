package io.sluice.agent.scheduler;

import io.sluice.shell.LogKeys;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The token that requests to schedulers carry and the certificates that schedulers' certificates must be signed by.
 * Both are read at the start, and again every 10 seconds. If a file cannot be read later, the last good content stays
 * in force.
 */
final class SchedulerSecrets {
    static final Duration AGAIN = Duration.ofSeconds(10);
    private static final Logger LOG = LoggerFactory.getLogger(SchedulerSecrets.class);
    private static final String TOKEN_KEY = "agent.scheduler.tokenFile";
    private static final String CA_KEY = "agent.scheduler.tls.caFile";

    private final Vertx vertx;
    private final SchedulerConfig config;
    private Optional<String> token = Optional.empty();
    private Optional<Buffer> certificates = Optional.empty();
    private boolean complained;
    private long timer;

    SchedulerSecrets(Vertx vertx, SchedulerConfig config) {
        this.vertx = vertx;
        this.config = config;
    }

    /**
     * Reads both for the first time, and from then on periodically.
     *
     * @param renewed called with other certificates than before; fails if they are not usable
     * @return fails with a sentence that names the key whose file cannot be read
     */
    Future<Void> start(Function<Buffer, Future<?>> renewed) {
        return read().onSuccess(read -> timer = vertx.setPeriodic(AGAIN.toMillis(), tick -> again(renewed)))
                .mapEmpty();
    }

    Optional<String> token() {
        return token;
    }

    Optional<Buffer> certificates() {
        return certificates;
    }

    void stop() {
        vertx.cancelTimer(timer);
    }

    private Future<Void> read() {
        return Future.all(
                        file(TOKEN_KEY, config.tokenFile()).map(read -> read.map(this::oneToken)),
                        file(CA_KEY, config.tls().caFile()))
                .map(both -> {
                    token = both.resultAt(0);
                    certificates = both.resultAt(1);
                    return null;
                });
    }

    /** A file that is being written may be empty for a moment: that is not a token. */
    private String oneToken(Buffer bytes) {
        var text = bytes.toString(StandardCharsets.UTF_8).strip();
        if (text.isEmpty() || !text.chars().allMatch(letter -> letter > ' ' && letter < 0x7f)) {
            throw new IllegalStateException(
                    TOKEN_KEY + "=" + config.tokenFile() + " must hold one token, a line of visible ASCII characters");
        }
        return text;
    }

    private void again(Function<Buffer, Future<?>> renewed) {
        var before = certificates;
        read().compose(read -> certificates.isEmpty() || certificates.equals(before)
                        ? Future.succeededFuture()
                        : renewed.apply(certificates.get()))
                .onSuccess(taken -> complained = false)
                .onFailure(failure -> {
                    certificates = before;
                    complain(failure);
                });
    }

    private void complain(Throwable failure) {
        if (!complained) {
            complained = true;
            LOG.atWarn()
                    .addKeyValue(LogKeys.ERROR, String.valueOf(failure.getMessage()))
                    .log("The token or certificates for the scheduler cannot be renewed; the last good ones are used.");
        }
    }

    private Future<Optional<Buffer>> file(String key, String file) {
        if (file.isBlank()) {
            return Future.succeededFuture(Optional.empty());
        }
        return vertx.fileSystem()
                .readFile(file)
                .map(Optional::of)
                .recover(unreadable -> Future.failedFuture(new IllegalStateException(
                        key + "=" + file + " cannot be read: " + unreadable.getMessage(), unreadable)));
    }
}
