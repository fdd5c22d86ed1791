package io.sluice.workers.core;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is stored of a token by which machines enroll.
 *
 * @param hash of the token; the token itself is nowhere stored
 * @param pattern the id that it is for, or what the id begins with and a star
 * @param usesLeft how many more workers may enroll with it
 * @param usedBy the workers and keys that enrolled with it: their requests may be repeated
 */
public record JoinToken(
        String id,
        String hash,
        String pattern,
        int usesLeft,
        Instant endsAt,
        Map<String, String> labels,
        Set<String> runtimes,
        List<String> usedBy) {
    /** The most workers that may enroll with one token. */
    public static final int USES_MAX = 1_000;

    public JoinToken {
        if (usesLeft < 0 || usesLeft > USES_MAX) {
            throw new IllegalArgumentException("a token has at most " + USES_MAX + " uses: " + usesLeft);
        }
        labels = Map.copyOf(labels);
        runtimes = Set.copyOf(runtimes);
        usedBy = List.copyOf(usedBy);
    }

    JoinToken used(String by) {
        var all = new ArrayList<>(usedBy);
        all.add(by);
        return new JoinToken(id, hash, pattern, usesLeft - 1, endsAt, labels, runtimes, all);
    }
}
