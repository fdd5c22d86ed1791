package io.sluice.billing.outbox.file;

import java.io.IOException;
import java.util.stream.Stream;

/** A sync failed. From then on, what can be read back may not be on the disk. */
final class SyncFailedException extends IOException {
    private static final long serialVersionUID = 1L;

    SyncFailedException(IOException cause) {
        super("the sync of the disk failed: " + cause.getMessage(), cause);
    }

    static boolean isCauseOf(Throwable failure) {
        return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
                .anyMatch(SyncFailedException.class::isInstance);
    }
}
