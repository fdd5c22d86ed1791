package io.sluice.bus;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * Logs errors at an address with their stack trace, at most once a second: what fails for one message often fails for
 * thousands. Safe from any thread.
 */
final class ErrorLog {
    private static final long QUIET_NANOS = Duration.ofSeconds(1).toNanos();
    private static final String KEY_ADDRESS = "address";
    private static final String KEY_ERROR = "error";
    private static final String KEY_COUNT = "count";

    private final Logger log;
    private final LongSupplier nanoTime;
    private final Map<String, Last> lasts = new ConcurrentHashMap<>();

    /**
     * The last logged error of an address.
     *
     * @param atNanos when it was logged
     * @param silent how many errors were not logged since
     */
    private record Last(long atNanos, long silent) {}

    ErrorLog(Logger log, LongSupplier nanoTime) {
        this.log = log;
        this.nanoTime = nanoTime;
    }

    void about(String address, String sentence, Throwable thrown) {
        long now = nanoTime.getAsLong();
        var before = new Last[1];
        var after = lasts.compute(address, (key, last) -> {
            before[0] = last;
            boolean quiet = last != null && now - last.atNanos() < QUIET_NANOS;
            return quiet ? new Last(last.atNanos(), last.silent() + 1) : new Last(now, 0);
        });
        if (after.silent() == 0) {
            log.atWarn()
                    .addKeyValue(KEY_ADDRESS, address)
                    .addKeyValue(KEY_ERROR, thrown.toString())
                    .addKeyValue(KEY_COUNT, before[0] == null ? 1 : before[0].silent() + 1)
                    .setCause(thrown)
                    .log(sentence);
        }
    }
}
