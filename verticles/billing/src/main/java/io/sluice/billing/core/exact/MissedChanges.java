package io.sluice.billing.core.exact;

import io.sluice.billing.core.Gap;
import java.time.Instant;
import java.util.Optional;

/**
 * A stretch in which changes were missed.
 *
 * @param since when it began; empty if there was nothing before
 * @param until when meters run again
 * @param known whether others know it whole, if they live to bill it
 */
record MissedChanges(Gap.Cause cause, Optional<Instant> since, Instant until, boolean known) {}
