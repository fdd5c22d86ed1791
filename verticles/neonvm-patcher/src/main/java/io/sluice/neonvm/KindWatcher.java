package io.sluice.neonvm;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.neonvm.core.NodeReader;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Shell;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches objects of one kind, from a listing on. A watch that breaks, is refused or falls silent is begun again where
 * it stopped; where the API server has forgotten that, it waits for the next listing. Keeps no object.
 */
final class KindWatcher implements JsonStream.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(KindWatcher.class);
    private static final Duration RETRY_FIRST = Duration.ofMillis(500);
    private static final Duration RETRY_LONGEST = Duration.ofSeconds(30);
    private static final Duration SETTLED_AFTER = Duration.ofSeconds(10);
    private static final int SECONDS_LEAST = 300;
    private static final int SECONDS_SPREAD = 300;
    private static final int CHECKS_PER_SILENCE = 4;
    private static final Set<Integer> BUSY = Set.of(429, 500, 503);

    private final WatchedKind watched;
    private final Terms terms;
    private final Home home;
    private final Listener listener;
    private final WatchBackoff backoff;
    private final WatchBackoff listings;
    private final long check;
    private Phase phase = Phase.NOT_BEGUN;
    private long version;
    private long openings;
    private boolean failing;
    private Optional<JsonStream> stream = Optional.empty();
    private Instant openedAt = Instant.EPOCH;
    private Instant heardAt = Instant.EPOCH;

    private enum Phase {
        NOT_BEGUN,
        OPENING,
        OPEN,
        WAITING,
        EXPIRED,
        CLOSED
    }

    /**
     * What is asked for.
     *
     * @param selector picks the objects, as a part of the query
     * @param silence a watch that hears nothing for so long is dead: the API server says something every minute
     */
    record Terms(String selector, Duration silence) {}

    /** What all watches share. */
    record Home(Vertx vertx, KubernetesApi api, Shell shell, WatchMetrics meters) {}

    /** Hears what a watch finds, on its context. */
    interface Listener {
        /** @param gone whether the object is there no more */
        void changed(JsonNode object, boolean gone);

        /** It can only go on from a new listing. */
        void expired();
    }

    /** How a watch ended. */
    enum End {
        /** By the server, in its time. */
        DONE,
        REFUSED,
        BROKEN,
        SILENT,
        EXPIRED
    }

    /** One that has not begun; to be used on the context that it is made on. */
    KindWatcher(WatchedKind watched, Terms terms, Home home, Listener listener) {
        this.watched = watched;
        this.terms = terms;
        this.home = home;
        this.listener = listener;
        this.backoff = new WatchBackoff(RETRY_FIRST, RETRY_LONGEST, home.shell().random());
        this.listings =
                new WatchBackoff(RETRY_FIRST, RETRY_LONGEST, home.shell().random());
        home.meters().follow(watched, this::isBegun, this::isOpen);
        long everyMs = Math.max(1, terms.silence().toMillis() / CHECKS_PER_SILENCE);
        this.check = home.vertx().setPeriodic(everyMs, timer -> endIfSilent());
    }

    /**
     * How a watch fares.
     *
     * @param started whether it was ever begun
     * @param watching whether changes are heard at present
     * @param version of the last change that was heard of
     * @param openings how often it was begun and not refused
     */
    record State(boolean started, boolean watching, long version, long openings) {}

    /** A listing of that version is through: what comes after it is to be heard. */
    void listed(long listing) {
        switch (phase) {
            case NOT_BEGUN, EXPIRED -> {
                version = listing;
                open();
            }
            case WAITING -> version = Math.max(version, listing);
            case OPENING, OPEN, CLOSED -> {}
        }
    }

    void close() {
        phase = Phase.CLOSED;
        home.vertx().cancelTimer(check);
        stream.ifPresent(JsonStream::close);
    }

    State state() {
        return new State(isBegun(), isOpen(), version, openings);
    }

    @Override
    public void opened() {
        phase = Phase.OPEN;
        openings++;
        openedAt = now();
        heardAt = openedAt;
    }

    @Override
    public void line(JsonNode event) {
        if (phase != Phase.OPEN) {
            return;
        }
        heardAt = now();
        try {
            take(event.path("type").asText(), event.path("object"));
        } catch (RuntimeException unreadable) {
            // One object that is no good must not cost those that follow; a listing tells of it again.
            LOG.atWarn()
                    .addKeyValue(LogKeys.KIND, watched.instance())
                    .addKeyValue(LogKeys.REASON, String.valueOf(unreadable.getMessage()))
                    .log("A change could not be dealt with.");
        }
    }

    private void take(String type, JsonNode object) {
        switch (type) {
            case "ADDED", "MODIFIED" -> changed(type, object, false);
            case "DELETED" -> changed(type, object, true);
            case "BOOKMARK" -> heard(object);
            case "ERROR" -> refused(object);
            default -> {}
        }
    }

    @Override
    public void ended(Optional<Throwable> failure) {
        if (failure.isEmpty()) {
            end(End.DONE, Duration.ZERO, "the API server ended it");
            return;
        }
        var cause = failure.get();
        boolean expired = cause instanceof RefusedException refused && refused.isExpired();
        boolean refused = cause instanceof RefusedException;
        end(
                expired ? End.EXPIRED : refused ? End.REFUSED : End.BROKEN,
                RefusedException.retryAfter(cause),
                KubernetesApi.words(cause));
    }

    private void changed(String type, JsonNode object, boolean gone) {
        home.meters().event(watched, type);
        heard(object);
        listener.changed(object, gone);
    }

    private void heard(JsonNode object) {
        version = NodeReader.version(object);
        if (failing) {
            failing = false;
            LOG.atInfo().addKeyValue(LogKeys.KIND, watched.instance()).log("Changes are heard of again.");
        }
    }

    /** Only a listing helps where the server says that it cannot go on; but for one that has too much to do. */
    private void refused(JsonNode status) {
        stream.ifPresent(JsonStream::close);
        int code = status.path("code").asInt();
        end(
                BUSY.contains(code) ? End.REFUSED : End.EXPIRED,
                Duration.ofSeconds(
                        Math.max(0, status.at("/details/retryAfterSeconds").asInt())),
                code + " " + status.path("message").asText());
    }

    private void endIfSilent() {
        if (phase == Phase.OPEN && heardAt.plus(terms.silence()).isBefore(now())) {
            stream.ifPresent(JsonStream::close);
            end(End.SILENT, Duration.ZERO, "nothing was heard for too long");
        }
    }

    private void open() {
        phase = Phase.OPENING;
        int seconds = SECONDS_LEAST + home.shell().random().nextInt(SECONDS_SPREAD);
        stream = Optional.of(home.api().stream(
                watched.path() + "?watch=true&allowWatchBookmarks=true&timeoutSeconds=" + seconds + "&resourceVersion="
                        + version + terms.selector(),
                this));
    }

    private void end(End end, Duration retryAfter, String words) {
        if (phase == Phase.CLOSED) {
            return;
        }
        boolean settled = phase == Phase.OPEN && openedAt.plus(SETTLED_AFTER).isBefore(now());
        home.meters().ended(watched, end);
        if (settled) {
            backoff.reset();
            listings.reset();
        }
        // A kind of which nothing ever changes may be silent for a little longer: no reason to wait, or to warn.
        if (settled && (end == End.DONE || end == End.SILENT)) {
            open();
            return;
        }
        if (end != End.DONE && !failing) {
            failing = true;
            LOG.atWarn()
                    .addKeyValue(LogKeys.KIND, watched.instance())
                    .addKeyValue(LogKeys.REASON, words)
                    .log("Changes are not heard of for now; trying again.");
        }
        phase = end == End.EXPIRED ? Phase.EXPIRED : Phase.WAITING;
        // A server that says so is there again, however long it was away.
        var pace = end == End.EXPIRED ? listings : backoff;
        home.vertx().setTimer(Math.max(pace.nextMs(), retryAfter.toMillis()), timer -> goOn());
    }

    private void goOn() {
        switch (phase) {
            case WAITING -> open();
            case EXPIRED -> listener.expired();
            case NOT_BEGUN, OPENING, OPEN, CLOSED -> {}
        }
    }

    private boolean isBegun() {
        return phase != Phase.NOT_BEGUN && phase != Phase.CLOSED;
    }

    private boolean isOpen() {
        return phase == Phase.OPEN;
    }

    private Instant now() {
        return home.shell().clock().instant();
    }
}
