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

/** Measures whether the event loops of a process run their tasks. Safe from any thread. */
final class EventLoops {
    private final List<Vertx> watched = new CopyOnWriteArrayList<>();
    private final Map<EventExecutor, Instant> givenAt = new ConcurrentHashMap<>();

    void watch(Vertx vertx) {
        watched.add(vertx);
    }

    /**
     * Returns for how long the slowest event loop has not run a task that an earlier call submitted. Submits a task to
     * each event loop that has none left.
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
