package io.sluice.console;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The pause between two checks of another process, which cannot notify this one. */
final class Pause {
    private Pause() {}

    static void milliseconds(long many) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(many));
    }
}
