package io.sluice.bench.measurement;

import io.vertx.core.VertxOptions;
import io.vertx.core.spi.VertxMetricsFactory;
import io.vertx.core.spi.metrics.PoolMetrics;
import io.vertx.core.spi.metrics.VertxMetrics;
import java.util.concurrent.atomic.LongAdder;

/** Measures how long each task of one of Vert.x's worker pools takes, once it has a thread. */
public final class WorkerTimes implements VertxMetricsFactory {
    private static final int TASKS_MAX = 1_000_000;

    private final String pool;
    private final LongAdder busy = new LongAdder();
    private volatile Latencies tasks = new Latencies(TASKS_MAX);

    /** Measures the pool of that name. */
    public WorkerTimes(String pool) {
        this.pool = pool;
    }

    /** Time in tasks, in nanoseconds, of all its threads since the start. */
    public long busyNanos() {
        return busy.sum();
    }

    /** The times of the tasks since the last call. */
    public Latencies take() {
        var taken = tasks;
        tasks = new Latencies(TASKS_MAX);
        return taken;
    }

    @Override
    public VertxMetrics metrics(VertxOptions options) {
        return new VertxMetrics() {
            @Override
            public PoolMetrics<?, ?> createPoolMetrics(String type, String name, int size) {
                return name.equals(pool) ? new Tasks() : null;
            }
        };
    }

    /** Measures tasks; each is identified by its start. */
    private final class Tasks implements PoolMetrics<Long, Long> {
        @Override
        public Long begin() {
            return System.nanoTime();
        }

        @Override
        public void end(Long begun) {
            long took = System.nanoTime() - begun;
            busy.add(took);
            tasks.add(took);
        }
    }
}
