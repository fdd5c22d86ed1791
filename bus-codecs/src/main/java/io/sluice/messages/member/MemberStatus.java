package io.sluice.messages.member;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * The status of a process, as it reports it.
 *
 * @param id the process's
 * @param version of the program; empty where it is not known
 * @param roles its roles, by their names in config
 * @param uptime since it was started
 * @param ready whether no part of it waits
 * @param waits the parts that wait, sorted by part, then those that run and are in trouble; at most {@link #LIST_MAX}
 * @param counts numbers of its parts; at most {@link #LIST_MAX}
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
     * A part of the process that is not ready, or is in trouble.
     *
     * @param part a verticle's name, such as {@code ledger}
     * @param sentence what it waits for, or what troubles it
     */
    public record Wait(String part, String sentence) {
        public Wait {
            Objects.requireNonNull(part, "part");
            Objects.requireNonNull(sentence, "sentence");
        }
    }

    /**
     * The number of something in a process.
     *
     * @param what in words, such as {@code runners}
     * @param number how many
     */
    public record Count(String what, long number) {
        /**
         * The runners of an agent, one for each VM that it serves. Other processes read this name, so it never changes.
         */
        public static final String RUNNERS = "runners";

        /**
         * The pods that arrived on a node without a hold since the process was started, as its ledger counts them.
         * Other processes read this name, so it never changes.
         */
        public static final String WITHOUT_HOLD = "pods without a hold";

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
