package io.sluice.billing;

import io.sluice.billing.core.Gap;
import io.sluice.billing.core.UsageRecord;
import java.util.List;
import java.util.Map;

/**
 * What metering writes to the outbox in one commit.
 *
 * @param charges usage records
 * @param gaps use that could not be billed
 * @param checkpoints entries of the checkpoint for the next process
 */
record UsageCommit(List<UsageRecord> charges, List<Gap> gaps, Map<String, byte[]> checkpoints) {
    UsageCommit {
        charges = List.copyOf(charges);
        gaps = List.copyOf(gaps);
        checkpoints = Map.copyOf(checkpoints);
    }
}
