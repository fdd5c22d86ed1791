package io.sluice.bench.placement;

import io.sluice.placement.core.devices.BestFit;
import io.sluice.placement.core.devices.DeviceFill;
import io.sluice.placement.core.devices.DotProduct;
import io.sluice.placement.core.devices.Fragmentation;
import io.sluice.placement.core.devices.LeastFragments;
import io.sluice.placement.core.devices.PodShape;
import io.sluice.placement.core.devices.TypicalPods;
import io.sluice.placement.core.plugins.PlacementPlugin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Plays the trace openb with each score of nodes and ten orders of arrival, prints what is allocated in the end, and
 * draws it.
 */
public final class OpenbBench {
    private static final int DEVICES_MAX = 8;
    private static final double ARRIVALS = 1.3;
    private static final int FIRST_SEED = 42;

    private OpenbBench() {}

    /** The scores that are compared, by their names. */
    public static Map<String, PlacementPlugin> scores(OpenbTrace trace) {
        var typical = TypicalPods.of(trace.tasks().stream()
                .map(task -> new PodShape(task.amounts().milliCpu(), task.devices(), task.milli(), task.models()))
                .toList());
        var scores = new LinkedHashMap<String, PlacementPlugin>();
        scores.put("least fragments", new LeastFragments(typical, DEVICES_MAX));
        scores.put("FGD", new Fragmentation(typical));
        scores.put("device fill", DeviceFill.DEFAULT);
        scores.put("best fit", new BestFit(DEVICES_MAX));
        scores.put("dot product", new DotProduct(DEVICES_MAX));
        return scores;
    }

    /**
     * Takes the directory of the trace, the name of its list of tasks, the number of orders and a file for the plot.
     */
    public static void main(String[] arguments) throws IOException {
        var trace = OpenbTrace.read(Path.of(arguments[0]), arguments[1]);
        if (trace.isEmpty()) {
            System.out.println("The trace is not in " + arguments[0] + ".");
            return;
        }
        int seeds = Integer.parseInt(arguments[2]);
        var curves = new LinkedHashMap<String, double[]>();
        System.out.println("| score | mean | least | most | seconds |\n|---|--:|--:|--:|--:|");
        scores(trace.get()).forEach((name, score) -> curves.put(name, played(trace.get(), name, score, seeds)));
        Files.writeString(Path.of(arguments[3]), OpenbPlot.svg(curves));
    }

    /** The mean of all orders after each percent of arrivals. */
    private static double[] played(OpenbTrace trace, String name, PlacementPlugin score, int seeds) {
        long begun = System.nanoTime();
        List<double[]> all = new ArrayList<>();
        for (int seed = FIRST_SEED; seed < FIRST_SEED + seeds; seed++) {
            all.add(new OpenbReplay(trace, score).play(trace.arrivals(ARRIVALS, seed)));
        }
        int last = all.stream().mapToInt(curve -> curve.length).min().orElseThrow() - 1;
        var ends =
                all.stream().mapToDouble(curve -> 100 * curve[curve.length - 1]).summaryStatistics();
        System.out.printf(
                Locale.ROOT,
                "| %s | %.2f | %.2f | %.2f | %.0f |%n",
                name,
                ends.getAverage(),
                ends.getMin(),
                ends.getMax(),
                (System.nanoTime() - begun) / 1e9);
        return IntStream.rangeClosed(0, last)
                .mapToDouble(at ->
                        all.stream().mapToDouble(curve -> curve[at]).average().orElseThrow())
                .toArray();
    }
}
