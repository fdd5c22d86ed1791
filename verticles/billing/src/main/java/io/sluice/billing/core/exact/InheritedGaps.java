package io.sluice.billing.core.exact;

import io.sluice.billing.core.Gap;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Gaps of this process in time that other processes observed. They are reported only if none of those processes lives
 * to bill that time.
 */
final class InheritedGaps {
    /** After this time beyond its end, a gap counts as billed by a process that observed the time. */
    private static final Duration FOR = Duration.ofSeconds(15);

    private final List<Gap> gaps = new ArrayList<>();
    private final int most;
    private boolean changed;
    private long givenUp;

    InheritedGaps(int most) {
        this.most = most;
    }

    void add(Gap gap) {
        if (gaps.size() < most) {
            gaps.add(gap);
            changed = true;
        } else {
            givenUp++;
        }
    }

    long givenUp() {
        return givenUp;
    }

    /**
     * Returns the gaps to report now.
     *
     * @param othersLive whether a process that observed the time lives
     * @param received since when changes are received, without which no process bills; empty while they are not
     */
    List<Gap> published(boolean othersLive, Optional<Instant> received, Instant now) {
        if (othersLive) {
            received.ifPresent(since -> changed |= gaps.removeIf(gap -> isBilled(gap, since, now)));
            return List.of();
        }
        var all = List.copyOf(gaps);
        changed |= !all.isEmpty();
        gaps.clear();
        return all;
    }

    private static boolean isBilled(Gap gap, Instant received, Instant now) {
        var known = gap.to().isAfter(received) ? gap.to() : received;
        return !known.plus(FOR).isAfter(now);
    }

    /** Returns all gaps if they changed since the last call. */
    Optional<List<Gap>> takeChanged() {
        var all = Optional.of(List.copyOf(gaps)).filter(known -> changed);
        changed = false;
        return all;
    }
}
