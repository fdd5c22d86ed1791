package io.sluice.billing.core.exact;

import io.sluice.billing.core.Gap;
import io.sluice.billing.core.UsageRecord;
import io.sluice.units.VmId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What becomes durable in one commit: the results up to the end of one window, and the state at that time. Commits are
 * written in order, so the next process can continue from any of them.
 *
 * @param charges usage records, earliest first
 * @param gaps gaps to report
 * @param changed usage meters that changed since the commit before; those that ended are empty
 * @param inheritedGaps gaps to be reported if no other process bills that time; empty if unchanged since the commit
 *     before
 * @param receivedUntil the last instant up to which changes were received; empty before there was one
 * @param windowStart the instant up to which windows were closed
 * @param settled the established processes when changes were last received
 */
public record WindowCommit(
        List<UsageRecord> charges,
        List<Gap> gaps,
        Map<VmId, Optional<UsageMeterState>> changed,
        Optional<List<Gap>> inheritedGaps,
        Optional<Instant> receivedUntil,
        Instant windowStart,
        Set<String> settled) {}
