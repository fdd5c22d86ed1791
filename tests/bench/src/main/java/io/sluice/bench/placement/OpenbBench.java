package io.sluice.bench.placement;

import io.sluice.placement.core.plugins.PlacementPlugin;
import io.sluice.replay.openb.OpenbReplay;
import io.sluice.replay.openb.OpenbRules;
import io.sluice.replay.openb.OpenbTrace;
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

    /** The rules that are compared, by the name of their score. */
    public static Map<String, List<PlacementPlugin>> rules(OpenbTrace trace) {
        var rules = new LinkedHashMap<>(OpenbRules.of(trace));
        rules.put("dot product", OpenbRules.compared(new DotProduct(DEVICES_MAX)));
        return rules;
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
        rules(trace.get()).forEach((name, rules) -> curves.put(name, played(trace.get(), name, rules, seeds)));
        Files.writeString(Path.of(arguments[3]), OpenbPlot.svg(curves));
    }

    /** The mean of all orders after each percent of arrivals. */
    private static double[] played(OpenbTrace trace, String name, List<PlacementPlugin> rules, int seeds) {
        long begun = System.nanoTime();
        List<double[]> all = new ArrayList<>();
        for (int seed = FIRST_SEED; seed < FIRST_SEED + seeds; seed++) {
            all.add(new OpenbReplay(trace, rules).play(trace.arrivals(ARRIVALS, seed)));
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
