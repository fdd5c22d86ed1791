package io.sluice.placement.core.gangs;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * What a gang's object, or the annotations of its members, require.
 *
 * @param minMember how many start together at least
 * @param timeout how long holds wait for the others, where they are made singly
 * @param groups the gangs that start together with it, as {@code namespace/name}; empty for it alone
 * @param createdAt when its object was created
 * @param startedBefore whether its object shows that it had its members at one time
 * @param source its object
 * @param minResources what {@link #minMember} members need together, by resource: CPU in milli-CPU, the others in their
 *     own unit; empty where the object does not say it
 */
public record GangSpec(
        GangKey key,
        int minMember,
        Duration timeout,
        Mode mode,
        MatchPolicy matchPolicy,
        List<String> groups,
        Instant createdAt,
        boolean startedBefore,
        Source source,
        Map<String, Long> minResources) {
    /**
     * The object that declares a gang.
     *
     * @param version of the object
     */
    public record Source(String uid, long version) {
        /** Of a gang that has no object. */
        public static final Source NONE = new Source("", 0);

        public Source {
            Objects.requireNonNull(uid, "uid");
        }
    }

    /** How members are held. */
    public enum Mode {
        /** All at once, or none. */
        STRICT,
        /** Each as soon as it has a node; all are released at the deadline. */
        NON_STRICT
    }

    /** Which members count toward {@link #minMember}. */
    public enum MatchPolicy {
        /** Those that are held. */
        ONLY_WAITING,
        /** Those that are held or bound. */
        WAITING_AND_RUNNING,
        /** Those that are held, bound or succeeded; once that was enough, later members are no gang any more. */
        ONCE_SATISFIED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    public GangSpec {
        Objects.requireNonNull(key, "key");
        if (minMember < 1) {
            throw new IllegalArgumentException(
                    "gang " + key.label() + " has minMember " + minMember + ", and must have 1 or more");
        }
        Objects.requireNonNull(timeout, "timeout");
        Objects.requireNonNull(mode, "mode");
        Objects.requireNonNull(matchPolicy, "matchPolicy");
        groups = List.copyOf(groups);
        Objects.requireNonNull(createdAt, "createdAt");
        Objects.requireNonNull(source, "source");
        minResources = Map.copyOf(minResources);
    }

    /** A gang that is held all at once, with the defaults. */
    public GangSpec(GangKey key, int minMember, Instant createdAt) {
        this(
                key,
                minMember,
                GangOptions.DEFAULTS.timeout(),
                Mode.STRICT,
                GangOptions.DEFAULTS.matchPolicy(),
                List.of(),
                createdAt,
                false,
                Source.NONE,
                Map.of());
    }

    /** Whether its members are held singly, and wait for the others. */
    public boolean waits() {
        return mode == Mode.NON_STRICT || groups.size() > 1;
    }
}
