package io.sluice.billing;

import io.sluice.billing.outbox.Outbox;
import java.io.IOException;

/**
 * An outbox that was opened, and what the process before this one left in it.
 *
 * @param outbox the outbox
 * @param notes what was written down of meters
 * @param lastMeters number of the last offer of charges
 * @param lastScaling number of the last offer of scaling events
 * @param lastLife number of the last sign of life
 */
record OpenedOutbox(Outbox outbox, UsageCheckpoint.Read notes, long lastMeters, long lastScaling, long lastLife) {
    static final String METERS = "meters";
    static final String LIFE = "life";
    static final String SCALING = "scaling";

    /** Waits for the disk. An outbox whose notes cannot be read is closed. */
    static OpenedOutbox read(Outbox outbox) throws IOException {
        try {
            return new OpenedOutbox(
                    outbox,
                    UsageCheckpoint.read(outbox.notes(UsageCheckpoint.PREFIX)),
                    outbox.lastOffer(METERS),
                    outbox.lastOffer(SCALING),
                    outbox.lastOffer(LIFE));
        } catch (IOException | RuntimeException unreadable) {
            outbox.close();
            throw unreadable;
        }
    }
}
