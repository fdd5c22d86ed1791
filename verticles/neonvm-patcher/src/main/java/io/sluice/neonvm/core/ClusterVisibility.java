package io.sluice.neonvm.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/** How well a process sees the cluster: whether it can list all kinds of objects, and hears of their changes. */
public sealed interface ClusterVisibility {
    /**
     * For so long it may see less. A list or watch that fails again and again is tried twice in that time at least, if
     * the server does not ask for more patience: what the next try mends is no reason to have another lead.
     */
    Duration BLIND_AFTER = Duration.ofSeconds(60);

    /** It sees all of it. */
    record Whole() implements ClusterVisibility {}

    /**
     * It has seen less since then.
     *
     * @param what it does not see, in words
     */
    record Partial(String what, Instant since) implements ClusterVisibility {
        public Partial {
            Objects.requireNonNull(what, "what");
            Objects.requireNonNull(since, "since");
        }
    }

    /**
     * It saw less for so long that another should lead.
     *
     * @param what it did not see when that was looked at last, in words
     * @param wholeSince since when it sees all again; empty while it does not
     * @param steady for how long it has to before it counts as seeing
     */
    record Blind(String what, Optional<Instant> wholeSince, Duration steady) implements ClusterVisibility {
        public Blind {
            Objects.requireNonNull(what, "what");
            Objects.requireNonNull(wholeSince, "wholeSince");
            Objects.requireNonNull(steady, "steady");
        }
    }

    /** One that has just started and has seen nothing yet. */
    static ClusterVisibility started(Instant now) {
        return new Partial("nothing was listed yet", now);
    }

    /**
     * A look.
     *
     * @param missing what is not seen now, in words; empty if all of it is
     * @param steady if it is too long now: for how long it has to see all before it counts as seeing
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
