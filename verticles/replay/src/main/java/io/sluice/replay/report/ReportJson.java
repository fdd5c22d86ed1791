package io.sluice.replay.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.agent.core.policy.PolicyConfig;
import io.sluice.replay.ReplayResult;
import io.sluice.replay.core.fleet.FleetScore;
import io.sluice.replay.core.recorded.Comparison;
import io.sluice.replay.core.recorded.Deviation;
import io.sluice.replay.core.recorded.RecordingScore;
import io.sluice.replay.core.score.PolicyScore;
import io.sluice.replay.core.score.VmScore;
import io.sluice.units.ResourceKind;
import java.io.IOException;
import java.util.Locale;

/** The report of a replay for programs. The same replay gives the same text. */
final class ReportJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private ReportJson() {}

    static String text(ReplayResult result) throws IOException {
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(tree(result)) + "\n";
    }

    static ObjectNode tree(ReplayResult result) {
        var tree = JsonNodeFactory.instance.objectNode();
        var options = result.options();
        tree.put("trace", options.name());
        tree.put("complete", result.isComplete());
        tree.put("exact", options.exact());
        tree.put("firstSampleCompared", result.first());
        tree.put("samples", result.series().getFirst().samples().length);
        tree.put("seriesNotCompared", result.notCompared());
        tree.put("linesLeftOut", result.leftOutCount());
        tree.set("assumptions", MAPPER.valueToTree(options.model()));
        var policies = tree.putArray("policies");
        result.policies().forEach(policy -> policies.add(policy(policy.config())));
        var sums = tree.putArray("sums");
        for (var kind : result.kinds()) {
            result.sums(kind).forEach(sum -> sums.add(sum(sum)));
        }
        result.recording().ifPresent(score -> tree.set("recording", recording(score)));
        var onNodes = tree.putArray("onNodes");
        for (var score : result.onNodes()) {
            for (var sum : score.sums()) {
                onNodes.add(sum(sum).put("unplaced", score.unplaced())
                        .put("denied", score.denied())
                        .put("fullestNode", score.fullestNode())
                        .put("migrations", score.migrations())
                        .put("migrationSeconds", score.migrationSeconds()));
            }
        }
        var fleet = tree.putArray("fleet");
        result.fleet().forEach(score -> fleet.add(fleet(score)));
        var vms = tree.putArray("vms");
        for (var kind : result.kinds()) {
            for (int index : result.finished(kind)) {
                var scores = result.scores().get(index);
                for (int policy = 0; policy < scores.length; policy++) {
                    vms.add(vm(result.policies().get(policy).config().name(), scores[policy]));
                }
            }
        }
        return tree;
    }

    private static ObjectNode recording(RecordingScore score) {
        var node = JsonNodeFactory.instance.objectNode();
        node.put("vms", score.vms());
        node.put("steps", score.steps());
        node.put("dropped", score.dropped());
        node.put("cutOff", score.cutOff());
        node.put("decisions", score.decisions());
        var compared = node.putObject("compared");
        for (var kind : Comparison.values()) {
            compared.put(kind.name(), score.count(kind));
        }
        var sizes = node.putObject("sizes");
        for (var cause : Deviation.values()) {
            sizes.put(cause.name(), score.count(cause));
        }
        var shadow = node.putObject("shadow");
        shadow.put("steps", score.shadowSteps());
        shadow.put("above", score.shadowAbove());
        shadow.put("below", score.shadowBelow());
        score.differences().forEach(node.putArray("differences")::add);
        return node;
    }

    private static ObjectNode policy(PolicyConfig policy) {
        var node = JsonNodeFactory.instance.objectNode();
        node.put("name", policy.name());
        node.put("kind", policy.kind().name().toLowerCase(Locale.ROOT));
        return node;
    }

    private static ObjectNode sum(PolicyScore sum) {
        var node = JsonNodeFactory.instance.objectNode();
        node.put("policy", sum.policy());
        node.put("resource", name(sum.kind()));
        node.put("vms", sum.vms());
        node.put("samples", sum.samples());
        node.put("incidents", sum.incidents());
        node.put("incidentPercent", sum.incidentPercent());
        node.put("unservedPercent", sum.unservedPercent());
        node.put("outOfMemory", sum.outOfMemory());
        node.put("censored", sum.censored());
        node.put("censoredIncidents", sum.censoredIncidents());
        node.put("savedPercent", sum.savedPercent());
        node.put("granted", sum.granted());
        node.put("demanded", sum.demanded());
        node.put("recorded", sum.recorded());
        node.put("resizes", sum.resizes());
        return node;
    }

    private static ObjectNode fleet(FleetScore score) {
        var node = JsonNodeFactory.instance.objectNode();
        node.put("policy", score.policy());
        node.put("kilowattHours", score.kilowattHours());
        node.put("migrations", score.migrations());
        node.put("slav", score.slav());
        node.put("pdm", score.pdm());
        node.put("slatah", score.slatah());
        node.put("esv", score.esv());
        node.put("shutdowns", score.shutdowns());
        return node;
    }

    private static ObjectNode vm(String policy, VmScore score) {
        var node = JsonNodeFactory.instance.objectNode();
        node.put("vm", score.vm());
        node.put("resource", name(score.kind()));
        node.put("policy", policy);
        node.put("incidents", score.incidents());
        node.put("outOfMemory", score.outOfMemory());
        node.put("granted", Math.round(score.granted()));
        node.put("unserved", Math.round(score.unserved()));
        node.put("resizes", score.resizes());
        return node;
    }

    private static String name(ResourceKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
