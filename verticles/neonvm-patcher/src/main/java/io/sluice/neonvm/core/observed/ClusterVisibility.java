package io.sluice.neonvm.core.observed;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/** Whether a process sees the whole Kubernetes cluster: it can list all kinds of objects and receives their changes. */
public sealed interface ClusterVisibility {
    /**
     * The longest time with a partial view before another process leads. A failing list or watch is tried at least
     * twice in that time, unless the server requests a longer wait. What the next try repairs needs no other leader.
     */
    Duration BLIND_AFTER = Duration.ofSeconds(60);

    /** The process sees everything. */
    record Whole() implements ClusterVisibility {}

    /**
     * The process has seen less since {@code since}.
     *
     * @param what what it does not see, in words
     */
    record Partial(String what, Instant since) implements ClusterVisibility {
        public Partial {
            Objects.requireNonNull(what, "what");
            Objects.requireNonNull(since, "since");
        }
    }

    /**
     * The process saw less for so long that another should lead.
     *
     * @param what what it did not see at the last check, in words
     * @param wholeSince since when it sees everything again; empty while it does not
     * @param steady how long it must see everything before it may lead again
     */
    record Blind(String what, Optional<Instant> wholeSince, Duration steady) implements ClusterVisibility {
        public Blind {
            Objects.requireNonNull(what, "what");
            Objects.requireNonNull(wholeSince, "wholeSince");
            Objects.requireNonNull(steady, "steady");
        }
    }

    /** The state of a process that has just started and has seen nothing yet. */
    static ClusterVisibility started(Instant now) {
        return new Partial("no full list yet", now);
    }

    /**
     * The state after a check.
     *
     * @param missing what is not seen now, in words; empty if everything is seen
     * @param steady if the process becomes blind now: how long it must see everything before it may lead again
     */
    default ClusterVisibility looked(Optional<String> missing, Duration steady, Instant now) {
        return switch (this) {
            case Whole whole ->
                missing.<ClusterVisibility>map(what -> new Partial(what, now)).orElse(whole);
            case Partial(var _, var since) ->
                missing.<ClusterVisibility>map(
                                what -> Duration.between(since, now).compareTo(BLIND_AFTER) < 0
                                        ? new Partial(what, since)
                                        : new Blind(what, Optional.empty(), steady))
                        .orElseGet(Whole::new);
            case Blind(var before, var wholeSince, var wanted) -> {
                if (missing.isPresent()) {
                    yield new Blind(missing.get(), Optional.empty(), wanted);
                }
                var since = wholeSince.orElse(now);
                yield now.isBefore(since.plus(wanted)) ? new Blind(before, Optional.of(since), wanted) : new Whole();
            }
        };
    }
}
