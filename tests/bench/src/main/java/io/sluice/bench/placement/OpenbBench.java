package io.sluice.bench.placement;

import io.sluice.placement.core.devices.BestFit;
import io.sluice.placement.core.devices.DeviceFill;
import io.sluice.placement.core.devices.DotProduct;
import io.sluice.placement.core.devices.Fragmentation;
import io.sluice.placement.core.devices.PodShape;
import io.sluice.placement.core.devices.TypicalPods;
import io.sluice.placement.core.plugins.PlacementPlugin;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Plays the trace with each score of nodes and several orders of arrival, and prints what is allocated in the end. */
public final class OpenbBench {
    private static final int DEVICES_MAX = 8;
    private static final double ARRIVALS = 1.3;

    private OpenbBench() {}

    static Map<String, Supplier<PlacementPlugin>> scores(OpenbTrace trace) {
        var typical = TypicalPods.of(trace.tasks().stream()
                .map(task ->
                        new PodShape(task.amounts().milliCpu(), task.devices(), task.milli(), task.models()))
                .toList());
        var scores = new LinkedHashMap<String, Supplier<PlacementPlugin>>();
        scores.put("FGD", () -> new Fragmentation(typical));
        scores.put("best fit", () -> new BestFit(DEVICES_MAX));
        scores.put("dot product", () -> new DotProduct(DEVICES_MAX));
        scores.put("fill", () -> DeviceFill.DEFAULT);
        return scores;
    }

    /** Takes the directory of the trace, the number of orders and, for one score alone, its name. */
    public static void main(String[] arguments) {
        var trace = OpenbTrace.read(Path.of(arguments[0]), "default").orElseThrow();
        int seeds = Integer.parseInt(arguments[1]);
        scores(trace).forEach((name, score) -> {
            if (arguments.length > 2 && !arguments[2].equals(name)) {
                return;
            }
            for (int seed = 42; seed < 42 + seeds; seed++) {
                long begun = System.nanoTime();
                var replay = new OpenbReplay(trace, score.get());
                var allocated = replay.play(trace.arrivals(ARRIVALS, seed));
                System.out.printf(
                        "%-12s seed %d: %.2f %% allocated at %d %%, %d tasks, %.1f s%n",
                        name,
                        seed,
                        100 * allocated[allocated.length - 1],
                        allocated.length - 1,
                        replay.placed(),
                        (System.nanoTime() - begun) / 1e9);
            }
        });
    }
}
