package io.sluice.gateway.console;

import io.sluice.bus.Tap;
import io.sluice.gateway.core.console.TapFilter;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.member.TapBatch;
import io.sluice.messages.member.TapRequest;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Serves taps of this process to other processes: the first request opens a tap, each further one takes its new
 * messages, and without requests it closes. For one event loop.
 */
public final class SharedTaps {
    private static final Duration LEASE = Duration.ofSeconds(TapRequest.LEASE_SECONDS);

    private final Vertx vertx;
    private final Tap tap;
    private final InstantSource clock;
    private final String self;
    private final MemberNames names = new MemberNames();
    private final Map<String, Listener> listeners = new HashMap<>();

    /** One tap, its last request, and the reply to that. */
    private static final class Listener {
        private final TapStream messages;
        private final Tap.Closing listening;
        private long seq;
        private Future<TapBatch> answer = Future.failedFuture("no request yet");
        private Instant until = Instant.MIN;

        private Listener(TapStream messages, Tap.Closing listening) {
            this.messages = messages;
            this.listening = listening;
        }
    }

    /**
     * Creates it without open taps.
     *
     * @param self the id of this process, with which each message is marked
     */
    public SharedTaps(Vertx vertx, Tap tap, InstantSource clock, String self) {
        this.vertx = vertx;
        this.tap = tap;
        this.clock = clock;
        this.self = self;
    }

    /** Takes which VM runs in a pod, for messages that name the pod alone. */
    public void observed(PodObserved pod) {
        names.observed(pod);
    }

    /** Takes the end of a pod. */
    public void gone(String uid) {
        names.gone(uid);
    }

    /** Returns the number of open taps. */
    public int size() {
        return listeners.size();
    }

    /**
     * Returns the messages since the last request; fails if the tap cannot be opened. A repeated request gets the same
     * reply.
     */
    public Future<TapBatch> answer(TapRequest request) {
        var known = listeners.get(request.listener());
        if (known == null) {
            return switch (TapFilter.of(request.vm(), request.node(), request.address(), request.kind())) {
                case TapFilter.Reading.Bad(var sentence) -> Future.failedFuture(sentence);
                case TapFilter.Reading.Good(var filter) -> open(request, filter);
            };
        }
        if (request.seq() < known.seq) {
            return Future.failedFuture("request " + known.seq + " already has a reply");
        }
        known.until = clock.instant().plus(LEASE);
        return request.seq() == known.seq ? known.answer : taken(known, request, false);
    }

    private Future<TapBatch> open(TapRequest request, TapFilter filter) {
        var messages = new TapStream(filter, names, clock, self);
        try {
            var fresh = new Listener(messages, tap.listen(messages::receive));
            fresh.until = clock.instant().plus(LEASE);
            listeners.put(request.listener(), fresh);
            return taken(fresh, request, true);
        } catch (IllegalStateException full) {
            return Future.failedFuture(full.getMessage());
        }
    }

    private Future<TapBatch> taken(Listener listener, TapRequest request, boolean opened) {
        var messages = listener.messages;
        listener.seq = request.seq();
        listener.answer = vertx.executeBlocking(
                        () -> messages.texts(TapBatch.MESSAGES_MAX, TapBatch.CHARACTERS_MAX), false)
                .map(texts -> new TapBatch(request.seq(), opened, texts, !messages.isEmpty(), messages.dropped()));
        return listener.answer;
    }

    /** Closes taps without a recent request; to be called each second. */
    public void tick() {
        var now = clock.instant();
        for (var entry : List.copyOf(listeners.entrySet())) {
            if (!entry.getValue().until.isAfter(now)) {
                entry.getValue().listening.close();
                listeners.remove(entry.getKey());
            }
        }
    }

    /** Closes all of them. */
    public void close() {
        listeners.values().forEach(listener -> listener.listening.close());
        listeners.clear();
    }
}
