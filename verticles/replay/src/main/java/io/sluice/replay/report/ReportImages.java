package io.sluice.replay.report;

import io.sluice.replay.ReplayResult;
import io.sluice.replay.core.score.PolicyScore;
import io.sluice.replay.core.score.VmScore;
import io.sluice.units.ResourceKind;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** The charts of a report as PNGs. */
final class ReportImages {
    private static final int WIDTH = 1_100;
    private static final int HEIGHT = 420;
    private static final int VM_HEIGHT = 210;
    private static final int COLUMNS = 2;
    private static final double HOUR_SECONDS = 3_600;
    private static final List<Color> TONES = List.of(
            Plot.SIZE,
            Plot.DEMAND,
            Plot.BASE,
            Plot.GOOD,
            new Color(0x9a3412),
            new Color(0x586678),
            new Color(0xb0307a),
            new Color(0x6b7d00));

    private final ReplayResult result;
    private final ReportPage page;
    private final Path folder;

    private ReportImages(ReplayResult result, Path folder) {
        this.result = result;
        this.page = new ReportPage(result);
        this.folder = folder;
    }

    /** Writes all of them. */
    static void write(ReplayResult result, Path folder) throws IOException {
        System.setProperty("java.awt.headless", "true");
        new ReportImages(result, folder).all();
    }

    private void all() throws IOException {
        for (var kind : result.kinds()) {
            if (!result.finished(kind).isEmpty()) {
                var name = kind.name().toLowerCase(Locale.ROOT);
                pareto(kind, folder.resolve("pareto-" + name + ".png"));
                vms(kind, page.saving(kind), folder.resolve("saving-" + name + ".png"));
                vms(kind, page.lacking(kind), folder.resolve("lacking-" + name + ".png"));
            }
        }
        var fleet = new ArrayList<NodeMap>();
        result.fleet()
                .forEach(score -> fleet.add(new NodeMap(score.policy(), score.use(), score.migrationsByPeriod())));
        nodes(fleet, "fleet");
        var nodes = new ArrayList<NodeMap>();
        result.onNodes()
                .forEach(score -> nodes.add(new NodeMap(score.policy(), score.use(), score.migrationsBySample())));
        nodes(nodes, "nodes");
    }

    /** What a policy did on nodes, sample by sample. */
    private record NodeMap(String policy, List<String> use, List<Integer> migrations) {}

    private void pareto(ResourceKind kind, Path file) throws IOException {
        var sums = result.sums(kind);
        var plot = new Plot(WIDTH, HEIGHT);
        plot.chart(
                0,
                0,
                WIDTH,
                HEIGHT,
                "Saved, against samples with an incident (" + word(kind) + "); left and up is better");
        double most =
                sums.stream().mapToDouble(PolicyScore::incidentPercent).max().orElse(0);
        plot.axes(Plot.round(Math.max(most, 0.01)), "incidents, % of samples", 100, "saved, % of recorded sizes");
        for (int i = 0; i < sums.size(); i++) {
            var sum = sums.get(i);
            var tone = i == 0 ? Plot.BASE : i == sums.size() - 1 ? Plot.GOOD : Plot.SIZE;
            plot.point(sum.incidentPercent(), Math.max(0, sum.savedPercent()), sum.policy(), tone);
        }
        plot.write(file);
    }

    private void vms(ResourceKind kind, List<Integer> shown, Path file) throws IOException {
        int rows = (shown.size() + COLUMNS - 1) / COLUMNS;
        var plot = new Plot(WIDTH, rows * VM_HEIGHT + 30);
        int at = plot.legend("demand", 12, 20, Plot.DEMAND);
        at = plot.legend(result.policies().getLast().config().name(), at, 20, Plot.SIZE);
        plot.legend(result.policies().getFirst().config().name(), at, 20, Plot.BASE);
        for (int i = 0; i < shown.size(); i++) {
            vm(plot, kind, shown.get(i), i % COLUMNS * (WIDTH / COLUMNS), i / COLUMNS * VM_HEIGHT + 30);
        }
        plot.write(file);
    }

