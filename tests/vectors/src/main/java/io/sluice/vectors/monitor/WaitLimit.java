package io.sluice.vectors.monitor;

import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what must come, and not for ever. */
final class WaitLimit {
    private static final long LONGEST_NANOS = 20_000_000_000L;
    private static final long LOOK_AGAIN_NANOS = 1_000_000;

    private WaitLimit() {}

    /** What was waited for did not come. */
    static final class LostException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        LostException(String awaited) {
            super(awaited);
        }
    }

    static void await(String what, BooleanSupplier come) {
        long until = System.nanoTime() + LONGEST_NANOS;
        while (!come.getAsBoolean()) {
            if (System.nanoTime() > until) {
                throw new LostException("waited in vain for " + what);
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
                throw new LostException("waited in vain for " + what);
            }
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
    }
}
