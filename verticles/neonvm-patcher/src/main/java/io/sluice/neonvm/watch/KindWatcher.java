package io.sluice.neonvm.watch;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.neonvm.api.JsonStream;
import io.sluice.neonvm.api.KubernetesApi;
import io.sluice.neonvm.api.RefusedException;
import io.sluice.neonvm.api.WatchEnd;
import io.sluice.neonvm.api.WatchMetrics;
import io.sluice.neonvm.api.WatchedKind;
import io.sluice.neonvm.core.objects.NodeReader;
import io.sluice.shell.Backoff;
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
 * Watches the objects of one kind from a full list on. A watch that breaks, is refused or becomes silent is opened
 * again at its last version. If the API server has expired that version, the watch waits for the next full list. It
 * keeps no object.
 */
final class KindWatcher implements JsonStream.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(KindWatcher.class);
    private static final Duration RETRY_FIRST = Duration.ofMillis(500);
    private static final Duration RETRY_LONGEST = Duration.ofSeconds(30);
    private static final Duration SETTLED_AFTER = Duration.ofSeconds(10);
    private static final int SECONDS_LEAST = 300;
    private static final int SECONDS_SPREAD = 300;
    private static final int CHECKS_PER_SILENCE = 4;
    private static final int SILENCES_MAX = 2;
    private static final Set<Integer> BUSY = Set.of(429, 500, 503);

    private final WatchedKind watched;
    private final Options options;
    private final Dependencies dependencies;
    private final Listener listener;
    private final Backoff.Failures backoff;
    private final Backoff.Failures listBackoff;
    private final long check;
    private Phase phase = Phase.NOT_BEGUN;
    private long version;
    private long openings;
    private int silences;
    private boolean proven = true;
    private volatile Optional<Trouble> trouble = Optional.empty();
    private Optional<JsonStream> stream = Optional.empty();
    private Instant openedAt = Instant.EPOCH;
    private Instant receivedAt = Instant.EPOCH;

    private enum Phase {
        NOT_BEGUN,
        OPENING,
        OPEN,
        WAITING,
        EXPIRED,
        CLOSED
    }

    /**
     * The parameters of a watch.
     *
     * @param selector selects the objects; a part of the query
     * @param silence a watch that receives nothing for this long is dead, since the API server sends something every
     *     minute
     */
    record Options(String selector, Duration silence) {}

    /** What all watches use. */
    record Dependencies(Vertx vertx, KubernetesApi api, Shell shell, WatchMetrics meters, Receptions receptions) {
        Dependencies(Vertx vertx, KubernetesApi api, Shell shell, WatchMetrics meters) {
            this(vertx, api, shell, meters, new Receptions());
        }
    }

    /** When any of the watches received something. For one context. */
    static final class Receptions {
        private Instant last = Instant.EPOCH;
    }

    /** Receives the changes of a watch, on its context. */
    interface Listener {
        /** @param gone whether the object was deleted */
        void changed(JsonNode object, boolean gone);

        /** The watch can continue only from a new full list. */
        void expired();
    }

    /** A watch that has not begun; to be used on the context on which it is created. */
    KindWatcher(WatchedKind watched, Options options, Dependencies dependencies, Listener listener) {
        this.watched = watched;
        this.options = options;
        this.dependencies = dependencies;
        this.listener = listener;
        this.backoff = new Backoff(RETRY_FIRST, RETRY_LONGEST)
                .failures(dependencies.shell().random());
        this.listBackoff = new Backoff(RETRY_FIRST, RETRY_LONGEST)
                .failures(dependencies.shell().random());
        dependencies.meters().countEnds(watched);
        long everyMs = Math.max(1, options.silence().toMillis() / CHECKS_PER_SILENCE);
        this.check = dependencies.vertx().setPeriodic(everyMs, timer -> endIfSilent());
    }

    /**
     * The state of a watch.
     *
     * @param started whether it has ever begun
     * @param watching whether it receives changes now
     * @param version of the last change that it received
     * @param openings how often it was opened and not refused
     * @param proven whether anything was received, or a full list taken, since it last broke or was silent
     */
    record State(boolean started, boolean watching, long version, long openings, boolean proven) {}

    /**
     * No changes are received.
     *
     * @param since when that was found
     * @param reason why
     */
    record Trouble(Instant since, String reason) {}

    /** A full list of that version is done; the watch delivers the changes after it. */
    void listed(long fullList) {
        proven = true;
        switch (phase) {
            case NOT_BEGUN, EXPIRED -> {
                version = fullList;
                open();
            }
            case WAITING -> version = Math.max(version, fullList);
            case OPENING, OPEN, CLOSED -> {}
        }
    }

    void close() {
        phase = Phase.CLOSED;
        trouble = Optional.empty();
        dependencies.vertx().cancelTimer(check);
        stream.ifPresent(JsonStream::close);
    }

    /** Since when no changes are received, and why; empty while they are. May be called from any thread. */
    Optional<Trouble> trouble() {
        return trouble;
    }

    State state() {
        return new State(isBegun(), isOpen(), version, openings, proven);
    }

    @Override
    public void opened() {
        phase = Phase.OPEN;
        openings++;
        openedAt = now();
        receivedAt = openedAt;
    }

    @Override
    public void line(JsonNode event) {
        if (phase != Phase.OPEN) {
            return;
        }
        receivedAt = now();
        dependencies.receptions().last = receivedAt;
        silences = 0;
        proven = true;
        try {
            take(event.path("type").asText(), event.path("object"));
        } catch (RuntimeException unreadable) {
            // An object that cannot be processed must not stop the later ones. The next full list contains it again.
            LOG.atWarn()
                    .addKeyValue(LogKeys.KIND, watched.instance())
                    .addKeyValue(LogKeys.REASON, String.valueOf(unreadable.getMessage()))
                    .log("A change could not be processed.");
        }
    }

    private void take(String type, JsonNode object) {
        switch (type) {
            case "ADDED", "MODIFIED" -> changed(type, object, false);
            case "DELETED" -> changed(type, object, true);
            case "BOOKMARK" -> received(object);
            case "ERROR" -> refused(object);
            default -> {}
        }
    }

    @Override
    public void ended(Optional<Throwable> failure) {
        if (failure.isEmpty()) {
            end(WatchEnd.DONE, Duration.ZERO, "the API server ended it");
            return;
        }
        var cause = failure.get();
        boolean expired = cause instanceof RefusedException refused && refused.isExpired();
        boolean refused = cause instanceof RefusedException;
        end(
                expired ? WatchEnd.EXPIRED : refused ? WatchEnd.REFUSED : WatchEnd.BROKEN,
                RefusedException.retryAfter(cause),
                KubernetesApi.words(cause));
    }

    private void changed(String type, JsonNode object, boolean gone) {
        dependencies.meters().event(watched, type);
        received(object);
        listener.changed(object, gone);
    }

    private void received(JsonNode object) {
        version = NodeReader.version(object);
        if (trouble.isPresent()) {
            trouble = Optional.empty();
            LOG.atInfo().addKeyValue(LogKeys.KIND, watched.instance()).log("Changes are received again.");
        }
    }

    /**
     * If the server reports that it cannot continue, only a full list helps. An overloaded server is tried again
     * instead.
     */
    private void refused(JsonNode status) {
        stream.ifPresent(JsonStream::close);
        int code = status.path("code").asInt();
        end(
                BUSY.contains(code) ? WatchEnd.REFUSED : WatchEnd.EXPIRED,
                Duration.ofSeconds(
                        Math.max(0, status.at("/details/retryAfterSeconds").asInt())),
                code + " " + status.path("message").asText());
    }

    private void endIfSilent() {
        boolean receives = phase == Phase.OPEN || phase == Phase.OPENING;
        if (receives && receivedAt.plus(options.silence()).isBefore(now())) {
            stream.ifPresent(JsonStream::close);
            silences++;
            end(WatchEnd.SILENT, Duration.ZERO, "nothing was received for " + silent());
        }
    }

    private String silent() {
        return options.silence().multipliedBy(silences).toSeconds() + " s";
    }

    private void open() {
        phase = Phase.OPENING;
        receivedAt = now();
        int seconds = SECONDS_LEAST + dependencies.shell().random().nextInt(SECONDS_SPREAD);
        stream = Optional.of(dependencies.api().stream(
                watched.path() + "?watch=true&allowWatchBookmarks=true&timeoutSeconds=" + seconds + "&resourceVersion="
                        + version + options.selector(),
                this));
    }

    private void end(WatchEnd end, Duration retryAfter, String words) {
        if (phase == Phase.CLOSED) {
            return;
        }
        boolean settled = phase == Phase.OPEN && openedAt.plus(SETTLED_AFTER).isBefore(now());
        dependencies.meters().ended(watched, end);
        proven &= end != WatchEnd.SILENT && end != WatchEnd.BROKEN;
        if (settled) {
            backoff.reset();
            listBackoff.reset();
        }
        // A kind without changes may stay silent somewhat longer: no wait and no warning are needed.
        if (settled && (end == WatchEnd.DONE || end == WatchEnd.SILENT && !isCutOff())) {
            open();
            return;
        }
        if (end != WatchEnd.DONE && trouble.isEmpty()) {
            trouble = Optional.of(new Trouble(now(), words));
            LOG.atWarn()
                    .addKeyValue(LogKeys.KIND, watched.instance())
                    .addKeyValue(LogKeys.REASON, words)
                    .log("No changes are received now; trying again.");
        }
        phase = end == WatchEnd.EXPIRED ? Phase.EXPIRED : Phase.WAITING;
        // A server that sends this answer is up again, so the waits of the outage do not apply.
        var pace = end == WatchEnd.EXPIRED ? listBackoff : backoff;
        dependencies.vertx().setTimer(Math.max(pace.nextMs(), retryAfter.toMillis()), timer -> goOn());
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
        return phase == Phase.OPEN && !isCutOff();
    }

    /**
     * Whether this and all other watches have received nothing for two silences, as behind a proxy that answers and
     * passes nothing on. An API server sends no bookmarks of a kind that has not changed since its own start, so the
     * silence of one kind shows nothing.
     */
    private boolean isCutOff() {
        return silences >= SILENCES_MAX
                && !dependencies
                        .receptions()
                        .last
                        .plus(options.silence().multipliedBy(SILENCES_MAX))
                        .isAfter(now());
    }

    private Instant now() {
        return dependencies.shell().clock().instant();
    }
}
