package io.sluice.billing;

import io.sluice.billing.outbox.Outbox;
import java.io.IOException;

/**
 * An open outbox, and what the process before this one left in it.
 *
 * @param outbox the outbox
 * @param checkpoint the last checkpoint of the usage meters
 * @param lastMeters number of the last write of usage records
 * @param lastScaling number of the last write of scaling events
 * @param lastTaken number of the last write of windows that another process left
 */
record OpenedOutbox(Outbox outbox, UsageCheckpoint.Read checkpoint, long lastMeters, long lastScaling, long lastTaken) {
    static final String METERS = "meters";
    static final String TAKEN = "taken";
    static final String SCALING = "scaling";

    /** Reads from disk and blocks. Closes the outbox if its checkpoint cannot be read. */
    static OpenedOutbox read(Outbox outbox) throws IOException {
        try {
            return new OpenedOutbox(
                    outbox,
                    UsageCheckpoint.read(outbox.checkpoints(UsageCheckpoint.PREFIX)),
                    outbox.lastOffer(METERS),
                    outbox.lastOffer(SCALING),
                    outbox.lastOffer(TAKEN));
        } catch (IOException | RuntimeException unreadable) {
            outbox.close();
            throw unreadable;
        }
    }
}
