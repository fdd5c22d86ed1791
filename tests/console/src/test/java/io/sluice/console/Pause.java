package io.sluice.console;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The step between two looks at something of another process, which cannot call us when it is ready. */
final class Pause {
    private Pause() {}

    static void milliseconds(long many) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(many));
    }
}
