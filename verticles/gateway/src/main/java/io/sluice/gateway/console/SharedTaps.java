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
 * Lets other processes listen to the bus of this one: the first question opens a listener, each further one takes what
 * it has heard, and without any it closes. For one event loop.
 */
public final class SharedTaps {
    private static final Duration LEASE = Duration.ofSeconds(TapRequest.LEASE_SECONDS);

    private final Vertx vertx;
    private final Tap tap;
    private final InstantSource clock;
    private final String self;
    private final MemberNames names = new MemberNames();
    private final Map<String, Listener> listeners = new HashMap<>();

    /** One listener, the last question that it was asked, and the answer to that. */
    private static final class Listener {
        private final TapStream messages;
        private final Tap.Closing listening;
        private long seq;
        private Future<TapBatch> answer = Future.failedFuture("nothing was asked yet");
        private Instant until = Instant.MIN;

        private Listener(TapStream messages, Tap.Closing listening) {
            this.messages = messages;
            this.listening = listening;
        }
    }

    /**
     * Nobody listens yet.
     *
     * @param self the id of this process, which each message is marked with
     */
    public SharedTaps(Vertx vertx, Tap tap, InstantSource clock, String self) {
        this.vertx = vertx;
        this.tap = tap;
        this.clock = clock;
        this.self = self;
    }

    /** Takes which VM runs in a pod, for messages that name the pod alone. */
    public void seen(PodObserved pod) {
        names.seen(pod);
    }

    /** Takes the end of a pod. */
    public void gone(String uid) {
        names.gone(uid);
    }

    /** How many listen. */
    public int size() {
        return listeners.size();
    }

    /**
     * What was heard since the last question; fails where nobody can listen so. A repeated question is answered alike.
     */
    public Future<TapBatch> answer(TapRequest wanted) {
        var known = listeners.get(wanted.listener());
        if (known == null) {
            return switch (TapFilter.of(wanted.vm(), wanted.node(), wanted.address(), wanted.kind())) {
                case TapFilter.Reading.Bad(var sentence) -> Future.failedFuture(sentence);
                case TapFilter.Reading.Good(var filter) -> open(wanted, filter);
            };
        }
        if (wanted.seq() < known.seq) {
            return Future.failedFuture("question " + known.seq + " was answered already");
        }
        known.until = clock.instant().plus(LEASE);
        return wanted.seq() == known.seq ? known.answer : taken(known, wanted, false);
    }

    private Future<TapBatch> open(TapRequest wanted, TapFilter filter) {
        var messages = new TapStream(filter, names, clock, self);
        try {
            var fresh = new Listener(messages, tap.listen(messages::hear));
            fresh.until = clock.instant().plus(LEASE);
            listeners.put(wanted.listener(), fresh);
            return taken(fresh, wanted, true);
        } catch (IllegalStateException full) {
            return Future.failedFuture(full.getMessage());
        }
    }

    private Future<TapBatch> taken(Listener listener, TapRequest wanted, boolean opened) {
        var messages = listener.messages;
        listener.seq = wanted.seq();
        listener.answer = vertx.executeBlocking(
                        () -> messages.texts(TapBatch.MESSAGES_MAX, TapBatch.CHARACTERS_MAX), false)
                .map(texts -> new TapBatch(wanted.seq(), opened, texts, !messages.isEmpty(), messages.dropped()));
        return listener.answer;
    }

    /** Closes those whose reader is silent; to be called each second. */
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
