package io.sluice.billing.core.exact;

import io.sluice.billing.core.Gap;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Gaps of this one in what others knew, who were here before: they are told only if none of those lives to bill it. */
final class InheritedGaps {
    /** For as long after its end: by then whoever knew has billed it. */
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
     * What is to be told now.
     *
     * @param othersLive whether any of those who know lives
     * @param hearing since when changes are heard of, without which nobody bills anything; empty while they are not
     */
    List<Gap> told(boolean othersLive, Optional<Instant> hearing, Instant now) {
        if (othersLive) {
            hearing.ifPresent(since -> changed |= gaps.removeIf(gap -> isBilled(gap, since, now)));
            return List.of();
        }
        var all = List.copyOf(gaps);
        changed |= !all.isEmpty();
        gaps.clear();
        return all;
    }

    private static boolean isBilled(Gap gap, Instant hearing, Instant now) {
        var known = gap.to().isAfter(hearing) ? gap.to() : hearing;
        return !known.plus(FOR).isAfter(now);
    }

    /** All of them, if they are others than when this was asked last. */
    Optional<List<Gap>> takeChanged() {
        var all = Optional.of(List.copyOf(gaps)).filter(known -> changed);
        changed = false;
        return all;
    }
}
