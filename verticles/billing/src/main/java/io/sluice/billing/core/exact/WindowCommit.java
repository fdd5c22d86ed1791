package io.sluice.billing.core.exact;

import io.sluice.billing.core.Gap;
import io.sluice.billing.core.UsageRecord;
import io.sluice.units.VmId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What becomes durable in one commit: the results up to the end of one window, and the state at that time. Commits are
 * written in order, so the next process can continue from any of them.
 *
 * @param charges usage records, earliest first
 * @param gaps gaps to report
 * @param changed the VMs whose usage meters changed since the commit before
 * @param receivedUntil the last instant up to which changes were received; empty before there was one
 * @param windowStart the instant up to which windows were closed
 */
public record WindowCommit(
        List<UsageRecord> charges,
        List<Gap> gaps,
        Map<VmId, MeterEntry> changed,
        Optional<Instant> receivedUntil,
        Instant windowStart) {}
