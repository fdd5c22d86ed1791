package io.sluice.billing.outbox.file;

import java.io.IOException;
import java.util.stream.Stream;

/** The disk did not confirm what was written, and what can be read back proves nothing from then on. */
final class SyncFailedException extends IOException {
    private static final long serialVersionUID = 1L;

    SyncFailedException(IOException cause) {
        super("the disk did not confirm what was written: " + cause.getMessage(), cause);
    }

    static boolean isCauseOf(Throwable failure) {
        return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
                .anyMatch(SyncFailedException.class::isInstance);
    }
}