    private void vm(Plot plot, ResourceKind kind, int index, int atX, int atY) {
        var series = result.series().get(index);
        double unit = kind == ResourceKind.CPU ? 1_000 : 1_024;
        double step = series.periodSeconds() / HOUR_SECONDS;
        var demand = Arrays.stream(series.samples(), result.first(), series.samples().length)
                .map(value -> Double.isNaN(value) ? 0 : value / unit)
                .toArray();
        var scores = result.scores().get(index);
        var size = sizes(scores[scores.length - 1], unit);
        var base = sizes(scores[0], unit);
        double most = Math.max(most(demand), Math.max(most(size), most(base)));
        plot.chart(atX, atY, WIDTH / COLUMNS, VM_HEIGHT, series.vm());
        plot.axes(demand.length * step, "hours", Plot.round(most), kind == ResourceKind.CPU ? "CPUs" : "GiB");
        plot.steps(demand, step, Plot.DEMAND);
        plot.steps(base, step, Plot.BASE);
        plot.steps(size, step, Plot.SIZE);
    }

    private static double[] sizes(VmScore score, double unit) {
        var sizes = new double[score.sizes().length];
        Arrays.setAll(sizes, i -> score.sizes()[i] / unit);
        return sizes;
    }

    private static double most(double[] values) {
        return Arrays.stream(values).max().orElse(0);
    }

    private void nodes(List<NodeMap> maps, String name) throws IOException {
        if (maps.isEmpty() || maps.getFirst().use().isEmpty()) {
            return;
        }
        migrations(maps, folder.resolve(name + "-migrations.png"));
        for (var map : maps) {
            var file = name + "-" + map.policy().replaceAll("[^A-Za-z0-9.+-]", "_") + ".png";
            heat(map, name, folder.resolve(file));
        }
    }

    private void migrations(List<NodeMap> maps, Path file) throws IOException {
        int perHour =
                Math.max(1, (int) HOUR_SECONDS / result.series().getFirst().periodSeconds());
        var plot = new Plot(WIDTH, HEIGHT + 30);
        var byHour = maps.stream().map(map -> byHour(map.migrations(), perHour)).toList();
        double most = byHour.stream().mapToDouble(ReportImages::most).max().orElse(0);
        plot.chart(0, 30, WIDTH, HEIGHT, "Migrations begun, by the hour");
        plot.axes(byHour.getFirst().length, "hours", Plot.round(most), "migrations in an hour");
        int at = 12;
        for (int i = 0; i < maps.size(); i++) {
            var tone = TONES.get(i % TONES.size());
            at = plot.legend(maps.get(i).policy(), at, 20, tone);
            plot.steps(byHour.get(i), 1, tone);
        }
        plot.write(file);
    }

    private static double[] byHour(List<Integer> counts, int perHour) {
        var hours = new double[(counts.size() + perHour - 1) / perHour];
        for (int i = 0; i < counts.size(); i++) {
            hours[i / perHour] += counts.get(i);
        }
        return hours;
    }

    private void heat(NodeMap map, String name, Path file) throws IOException {
        int columns = map.use().size();
        var rows = nodesUsed(map.use());
        var plot = new Plot(WIDTH, HEIGHT);
        plot.chart(
                0,
                0,
                WIDTH,
                HEIGHT,
                (name.equals("fleet") ? "CPU in use" : "Reserved") + " on each node: " + map.policy()
                        + "; blank is none, the stronger the fuller");
        double hours = columns * result.series().getFirst().periodSeconds() / HOUR_SECONDS;
        plot.axes(hours, "hours", Math.max(1, rows.size()), "nodes in use after the first hour");
        for (int column = 0; column < columns; column++) {
            for (int row = 0; row < rows.size(); row++) {
                char tenth = map.use().get(column).charAt(rows.get(row));
                if (tenth != '-') {
                    plot.cell(column, columns, row, rows.size(), (tenth - '0') / 9.0);
                }
            }
        }
        plot.write(file);
    }

    private List<Integer> nodesUsed(List<String> use) {
        int hour = Math.min(
                use.size() - 1, (int) HOUR_SECONDS / result.series().getFirst().periodSeconds());
        var later = use.subList(hour, use.size());
        return IntStream.range(0, use.getFirst().length())
                .filter(node -> later.stream().anyMatch(column -> column.charAt(node) != '-'))
                .boxed()
                .toList();
    }

    private static String word(ResourceKind kind) {
        return kind == ResourceKind.CPU ? "CPU" : "memory";
    }
}
