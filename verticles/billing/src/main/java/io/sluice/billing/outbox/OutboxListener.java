package io.sluice.billing.outbox;

import io.sluice.billing.outbox.file.OpeningFinding;
import java.time.Duration;

/** Hears of what an operator should know about the outbox. Called by whoever uses it, while it is locked. */
public interface OutboxListener {
    /** The file cannot be used; it is opened again after that wait, when next somebody asks for something. */
    void failed(Throwable cause, Duration wait);

    /** It can be used again. */
    void works();

    /** Something was wrong with the file, and was dealt with. */
    void found(OpeningFinding finding);

    /** Events wait for a sink that is not configured any more; they are kept. */
    void orphaned(String lane, long entries);
}
