package io.sluice.bench;

import io.sluice.lab.LabPaths;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * From the frame in which a monitor cries for memory until the patch of its VM is seen on a watch: every role in one
 * process, with the lab's API server. Each VM cries again a while after it has come back to its one unit.
 */
public final class UpscaleRequestBench {
    private static final int VMS = 20;
    private static final int WARM_UP = 600;
    private static final int CRIES = 2_500;
    private static final int PAUSE_MS = 100;
    private static final long PATIENCE_S = 170;
    private static final Map<String, String> KEYS = Map.of("sluice.agent.requestedUpscaleValid", "300ms");

    private final Random random = new Random(1);
    private final Map<String, Long> arrivedAt = new ConcurrentHashMap<>();
    private final Map<String, Long> criedAt = new ConcurrentHashMap<>();
    private final Latencies whole = new Latencies(CRIES);
    private final Latencies toApi = new Latencies(CRIES);
    private final Latencies fromApi = new Latencies(CRIES);
    private final CountDownLatch finished = new CountDownLatch(WARM_UP + CRIES);
    private World world;

    private UpscaleRequestBench() {}

    /** Prints a table. */
    public static void main(String[] arguments) throws InterruptedException {
        var bench = new UpscaleRequestBench();
        try (var world = new World(VMS, KEYS, bench::arrived)) {
            bench.run(world);
        }
        System.exit(0);
    }

    private void run(World ours) throws InterruptedException {
        world = ours;
        while (world.content() < VMS) {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        }
        world.watch(this::seen);
        for (int i = 0; i < VMS; i++) {
            cryAfterAWhile(World.name(i));
        }
        boolean complete = finished.await(PATIENCE_S, TimeUnit.SECONDS);
        System.out.println("| from | to | count | p50 ms | p99 ms | max ms |");
        System.out.println("|---|---|---|---|---|---|");
        row("the frame", "the patch on a watch", whole);
        row("the frame", "the patch whole at the API", toApi);
        row("the patch whole at the API", "the patch on a watch", fromApi);
        if (!complete) {
            System.out.println("not all cries were answered in time: " + finished.getCount() + " are missing");
        }
    }

    private static void row(String from, String to, Latencies latencies) {
        System.out.printf(Locale.ROOT, "| %s | %s | %s |%n", from, to, latencies.columns());
    }

    /** The last write to a VM before it is seen larger is the patch. */
    private void arrived(String path) {
        arrivedAt.put(path, System.nanoTime());
    }

    private void seen(JsonObject vm) {
        long now = System.nanoTime();
        var name = vm.getJsonObject("metadata").getString("name");
        int units = World.units(vm);
        var cried = criedAt.get(name);
        if (units > 1 && cried != null) {
            criedAt.remove(name);
            note(now, cried, arrivedAt.getOrDefault(LabPaths.vm(name), cried));
        } else if (units == 1 && cried == null && isAtRest(vm)) {
            cryAfterAWhile(name);
        }
    }

    private static boolean isAtRest(JsonObject vm) {
        return "1Gi".equals(vm.getJsonObject("status").getString("memorySize"))
                && "Running".equals(vm.getJsonObject("status").getString("phase"));
    }

    private void note(long now, long cried, long arrived) {
        if (finished.getCount() <= CRIES) {
            whole.add(now - cried);
            toApi.add(arrived - cried);
            fromApi.add(now - arrived);
        }
        finished.countDown();
    }

    private void cryAfterAWhile(String name) {
        criedAt.put(name, Long.MAX_VALUE);
        world.outside()
                .setTimer(
                        PAUSE_MS + random.nextInt(PAUSE_MS),
                        timer -> criedAt.put(name, world.guests().cry(name)));
    }
}
