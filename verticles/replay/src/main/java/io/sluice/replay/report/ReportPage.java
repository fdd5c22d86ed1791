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
import java.util.Comparator;
import java.util.Locale;

/** The report of a replay for people: one page that needs no other file and no network. */
final class ReportPage {
    private static final String CHART = "/META-INF/resources/webjars/chart.js/4.5.1/dist/chart.umd.min.js";
    private static final int VMS_SHOWN = 10;
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
        data.put("periodSeconds", result.series().getFirst().periodSeconds());
        var kinds = data.putArray("kinds");
        var vms = JsonNodeFactory.instance.objectNode();
        for (var kind : result.kinds()) {
            kinds.add(name(kind));
            var found = vms.putObject(name(kind));
            found.set("saving", most(kind, Comparator.comparingDouble(this::lessThanBase)));
            Comparator<Integer> byIncidents =
                    Comparator.comparingInt(index -> shown(index).incidents());
            found.set(
                    "lacking",
                    most(
                            kind,
                            byIncidents.thenComparingDouble(
                                    index -> shown(index).unserved())));
        }
        data.set("vms", vms);
        var maps = data.putArray("fleetMaps");
        for (var score : result.fleet()) {
            var map = maps.addObject();
            map.put("policy", score.policy());
            score.use().forEach(map.putArray("use")::add);
            score.migrationsByPeriod().forEach(map.putArray("migrations")::add);
        }
        return data;
    }

    private VmScore shown(int index) {
        return result.scores().get(index)[shown];
    }

    private double lessThanBase(int index) {
        return result.scores().get(index)[0].granted() - shown(index).granted();
    }

    private ArrayNode most(ResourceKind kind, Comparator<Integer> by) {
        var found = JsonNodeFactory.instance.arrayNode();
        result.finished(kind).stream().sorted(by.reversed()).limit(VMS_SHOWN).forEach(index -> found.add(vm(index)));
        return found;
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
        var demand = node.putArray("demand");
        for (int sample = result.first(); sample < series.samples().length; sample++) {
            double amount = series.samples()[sample];
            demand.add(Double.isNaN(amount) ? 0 : rounded(amount / unit));
        }
        addSizes(node.putArray("size"), score, unit);
        addSizes(node.putArray("base"), result.scores().get(index)[0], unit);
        return node;
    }

    private static void addSizes(ArrayNode sizes, VmScore score, double unit) {
        for (float size : score.sizes()) {
            sizes.add(rounded(size / unit));
        }
    }

    private static double rounded(double value) {
        return Math.round(value * DIGITS) / DIGITS;
    }

    private static String name(ResourceKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
