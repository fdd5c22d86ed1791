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
 * What is to become durable all at once: what was found by the end of one window, and how things stood then, before the
 * next was closed. Portions are made durable in their order, and whoever has only the first of them goes on from there.
 *
 * @param charges what is to be billed, the earliest first
 * @param gaps what was found not to be billed
 * @param changed the meters that changed since the portion before; those that ended are empty
 * @param doubts gaps that are told if nobody else bills what is in them; empty if they are as in the portion before
 * @param heardUntil the last instant at which changes were heard of; empty before there was one
 * @param windowStart up to where windows were closed
 * @param settled who surely billed when changes were heard of last
 */
public record WindowCommit(
        List<UsageRecord> charges,
        List<Gap> gaps,
        Map<VmId, Optional<UsageMeterState>> changed,
        Optional<List<Gap>> doubts,
        Optional<Instant> heardUntil,
        Instant windowStart,
        Set<String> settled) {}
