package io.sluice.pressure.core.migrations;

import io.sluice.pressure.core.actions.MigrationRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/** The last state of a hold, mark or object, and the one request for it that is under way. */
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

    private record Sent(long number, MigrationRequest request) {}

    private Known known = Known.NEVER;
    private Optional<Sent> requested = Optional.empty();
    private int lost;
    private Instant notBefore = Instant.MIN;
    private Instant renewAt = Instant.MAX;
    private Instant endsBy = Instant.MAX;
    private long knownSince;

    /** Whether a request for it may be sent now. */
    boolean idle(Instant now) {
        return requested.isEmpty() && !now.isBefore(notBefore);
    }

    /** Whether no request is under way. */
    boolean quiet() {
        return requested.isEmpty();
    }

    /** Whether it certainly exists. */
    boolean there() {
        return known == Known.THERE;
    }

    /** Whether it exists or may exist. */
    boolean mayBeThere() {
        return known == Known.THERE || known == Known.IN_DOUBT;
    }

    /** Whether it has existed since after that number was drawn. */
    boolean knownSince(long number) {
        return there() && knownSince < number;
    }

    /** Whether it has to be renewed before it ends by itself. */
    boolean due(Instant now) {
        return !now.isBefore(renewAt);
    }

    /** Records a request. Until the reply comes it may exist. */
    void requested(long number, MigrationRequest request) {
        requested = Optional.of(new Sent(number, request));
        if (known != Known.THERE || takesBack(request)) {
            known = Known.IN_DOUBT;
        }
    }

    private static boolean takesBack(MigrationRequest request) {
        return switch (request) {
            case MigrationRequest.Release _, MigrationRequest.Unmark _ -> true;
            case MigrationRequest.Hold _, MigrationRequest.Mark _, MigrationRequest.Migrate _, MigrationRequest.End _ ->
                false;
        };
    }

    /** The open request with this number; empty where there is none. */
    Optional<MigrationRequest> answered(long number) {
        var open = requested.filter(waiting -> waiting.number() == number).map(Sent::request);
        if (open.isPresent()) {
            requested = Optional.empty();
        }
        return open;
    }

    /** The request got no reply. */
    void lost(Instant now) {
        lost++;
        notBefore = now.plus(wait(lost));
    }

    private static Duration wait(int lost) {
        var wait = FIRST_WAIT.multipliedBy(1L << Math.min(lost - 1, DOUBLINGS_MAX));
        return wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
    }

    /** It certainly exists, since this number. */
    void isThere(long number) {
        resolve(Known.THERE);
        knownSince = number;
    }

    /** It may exist, without any request. */
    void mayBe() {
        resolve(Known.IN_DOUBT);
    }

    /** It certainly does not exist. */
    void isGone() {
        resolve(Known.GONE);
    }

    private void resolve(Known now) {
        known = now;
        lost = 0;
        notBefore = Instant.MIN;
        renewAt = Instant.MAX;
    }

    /** Sets when it has to be requested again although it exists. */
    void renewAt(Instant when) {
        renewAt = when;
    }

    /** Sets when it certainly has ended by itself, unless it is requested again. */
    void endsBy(Instant when) {
        endsBy = when;
    }

    /** Whether it has ended by itself. */
    boolean hasEnded(Instant now) {
        return !now.isBefore(endsBy);
    }

    /** No request is sent before then. */
    void notBefore(Instant when) {
        notBefore = when;
    }

    @Override
    public String toString() {
        return known.name().toLowerCase(Locale.ROOT).replace('_', ' ')
                + requested
                        .map(open -> ", request sent: " + open.request().word())
                        .orElse("");
    }
}
