package io.sluice.pressure.core.migrations;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/** One thing that somebody else keeps for a migration: what is known of it, and the one question about it. */
final class RemoteState {
    private static final Duration FIRST_WAIT = Duration.ofSeconds(1);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
    private static final int DOUBLINGS_MAX = 5;

    private enum Known {
        NEVER,
        THERE,
        IN_DOUBT,
        GONE
    }

    private record Asked(long number, MigrationRequest question) {}

    private Known known = Known.NEVER;
    private Optional<Asked> asked = Optional.empty();
    private int lost;
    private Instant notBefore = Instant.MIN;
    private Instant renewAt = Instant.MAX;
    private Instant endsBy = Instant.MAX;
    private long knownSince;

    /** Whether it may be asked about now. */
    boolean idle(Instant now) {
        return asked.isEmpty() && !now.isBefore(notBefore);
    }

    /** Whether no answer is awaited. */
    boolean quiet() {
        return asked.isEmpty();
    }

    /** Whether it certainly is there. */
    boolean there() {
        return known == Known.THERE;
    }

    /** Whether it is there, or may be. */
    boolean mayBeThere() {
        return known == Known.THERE || known == Known.IN_DOUBT;
    }

    /** What was done under this number came before it was known to be there. */
    boolean knownSince(long number) {
        return there() && knownSince < number;
    }

    /** Whether it is to be asked for again before it ends by itself. */
    boolean due(Instant now) {
        return !now.isBefore(renewAt);
    }

    /** From now on an answer is awaited; until it comes the thing may be there. */
    void asked(long number, MigrationRequest question) {
        asked = Optional.of(new Asked(number, question));
        if (known != Known.THERE || takesBack(question)) {
            known = Known.IN_DOUBT;
        }
    }

    private static boolean takesBack(MigrationRequest question) {
        return switch (question) {
            case MigrationRequest.Release _, MigrationRequest.Unmark _ -> true;
            case MigrationRequest.Hold _, MigrationRequest.Mark _, MigrationRequest.Migrate _, MigrationRequest.End _ ->
                false;
        };
    }

    /** The question that this answers; empty where it answers none that is open. */
    Optional<MigrationRequest> answered(long number) {
        var open = asked.filter(waiting -> waiting.number() == number).map(Asked::question);
        if (open.isPresent()) {
            asked = Optional.empty();
        }
        return open;
    }

    /** No answer came. */
    void lost(Instant now) {
        lost++;
        notBefore = now.plus(wait(lost));
    }

    private static Duration wait(int lost) {
        var wait = FIRST_WAIT.multipliedBy(1L << Math.min(lost - 1, DOUBLINGS_MAX));
        return wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
    }

    /** It certainly is there, as known at this number. */
    void isThere(long number) {
        settle(Known.THERE);
        knownSince = number;
    }

    /** It may be there, and nobody was asked. */
    void mayBe() {
        settle(Known.IN_DOUBT);
    }

    /** It certainly is not there. */
    void isGone() {
        settle(Known.GONE);
    }

    private void settle(Known now) {
        known = now;
        lost = 0;
        notBefore = Instant.MIN;
        renewAt = Instant.MAX;
    }

    /** It is to be asked for again then, although it is there. */
    void renewAt(Instant when) {
        renewAt = when;
    }

    /** From then on it certainly has ended by itself, unless it is asked for once more. */
    void endsBy(Instant when) {
        endsBy = when;
    }

    /** Whether it has ended by itself. */
    boolean hasEnded(Instant now) {
        return !now.isBefore(endsBy);
    }

    /** Nothing is to be asked before then. */
    void notBefore(Instant when) {
        notBefore = when;
    }

    @Override
    public String toString() {
        return known.name().toLowerCase(Locale.ROOT).replace('_', ' ')
                + asked.map(open -> ", asked to " + open.question().word()).orElse("");
    }
}
