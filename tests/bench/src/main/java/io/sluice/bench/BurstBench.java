package io.sluice.bench;

import io.sluice.bench.measurement.Latencies;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Upscale requests of 1 000 monitors at one instant, until a watch shows the patch of the last VM. */
public final class BurstBench {
    /** Number of VMs. */
    static final int VMS = 1_000;

    private static final int ROUNDS = 3;
    private static final long REST_S = 5;

    private final World world;
    private final Latencies latencies = new Latencies(VMS);
    private final Set<String> larger = ConcurrentHashMap.newKeySet();
    private volatile long upscaleRequestedAt;

    private BurstBench(World world) {
        this.world = world;
        world.watch(this::observed);
    }

    /** Prints a table with a row for each round; each round has a new world. */
    public static void main(String[] arguments) throws InterruptedException {
        System.out.println("| round | VMs | patched | p50 ms | p99 ms | last ms |");
        System.out.println("|---|---|---|---|---|---|");
        for (int round = 1; round <= ROUNDS; round++) {
            var latencies = burst(TimeUnit.SECONDS.toMillis(40));
            System.out.printf(Locale.ROOT, "| %d | %d | %s |%n", round, VMS, latencies.columns());
        }
        System.exit(0);
    }

    /**
     * One burst in a world of its own, once each VM has been content; waits for the last patch for at most that time.
     */
    static Latencies burst(long timeoutMs) throws InterruptedException {
        try (var world = new World(VMS, path -> {});
                var scaling = new Scaling(world.url(), Map.of())) {
            var bench = new BurstBench(world);
            world.awaitContent(VMS, scaling::content);
            return bench.run(timeoutMs);
        }
    }

    private Latencies run(long timeoutMs) throws InterruptedException {
        TimeUnit.SECONDS.sleep(REST_S);
        upscaleRequestedAt = System.nanoTime();
        for (int i = 0; i < VMS; i++) {
            world.guests().requestUpscaleUntilReceived(World.name(i));
        }
        long end = upscaleRequestedAt + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        while (latencies.count() < VMS && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(World.LOOK_MS);
        }
        return latencies;
    }

    private void observed(JsonObject vm) {
        if (World.units(vm) > 1 && larger.add(vm.getJsonObject("metadata").getString("name"))) {
            latencies.add(System.nanoTime() - upscaleRequestedAt);
        }
    }
}
