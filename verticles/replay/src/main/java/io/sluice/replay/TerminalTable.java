package io.sluice.replay;

import io.sluice.replay.core.fleet.FleetScore;
import io.sluice.replay.core.nodes.NodesScore;
import io.sluice.replay.core.recorded.Comparison;
import io.sluice.replay.core.recorded.Deviation;
import io.sluice.replay.core.recorded.RecordingScore;
import io.sluice.replay.core.score.PolicyScore;
import io.sluice.units.ResourceKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The sums of a replay as lines of text. */
public final class TerminalTable {
    private static final String ROW = "%-7s %-14s %5s %8s %8s %10s %9s %10s %8s %9s";

    private static final String NODES_ROW = "%-7s %-14s %5s %8s %8s %10s %10s %9s %10s %10s";
    private static final String FLEET_HEAD = "%-14s %8s %10s %9s %7s %9s %9s";
    private static final String FLEET_ROW = "%-14s %8.2f %10d %9.5f %7.3f %9.3f %9d";
    private static final double PERCENT = 100;

    private TerminalTable() {}

    /** A table for each resource, under one head. */
    public static List<String> lines(ReplayResult result) {
        var lines = new ArrayList<String>();
        lines.add(String.format(
                Locale.ROOT,
                ROW,
                "kind",
                "policy",
                "VMs",
                "saved",
                "less by",
                "incidents",
                "share",
                "unserved",
                "OOM",
                "resizes"));
        for (var kind : result.kinds()) {
            var sums = result.sums(kind);
            sums.forEach(sum -> lines.add(row(sum, sums.getFirst(), result)));
        }
        lines.add("saved: of the recorded sizes. less by: granted by "
                + result.policies().getFirst().config().name()
                + ", divided by granted here. resizes: of a VM in a day.");
        for (var kind : result.kinds()) {
            var sum = result.sums(kind).getFirst();
            lines.add(name(kind) + ": " + sum.samples() + " samples compared; " + sum.censored()
                    + " more reach the recorded size, so that their demand is not known, and do not count.");
        }
        if (result.notCompared() > 0) {
            lines.add(result.notCompared()
                    + " series have no sample before the first compared one, and are not compared.");
        }
        if (!result.onNodes().isEmpty()) {
            lines.add(String.format(
                    Locale.ROOT,
                    NODES_ROW,
                    "kind",
                    "on nodes",
                    "VMs",
                    "no place",
                    "fullest",
                    "denied",
                    "migrations",
                    "saved",
                    "incidents",
                    "unserved"));
            result.onNodes().forEach(score -> score.sums().forEach(sum -> lines.add(onNodes(score, sum))));
            lines.add("denied: upscales that the ledger denied, in whole or in part. fullest: VMs of one node at the"
                    + " end.");
        }
        if (!result.fleet().isEmpty()) {
            lines.add(String.format(
                    Locale.ROOT,
                    FLEET_HEAD,
                    "consolidation",
                    "kWh",
                    "migrations",
                    "SLAV %",
                    "PDM %",
                    "SLATAH %",
                    "shutdowns"));
            result.fleet().forEach(score -> lines.add(fleet(score)));
        }
        result.recording().ifPresent(score -> lines.addAll(recording(score)));
        if (result.leftOutCount() > 0) {
            lines.add(result.leftOutCount() + " lines or VMs were left out:");
            lines.addAll(result.leftOut());
        }
        if (!result.isComplete()) {
            lines.add("The replay was stopped: only VMs that every policy had finished count.");
        }
        return lines;
    }

    /** How production's decisions compare with those that its own core makes again. */
    static List<String> recording(RecordingScore score) {
        var lines = new ArrayList<String>();
        lines.add("recording: " + score.vms() + " VMs, " + score.steps() + " steps, " + score.decisions()
                + " decisions. Production's core, given the same, makes them again:");
        for (var kind : Comparison.values()) {
            if (score.count(kind) > 0 || kind == Comparison.EQUAL || kind == Comparison.UNEXPLAINED) {
                lines.add(count(score.count(kind), kind.words()));
            }
        }
        score.differences().forEach(difference -> lines.add("  " + difference));
        lines.add("The VM's size at the equal ones, beside the size that its last sample alone asks for:");
        for (var cause : Deviation.values()) {
            if (score.count(cause) > 0 || cause == Deviation.UNEXPLAINED) {
                lines.add(count(score.count(cause), cause.words()));
            }
        }
        if (score.shadowSteps() > 0) {
            lines.add("The policy beside the one in force asked for more after " + score.shadowAbove()
                    + " steps, for less after " + score.shadowBelow() + ", of " + score.shadowSteps() + ".");
        }
        if (score.dropped() > 0) {
            lines.add(score.dropped() + " messages were dropped, as the recorder was too slow.");
        }
        if (score.cutOff()) {
            lines.add("A file ends within a line: its recorder was killed.");
        }
        return lines;
    }

    private static String count(long count, String words) {
        return String.format(Locale.ROOT, "%10d %s", count, words);
    }

    private static String onNodes(NodesScore score, PolicyScore sum) {
        return String.format(
                Locale.ROOT,
                NODES_ROW,
                name(sum.kind()),
                sum.policy(),
                sum.vms(),
                score.unplaced(),
                score.fullestNode(),
                score.denied(),
                score.migrations(),
                String.format(Locale.ROOT, "%.1f %%", sum.savedPercent()),
                sum.incidents(),
                String.format(Locale.ROOT, "%.4f %%", sum.unservedPercent()));
    }

    private static String fleet(FleetScore score) {
        return String.format(
                Locale.ROOT,
                FLEET_ROW,
                score.policy(),
                score.kilowattHours(),
                score.migrations(),
                PERCENT * score.slav(),
                PERCENT * score.pdm(),
                PERCENT * score.slatah(),
                score.shutdowns());
    }

    private static String row(PolicyScore sum, PolicyScore base, ReplayResult result) {
        double days = (result.series().getFirst().samples().length - result.first())
                / (double) result.series().getFirst().samplesPerDay();
        return String.format(
                Locale.ROOT,
                ROW,
                name(sum.kind()),
                sum.policy(),
                sum.vms(),
                String.format(Locale.ROOT, "%.1f %%", sum.savedPercent()),
                String.format(Locale.ROOT, "%.3f", sum.granted() == 0 ? 0 : base.granted() / sum.granted()),
                sum.incidents(),
                String.format(Locale.ROOT, "%.3f %%", sum.incidentPercent()),
                String.format(Locale.ROOT, "%.4f %%", sum.unservedPercent()),
                sum.kind() == ResourceKind.MEMORY ? Long.toString(sum.outOfMemory()) : "-",
                String.format(Locale.ROOT, "%.1f", sum.vms() == 0 ? 0 : sum.resizes() / (sum.vms() * days)));
    }

    private static String name(ResourceKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
