package io.sluice.bus;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * Logs errors at an address, at most once a second: what fails for one message often fails for thousands. The same
 * error again is logged after 1, 2, 4, up to 60 s, without its stack trace. Safe from any thread.
 */
final class ErrorLog {
    private static final long QUIET_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long QUIET_NANOS_MAX = Duration.ofSeconds(60).toNanos();
    private static final String KEY_ADDRESS = "address";
    private static final String KEY_ERROR = "error";
    private static final String KEY_COUNT = "count";

    private final Logger log;
    private final LongSupplier nanoTime;
    private final Map<String, Last> lasts = new ConcurrentHashMap<>();

    /**
     * The last logged error of an address.
     *
     * @param error its text
     * @param atNanos when it was logged
     * @param quietNanos how long the same error is not logged again
     * @param silent how many errors were not logged since
     */
    private record Last(String error, long atNanos, long quietNanos, long silent) {
        Last then(String next, long now) {
            boolean same = next.equals(error);
            if (now - atNanos < (same ? quietNanos : QUIET_NANOS)) {
                return new Last(error, atNanos, quietNanos, silent + 1);
            }
            return new Last(next, now, same ? Math.min(2 * quietNanos, QUIET_NANOS_MAX) : QUIET_NANOS, 0);
        }
    }

    ErrorLog(Logger log, LongSupplier nanoTime) {
        this.log = log;
        this.nanoTime = nanoTime;
    }

    void about(String address, String sentence, Throwable thrown) {
        long now = nanoTime.getAsLong();
        var error = thrown.toString();
        var before = new AtomicReference<Last>();
        var after = lasts.compute(address, (key, last) -> {
            before.set(last);
            return last == null ? new Last(error, now, QUIET_NANOS, 0) : last.then(error, now);
        });
        if (after.silent() > 0) {
            return;
        }
        var last = Optional.ofNullable(before.get());
        var line = log.atWarn()
                .addKeyValue(KEY_ADDRESS, address)
                .addKeyValue(KEY_ERROR, error)
                .addKeyValue(KEY_COUNT, last.map(Last::silent).orElse(0L) + 1);
        var traced = last.filter(same -> same.error().equals(error)).isPresent() ? line : line.setCause(thrown);
        traced.log(sentence);
    }
}
