package io.sluice.replay.openb;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.placement.core.plugins.PlacementPlugin;
import io.sluice.shell.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;

/** A replay of the trace openb: how much of all GPUs each rule for nodes allocates. */
public final class OpenbRun {
    private static final String NODES = "openb_node_list_all_node.csv.gz";
    private static final String LIST = "default";
    private static final String ROW = "%-12s %8s %8s %10s";
    /** The share of all devices that arrivals request in the end, as in the figures of the trace's authors. */
    private static final double ARRIVALS = 1.3;

    private OpenbRun() {}

    /** Whether a folder has the trace. */
    public static boolean reads(Path folder) {
        return Files.exists(folder.resolve(NODES));
    }

    /**
     * What a rule allocated.
     *
     * @param allocated the share of all devices
     */
    private record Score(String rule, int tasks, int placed, double allocated) {}

    /**
     * The result as lines of text.
     *
     * @param seed of the order in which tasks arrive
     * @param out a folder for report.json
     */
    public static List<String> run(Path folder, long seed, int threads, Optional<Path> out)
            throws IOException, InterruptedException {
        var trace = OpenbTrace.read(folder, LIST)
                .orElseThrow(() -> new ConfigException(
                        List.of(folder + " has no openb_pod_list_" + LIST + ".csv.gz beside its nodes.")));
        var scores = new ArrayList<Score>();
        try (var pool = Executors.newFixedThreadPool(threads)) {
            var tasks = new ArrayList<Callable<Score>>();
            // Rules learn while they place: each task has its own.
            for (var name : OpenbRules.of(trace).keySet()) {
                tasks.add(() -> score(trace, name, OpenbRules.of(trace).get(name), seed));
            }
            for (var done : pool.invokeAll(tasks)) {
                scores.add(done.get());
            }
        } catch (ExecutionException broken) {
            throw new IllegalStateException("a replay failed", broken.getCause());
        }
        if (out.isPresent()) {
            Files.createDirectories(out.get());
            Files.writeString(out.get().resolve("report.json"), report(trace, scores, seed));
        }
        return lines(trace, scores);
    }

    private static Score score(OpenbTrace trace, String name, List<PlacementPlugin> rules, long seed) {
        var replay = new OpenbReplay(trace, rules);
        var arrivals = trace.arrivals(ARRIVALS, seed);
        var allocated = replay.play(arrivals);
        return new Score(name, arrivals.size(), replay.placed(), allocated[allocated.length - 1]);
    }

    private static List<String> lines(OpenbTrace trace, List<Score> scores) {
        var lines = new ArrayList<String>();
        lines.add(String.format(Locale.ROOT, ROW, "placement", "tasks", "placed", "allocated"));
        for (var score : scores) {
            lines.add(String.format(
                    Locale.ROOT,
                    ROW,
                    score.rule(),
                    score.tasks(),
                    score.placed(),
                    String.format(Locale.ROOT, "%.2f %%", 100 * score.allocated())));
        }
        lines.add("allocated: of the " + trace.milliOfAll() / 1_000 + " GPUs of "
                + trace.nodes().size()
                + " nodes, once tasks for 130 % of them have arrived. fragments is production's pipeline; no"
                + " task ends.");
        return lines;
    }

    private static String report(OpenbTrace trace, List<Score> scores, long seed) throws IOException {
        var tree = JsonNodeFactory.instance.objectNode();
        tree.put("trace", "openb");
        tree.put("seed", seed);
        tree.put("nodes", trace.nodes().size());
        tree.put("gpus", trace.milliOfAll() / 1_000);
        var all = tree.putArray("placement");
        scores.forEach(score -> all.add(node(score)));
        return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(tree) + "\n";
    }

    private static ObjectNode node(Score score) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("rule", score.rule())
                .put("tasks", score.tasks())
                .put("placed", score.placed())
                .put("allocated", score.allocated());
    }
}
