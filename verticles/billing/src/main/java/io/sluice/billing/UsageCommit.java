package io.sluice.billing;

import io.sluice.billing.core.Gap;
import io.sluice.billing.core.UsageRecord;
import java.util.List;
import java.util.Map;

/**
 * What metering has brought in, to become durable all at once.
 *
 * @param charges what is to be billed
 * @param gaps what is not
 * @param notes what the process after this one needs to go on
 */
record UsageCommit(List<UsageRecord> charges, List<Gap> gaps, Map<String, byte[]> notes) {
    UsageCommit {
        charges = List.copyOf(charges);
        gaps = List.copyOf(gaps);
        notes = Map.copyOf(notes);
    }
}
