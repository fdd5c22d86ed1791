package io.sluice.bench;

import io.sluice.bench.measurement.BenchOption;
import io.sluice.bench.measurement.Child;
import io.sluice.bench.measurement.Latencies;
import io.sluice.lab.api.LabPaths;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The time from the frame with a monitor's upscale request until a watch shows the patch of its VM: every role in one
 * process, the lab's API server and the guests in another one. Each VM repeats its request some time after it has
 * returned to one unit.
 */
public final class UpscaleRequestBench {
    private static final int VMS = 40;
    private static final int WARM_UP = 2_000;
    private static final int UPSCALE_REQUESTS = 20_000;
    private static final int PAUSE_MS = 100;
    private static final long TIMEOUT_MIN = 20;
    private static final double[] SHARES = {0.5, 0.99, 0.999, 1};

    private final Random random = new Random(1);
    private final Map<String, Long> arrivedAt = new ConcurrentHashMap<>();
    private final Map<String, Long> upscaleRequestedAt = new ConcurrentHashMap<>();
    private final Latencies whole = new Latencies(UPSCALE_REQUESTS);
    private final Latencies toApi = new Latencies(UPSCALE_REQUESTS);
    private final Latencies fromApi = new Latencies(UPSCALE_REQUESTS);
    private final CountDownLatch warm = new CountDownLatch(WARM_UP);
    private final CountDownLatch finished = new CountDownLatch(UPSCALE_REQUESTS);
    private World world;

    private UpscaleRequestBench() {}

    /** Prints a table. */
    public static void main(String[] arguments) throws InterruptedException, IOException {
        var bench = new UpscaleRequestBench();
        try (var world = new World(VMS, bench::arrived);
                var sluice = scaling(world.url())) {
            bench.run(world, sluice);
        }
        System.exit(0);
    }

    private static Child scaling(String url) throws IOException {
        return Child.start(
                ScalingProcess.class,
                BenchOption.recorded(Child.DISTRIBUTION, 30),
                url,
                Integer.toString(VMS),
                "sluice.agent.requestedUpscaleValid=300ms");
    }

    private void run(World ours, Child sluice) throws InterruptedException, IOException {
        world = ours;
        sluice.next();
        var all = IntStream.range(0, VMS).mapToObj(World::name).collect(Collectors.toSet());
        world.awaitContent(VMS, () -> all);
        world.watch(this::observed);
        for (var name : all) {
            requestUpscaleAfterAWhile(name);
        }
        if (!warm.await(TIMEOUT_MIN, TimeUnit.MINUTES)) {
            throw new IllegalStateException("of the requests to warm up " + warm.getCount() + " had no effect");
        }
        sluice.order("measure");
        boolean complete = finished.await(TIMEOUT_MIN, TimeUnit.MINUTES);
        sluice.order("report");
        System.out.println("| from | to | count | p50 ms | p99 ms | p99.9 ms | max ms |");
        System.out.println("|---|---|---|---|---|---|---|");
        row("the frame", "the patch on a watch", whole.columns(SHARES));
        row("the frame", "the patch whole at the API", toApi.columns(SHARES));
        row("the patch whole at the API", "the patch on a watch", fromApi.columns(SHARES));
        row("the end of a sleep of 1 ms", "the thread wakes", sluice.next());
        if (!complete) {
            System.out.println(
                    "not all upscale requests had their effect in time: " + finished.getCount() + " are missing");
        }
    }

    private static void row(String from, String to, String columns) {
        System.out.printf(Locale.ROOT, "| %s | %s | %s |%n", from, to, columns);
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
        if (warm.getCount() > 0) {
            warm.countDown();
            return;
        }
        whole.add(now - upscaleRequested);
        toApi.add(arrived - upscaleRequested);
        fromApi.add(now - arrived);
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
