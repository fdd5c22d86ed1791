package io.sluice.cluster.roles;

import io.sluice.lab.LabWork;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Load of VMs that rises and falls, and how long each VM waits for a size that fits it. Once a VM was set to such a
 * size, its load turns after a short rest.
 */
final class LoadSwings implements AutoCloseable {
    private static final double VCPUS = 1.5;
    private static final long LARGE_MILLI_CPU = 1_250;
    private static final long SMALL_MILLI_CPU = 750;
    private static final Duration REST = Duration.ofMillis(300);
    private static final Duration LOOK_EVERY = Duration.ofMillis(50);

    private final LabWork work;
    private final Map<String, Swing> swings = new TreeMap<>();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("load-swings").factory());
    private long windowBegan = System.nanoTime();

    private static final class Swing {
        private boolean up;
        private boolean waits;
        private long milliCpu;
        private long turnedAt;
        private long restsSince;
        private long longest;
        private int done;
    }

    LoadSwings(LabWork work, Collection<String> vms) {
        this.work = work;
        vms.forEach(vm -> swings.put(vm, new Swing()));
        timer.scheduleAtFixedRate(this::turn, 0, LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    private synchronized void turn() {
        long now = System.nanoTime();
        swings.forEach((vm, swing) -> {
            if (!swing.waits && swing.milliCpu > 0 && now - swing.restsSince >= REST.toNanos()) {
                swing.up = !swing.up;
                swing.waits = true;
                swing.turnedAt = now;
                if (swing.up) {
                    work.compute(vm, VCPUS);
                } else {
                    work.rest(vm);
                }
            }
        });
    }

    /** A VM was set to that CPU. */
    synchronized void sized(String vm, long milliCpu) {
        var swing = swings.get(vm);
        if (swing == null) {
            return;
        }
        swing.milliCpu = milliCpu;
        boolean follows = swing.up ? milliCpu >= LARGE_MILLI_CPU : milliCpu <= SMALL_MILLI_CPU;
        if (swing.waits && follows) {
            long now = System.nanoTime();
            swing.waits = false;
            swing.restsSince = now;
            swing.longest = Math.max(swing.longest, now - Math.max(swing.turnedAt, windowBegan));
            if (swing.turnedAt - windowBegan >= 0) {
                swing.done++;
            }
        }
    }

    /** Starts a window: waits count from now on; of those under way only the rest counts. */
    synchronized void beginWindow() {
        windowBegan = System.nanoTime();
        swings.values().forEach(swing -> {
            swing.longest = 0;
            swing.done = 0;
        });
    }

    /** The VMs that followed their load less often than that since the window began. */
    synchronized List<String> behind(int times) {
        return swings.entrySet().stream()
                .filter(entry -> entry.getValue().done < times)
                .map(entry -> entry.getKey() + " " + (entry.getValue().up ? "up" : "down") + " from "
                        + entry.getValue().milliCpu + "m")
                .toList();
    }

    /** The longest wait of each VM that began or continued in the window, in ms, shortest first. */
    synchronized List<Long> longestMs() {
        long now = System.nanoTime();
        return swings.values().stream()
                .map(swing -> swing.waits
                        ? Math.max(swing.longest, now - Math.max(swing.turnedAt, windowBegan))
                        : swing.longest)
                .map(TimeUnit.NANOSECONDS::toMillis)
                .sorted()
                .toList();
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
