package io.sluice.bench;

import io.sluice.bench.measurement.Latencies;
import io.sluice.lab.api.LabPaths;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The time from the frame with a monitor's upscale request until a watch shows the patch of its VM: every role in one
 * process, with the lab's API server. Each VM repeats its request some time after it has returned to one unit.
 */
public final class UpscaleRequestBench {
    private static final int VMS = 20;
    private static final int WARM_UP = 600;
    private static final int UPSCALE_REQUESTS = 2_500;
    private static final int PAUSE_MS = 100;
    private static final long TIMEOUT_S = 170;
    private static final Map<String, String> KEYS = Map.of("sluice.agent.requestedUpscaleValid", "300ms");

    private final Random random = new Random(1);
    private final Map<String, Long> arrivedAt = new ConcurrentHashMap<>();
    private final Map<String, Long> upscaleRequestedAt = new ConcurrentHashMap<>();
    private final Latencies whole = new Latencies(UPSCALE_REQUESTS);
    private final Latencies toApi = new Latencies(UPSCALE_REQUESTS);
    private final Latencies fromApi = new Latencies(UPSCALE_REQUESTS);
    private final CountDownLatch finished = new CountDownLatch(WARM_UP + UPSCALE_REQUESTS);
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
        world.watch(this::observed);
        for (int i = 0; i < VMS; i++) {
            requestUpscaleAfterAWhile(World.name(i));
        }
        boolean complete = finished.await(TIMEOUT_S, TimeUnit.SECONDS);
        System.out.println("| from | to | count | p50 ms | p99 ms | max ms |");
        System.out.println("|---|---|---|---|---|---|");
        row("the frame", "the patch on a watch", whole);
        row("the frame", "the patch whole at the API", toApi);
        row("the patch whole at the API", "the patch on a watch", fromApi);
        if (!complete) {
            System.out.println(
                    "not all upscale requests had their effect in time: " + finished.getCount() + " are missing");
        }
    }

    private static void row(String from, String to, Latencies latencies) {
        System.out.printf(Locale.ROOT, "| %s | %s | %s |%n", from, to, latencies.columns());
    }

    /** The last write to a VM before the watch shows it larger is the patch. */
    private void arrived(String path) {
        arrivedAt.put(path, System.nanoTime());
    }

    private void observed(JsonObject vm) {
        long now = System.nanoTime();
        var name = vm.getJsonObject("metadata").getString("name");
        int units = World.units(vm);
        var upscaleRequested = upscaleRequestedAt.get(name);
        if (units > 1 && upscaleRequested != null) {
            upscaleRequestedAt.remove(name);
            record(now, upscaleRequested, arrivedAt.getOrDefault(LabPaths.vm(name), upscaleRequested));
        } else if (units == 1 && upscaleRequested == null && isAtRest(vm)) {
            requestUpscaleAfterAWhile(name);
        }
    }

    private static boolean isAtRest(JsonObject vm) {
        return "1Gi".equals(vm.getJsonObject("status").getString("memorySize"))
                && "Running".equals(vm.getJsonObject("status").getString("phase"));
    }

    private void record(long now, long upscaleRequested, long arrived) {
        if (finished.getCount() <= UPSCALE_REQUESTS) {
            whole.add(now - upscaleRequested);
            toApi.add(arrived - upscaleRequested);
            fromApi.add(now - arrived);
        }
        finished.countDown();
    }

    private void requestUpscaleAfterAWhile(String name) {
        upscaleRequestedAt.put(name, Long.MAX_VALUE);
        world.outside()
                .setTimer(
                        PAUSE_MS + random.nextInt(PAUSE_MS),
                        timer -> upscaleRequestedAt.put(name, world.guests().upscaleRequest(name)));
    }
}
