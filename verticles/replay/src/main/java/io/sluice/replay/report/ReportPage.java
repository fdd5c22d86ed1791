package io.sluice.replay.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.replay.ReplayResult;
import io.sluice.replay.core.score.VmScore;
import io.sluice.units.ResourceKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** The report of a replay for people: one page that needs no other file and no network. */
final class ReportPage {
    private static final String CHART = "/META-INF/resources/webjars/chart.js/4.5.1/dist/chart.umd.min.js";
    private static final int VMS_SHOWN = 10;
    private static final int POINTS_MAX = 2_500;
    private static final double DIGITS = 1_000;
    private static final double PERCENT = 100;
    private static final double MILLI_CPU_OF_CPU = 1_000;
    private static final double MEBIBYTES_OF_GIBIBYTE = 1_024;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final ReplayResult result;
    private final int shown;

    /** A page that shows the VMs under the last policy, beside the first. */
    ReportPage(ReplayResult result) {
        this.result = result;
        this.shown = result.policies().size() - 1;
    }

    String text() throws IOException {
        // Names of VMs are of the trace's maker: nothing in them may end the element that they stand in.
        var data = MAPPER.writeValueAsString(data()).replace("<", "\\u003c");
        var page = resource("report.html");
        return page.replace("/*CHART*/", chart()).replace("/*DATA*/", data);
    }

    /** Without the reference to a map of its source, which a browser would look for. */
    private static String chart() throws IOException {
        return resource(CHART).replaceAll("(?m)^//# sourceMappingURL=.*$", "");
    }

    private static String resource(String name) throws IOException {
        try (var bytes = ReportPage.class.getResourceAsStream(name)) {
            if (bytes == null) {
                throw new IOException("the distribution lacks " + name);
            }
            return new String(bytes.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private ObjectNode data() {
        var data = ReportJson.tree(result);
        data.put("shown", result.policies().get(shown).config().name());
        data.put("base", result.policies().getFirst().config().name());
        var kinds = data.putArray("kinds");
        var vms = JsonNodeFactory.instance.objectNode();
        for (var kind : result.kinds()) {
            kinds.add(name(kind));
            var found = vms.putObject(name(kind));
            saving(kind).forEach(withVm(found.putArray("saving")));
            lacking(kind).forEach(withVm(found.putArray("lacking")));
        }
        data.set("vms", vms);
        var maps = data.putArray("fleetMaps");
        for (var score : result.fleet()) {
            addMap(maps, score.policy(), score.use(), score.migrationsByPeriod());
        }
        var nodeMaps = data.putArray("nodeMaps");
        for (var score : result.onNodes()) {
            addMap(nodeMaps, score.policy(), score.use(), score.migrationsBySample());
        }
        return data;
    }

    private void addMap(ArrayNode maps, String policy, List<String> use, List<Integer> migrations) {
        int group = group(use.size());
        var map = maps.addObject();
        map.put("policy", policy);
        map.put("periodSeconds", group * result.series().getFirst().periodSeconds());
        var columns = map.putArray("use");
        var begun = map.putArray("migrations");
        for (int at = 0; at < use.size(); at += group) {
            columns.add(use.get(at));
            begun.add(migrations.subList(at, Math.min(at + group, migrations.size())).stream()
                    .mapToInt(Integer::intValue)
                    .sum());
        }
    }

    private VmScore shown(int index) {
        return result.scores().get(index)[shown];
    }

    private double lessThanBase(int index) {
        return result.scores().get(index)[0].granted() - shown(index).granted();
    }

    private Consumer<Integer> withVm(ArrayNode list) {
        return index -> list.add(vm(index));
    }

    /** The VMs that save most. */
    List<Integer> saving(ResourceKind kind) {
        return most(kind, Comparator.comparingDouble(this::lessThanBase));
    }

    /** The VMs that lack most. */
    List<Integer> lacking(ResourceKind kind) {
        Comparator<Integer> byIncidents =
                Comparator.comparingInt(index -> shown(index).incidents());
        return most(kind, byIncidents.thenComparingDouble(index -> shown(index).unserved()));
    }

    private List<Integer> most(ResourceKind kind, Comparator<Integer> by) {
        return result.finished(kind).stream()
                .sorted(by.reversed())
                .limit(VMS_SHOWN)
                .toList();
    }

    private ObjectNode vm(int index) {
        var series = result.series().get(index);
        var score = shown(index);
        double base = result.scores().get(index)[0].granted();
        double unit = series.kind() == ResourceKind.CPU ? MILLI_CPU_OF_CPU : MEBIBYTES_OF_GIBIBYTE;
        var node = JsonNodeFactory.instance.objectNode();
        node.put("vm", score.vm());
        node.put("incidents", score.incidents());
        node.put("saved", base == 0 ? 0 : PERCENT * (1 - score.granted() / base));
        node.put("unserved", score.demanded() == 0 ? 0 : PERCENT * score.unserved() / score.demanded());
        int group = group(series.samples().length - result.first());
        node.put("periodSeconds", group * series.periodSeconds());
        addMost(node.putArray("demand"), series.samples(), result.first(), group, unit);
        addSizes(node.putArray("size"), score, group, unit);
        addSizes(node.putArray("base"), result.scores().get(index)[0], group, unit);
        return node;
    }

    /** How many samples become one, so that a chart has at most {@value #POINTS_MAX} points. */
    private static int group(int samples) {
        return Math.max(1, (samples + POINTS_MAX - 1) / POINTS_MAX);
    }

    private static void addSizes(ArrayNode to, VmScore score, int group, double unit) {
        var sizes = new double[score.sizes().length];
        Arrays.setAll(sizes, at -> score.sizes()[at]);
        addMost(to, sizes, 0, group, unit);
    }

    /** The largest of each group; a missing one counts as none. */
    private static void addMost(ArrayNode to, double[] values, int from, int group, double unit) {
        for (int at = from; at < values.length; at += group) {
            double most = 0;
            for (int i = at; i < Math.min(at + group, values.length); i++) {
                most = Double.isNaN(values[i]) ? most : Math.max(most, values[i]);
            }
            to.add(rounded(most / unit));
        }
    }

    private static double rounded(double value) {
        return Math.round(value * DIGITS) / DIGITS;
    }

    private static String name(ResourceKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
