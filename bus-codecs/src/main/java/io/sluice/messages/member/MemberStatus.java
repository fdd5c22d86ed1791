package io.sluice.messages.member;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * How a process is, in its own words.
 *
 * @param id the process's
 * @param version of the program; empty where it is not known
 * @param roles what it runs, by the names that config uses
 * @param uptime since it was started
 * @param ready whether nothing in it waits
 * @param waits what waits, sorted by part; at most {@link #LIST_MAX}
 * @param counts what it has how many of; at most {@link #LIST_MAX}
 */
public record MemberStatus(
        String id,
        String version,
        List<String> roles,
        Duration uptime,
        boolean ready,
        List<Wait> waits,
        List<Count> counts) {
    /** The longest list of a status. */
    public static final int LIST_MAX = 32;

    /**
     * A part of the process that is not ready.
     *
     * @param part a verticle's name, such as {@code ledger}
     * @param sentence what it waits for
     */
    public record Wait(String part, String sentence) {
        public Wait {
            Objects.requireNonNull(part, "part");
            Objects.requireNonNull(sentence, "sentence");
        }
    }

    /**
     * How many the process has of something.
     *
     * @param what in words, such as {@code runners}
     * @param number how many
     */
    public record Count(String what, long number) {
        /** Those of an agent: one for each VM that it serves. Other processes read it, so it stays as it is. */
        public static final String RUNNERS = "runners";

        public Count {
            Objects.requireNonNull(what, "what");
        }
    }

    public MemberStatus {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(version, "version");
        roles = bounded("roles", roles);
        Objects.requireNonNull(uptime, "uptime");
        waits = bounded("waits", waits);
        counts = bounded("counts", counts);
    }

    private static <T> List<T> bounded(String name, List<T> list) {
        if (list.size() > LIST_MAX) {
            throw new IllegalArgumentException(name + " has at most " + LIST_MAX + " elements, not " + list.size());
        }
        return List.copyOf(list);
    }
}
