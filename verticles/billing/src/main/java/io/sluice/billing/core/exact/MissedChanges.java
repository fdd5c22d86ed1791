package io.sluice.billing.core.exact;

import io.sluice.billing.core.Gap;
import java.time.Instant;
import java.util.Optional;

/**
 * A time in which changes were missed.
 *
 * @param cause why they were missed
 * @param since when it began; empty if nothing was received before
 * @param until when usage meters run again
 * @param known whether other processes observed all of it, and bill it if they live
 */
record MissedChanges(Gap.Cause cause, Optional<Instant> since, Instant until, boolean known) {}
