package io.sluice.vectors.monitor;

import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for expected events, up to a limit. */
final class WaitLimit {
    private static final long LONGEST_NANOS = 20_000_000_000L;
    private static final long LOOK_AGAIN_NANOS = 1_000_000;

    private WaitLimit() {}

    /** An awaited event did not happen in time. */
    static final class TimedOutException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TimedOutException(String awaited) {
            super(awaited);
        }
    }

    static void await(String what, BooleanSupplier come) {
        long until = System.nanoTime() + LONGEST_NANOS;
        while (!come.getAsBoolean()) {
            if (System.nanoTime() > until) {
                throw new TimedOutException("waited in vain for " + what);
            }
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
    }

    static <T> T awaitOne(String what, Supplier<Optional<T>> come) {
        long until = System.nanoTime() + LONGEST_NANOS;
        while (true) {
            var found = come.get();
            if (found.isPresent()) {
                return found.get();
            }
            if (System.nanoTime() > until) {
                throw new TimedOutException("waited in vain for " + what);
            }
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
    }
}
