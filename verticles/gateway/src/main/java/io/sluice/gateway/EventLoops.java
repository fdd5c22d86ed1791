package io.sluice.gateway;

import io.netty.util.concurrent.EventExecutor;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Whether the event loops of a process run what they are given. Safe from any thread. */
final class EventLoops {
    private final List<Vertx> watched = new CopyOnWriteArrayList<>();
    private final Map<EventExecutor, Instant> givenAt = new ConcurrentHashMap<>();

    void watch(Vertx vertx) {
        watched.add(vertx);
    }

    /**
     * How long the slowest of them has left something undone that it was given by an earlier call. Gives each of the
     * others something to do.
     */
    Duration longestStall(Instant now) {
        for (var vertx : watched) {
            for (var loop : ((VertxInternal) vertx).nettyEventLoopGroup()) {
                if (!loop.isShuttingDown() && givenAt.putIfAbsent(loop, now) == null) {
                    loop.execute(() -> givenAt.remove(loop));
                }
            }
        }
        givenAt.keySet().removeIf(EventExecutor::isShuttingDown);
        return givenAt.values().stream()
                .map(given -> Duration.between(given, now))
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }
}
