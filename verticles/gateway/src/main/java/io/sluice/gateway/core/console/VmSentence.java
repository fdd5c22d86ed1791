package io.sluice.gateway.core.console;

import io.sluice.gateway.core.console.fleet.AmountText;
import io.sluice.gateway.core.console.fleet.MigrationEntry;
import io.sluice.gateway.core.console.fleet.VmStatus;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Writes one sentence about why a VM has its size, with the cause and its numbers; the VM itself is not named. */
final class VmSentence {
    private static final double MEBI = 1L << 20;

    private final VmStatus vm;
    private final Optional<NodeLedgerView> ledger;
    private final Optional<MigrationEntry> migration;
    private final String lasting;

    private VmSentence(VmStatus vm, Optional<NodeLedgerView> ledger, Optional<MigrationEntry> migration, Instant now) {
        this.vm = vm;
        this.ledger = ledger;
        this.migration = migration;
        this.lasting = AmountText.time(vm.since(), now);
    }

    /**
     * Returns the sentence.
     *
     * @param ledger the sums of its node then
     * @param migration its migration then
     */
    static String of(VmStatus vm, Optional<NodeLedgerView> ledger, Optional<MigrationEntry> migration, Instant now) {
        var sentence = new VmSentence(vm, ledger, migration, now);
        var hanging = migration
                .filter(move -> move.hangs(now))
                .map(move -> "; " + move.hanging(now))
                .orElse("");
        return vm.status().map(sentence::ofReport).orElseGet(sentence::withoutRunner) + hanging;
    }

    private String withoutRunner() {
        var observed = vm.observed();
        if (observed.isEmpty()) {
            return "there is no observation of it yet";
        }
        var size = ", its size is " + AmountText.size(vm.size());
        if (moves(observed.get()) || migration.isPresent()) {
            return moving() + size;
        }
        if (!observed.get().phase().served()) {
            return observed.get().phase() == VmPhase.ENDED ? "it has ended" : "it is not started yet";
        }
        if (!observed.get().autoscaled()) {
            return "it is not scaled: it is not labelled for autoscaling" + size;
        }
        return "no runner has reported on it for " + lasting + size + incomplete();
    }

    private String incomplete() {
        return ledger.filter(node -> !node.complete())
                .map(node -> "; the node's ledger is incomplete, so it grants nothing")
                .orElse("");
    }

    private static boolean moves(VmObserved observed) {
        return observed.phase() == VmPhase.MIGRATING;
    }

    private String ofReport(RunnerStatus status) {
        return switch (vm.source()) {
            case RUNNER -> ofRunner(status);
            case LEDGER ->
                ofReferenceAgent(status) + "; the ledger reports this, as its agent is not part of Sluice"
                        + incomplete();
        };
    }

    /** Its goal is what its agent requested last: its load is unknown. */
    private String ofReferenceAgent(RunnerStatus status) {
        return switch (status.waiting()) {
            case ROOM -> shortOfRoom(status);
            case MIGRATION -> moving() + ": nothing more is granted meanwhile; " + requested(status);
            case NODE -> requested(status) + ": no growth for " + lasting + because(status);
            case MAX -> requested(status) + because(status);
            case NOTHING, METRICS, CLAIM, SESSION, PERMIT, RETRY, PERMIT_LAPSED -> requested(status);
            case PATCH, DRIVER, MONITOR, DENIED_DOWNSCALE, SUPERSEDED, STOPPED -> requested(status);
        };
    }

    private String requested(RunnerStatus status) {
        var permit = status.permit().orElse(status.size());
        var goal = status.goal().orElse(permit);
        var requested = permit.equals(goal)
                ? "its agent requested " + AmountText.size(goal) + " and was permitted all of it"
                : "its agent requested " + AmountText.size(goal) + " and was permitted " + AmountText.size(permit);
        return requested + (vm.size().equals(permit) ? "" : ", has " + AmountText.size(vm.size()));
    }

    private String ofRunner(RunnerStatus status) {
        return switch (status.waiting()) {
            case NOTHING ->
                "has what its load needs: " + AmountText.size(status.size()) + basis(status.basis()) + besides(status);
            case METRICS ->
                "its metrics have not been enough for a goal for " + lasting + because(status) + "; it keeps "
                        + AmountText.size(status.size());
            case CLAIM -> "its runner has been claiming it for " + lasting + because(status);
            case SESSION -> "the ledger has not opened a session for it for " + lasting + because(status);
            case NODE -> incomplete(status);
            case PERMIT -> gap(status) + ": has waited for the ledger for " + lasting + because(status);
            case ROOM -> shortOfRoom(status);
            case RETRY ->
                "its runner has waited for " + lasting + " to try again" + because(status) + "; " + gap(status);
            case PERMIT_LAPSED -> lapsed(status);
            case PATCH -> gap(status) + ": its patch has been under way for " + lasting + because(status);
            case DRIVER -> driver(status);
            case MONITOR -> gap(status) + ": has waited for its monitor for " + lasting + because(status);
            case DENIED_DOWNSCALE ->
                "its monitor has denied the downscale for " + lasting + because(status) + "; " + gap(status);
            case MIGRATION -> moving() + ": nothing more is granted meanwhile; " + gap(status);
            case MAX -> beyondMax(status);
            case SUPERSEDED -> "superseded " + lasting + " ago: another runner serves it" + because(status);
            case STOPPED -> "it is not scaled here: its runner stopped " + lasting + " ago" + because(status);
        };
    }

    private String shortOfRoom(RunnerStatus status) {
        var goal = status.goal().orElse(status.size());
        var lacking = goal.minus(status.permit().orElse(status.size()));
        var sentence = gap(status) + ": short by " + AmountText.parts(lacking) + " on " + status.node();
        var room = ledger.map(node -> " (" + reserved(node, lacking) + " reserved)")
                .orElse("");
        var since = " for " + lasting;
        if (ledger.isEmpty()) {
            return sentence + since + because(status);
        }
        boolean roomByNow = !lacking.exceeds(free(ledger.get()));
        return sentence
                + room
                + since
                + (roomByNow ? "; the node has room by now, and the permit is requested again" : "");
    }

    private static Resources free(NodeLedgerView node) {
        return node.total().minus(node.reserved());
    }

    /** Formats only the kinds that are short. */
    private static String reserved(NodeLedgerView node, Resources lacking) {
        List<String> kinds = new ArrayList<>();
        for (var kind : ResourceKind.values()) {
            if (lacking.of(kind) > 0) {
                kinds.add(AmountText.amount(kind, node.reserved()) + " of " + AmountText.amount(kind, node.total()));
            }
        }
        return kinds.isEmpty() ? AmountText.size(node.reserved()) : String.join(" and ", kinds);
    }

    private String incomplete(RunnerStatus status) {
        return "the node's ledger has been incomplete for " + lasting + ": no full list of pods on " + status.node()
                + " arrived, so it grants nothing; " + gap(status);
    }

    private String lapsed(RunnerStatus status) {
        return "its permits have lapsed unused for " + lasting + because(status) + "; " + gap(status);
    }

    private String driver(RunnerStatus status) {
        var shown = vm.observed()
                .flatMap(observed -> observed.sizes().status())
                .map(AmountText::size)
                .orElse("no size");
        return "its spec has " + AmountText.size(status.size()) + " and its status shows " + shown
                + ": the driver has not applied the size, and the runner has counted as stuck for " + lasting;
    }

    private String beyondMax(RunnerStatus status) {
        int units = status.basis().goalCu();
        var requested = vm.unit()
                .map(unit -> " = " + AmountText.size(unit.times(units)))
                .orElse("");
        var max = vm.observed()
                .map(observed -> observed.sizes().max())
                .or(status::goal)
                .map(AmountText::size)
                .orElse("less");
        return "its load needs " + units + " CU" + requested + ", its maximum is " + max + basis(status.basis());
    }

    private String moving() {
        return migration
                .map(move -> "is being moved by the migration " + move.name()
                        + (move.from().isEmpty() ? "" : " from " + move.from())
                        + (move.to().isEmpty() ? "" : " to " + move.to()) + " ("
                        + move.phase().name().toLowerCase(Locale.ROOT) + ") for " + lasting)
                .orElse("is being moved away from " + vm.node() + " for " + lasting);
    }

    private static String gap(RunnerStatus status) {
        return status.goal()
                .filter(goal -> !goal.equals(status.size()))
                .map(goal -> "goal " + AmountText.size(goal) + ", has " + AmountText.size(status.size()))
                .orElse("has " + AmountText.size(status.size()));
    }

    /** A VM that waits for nothing has a reason all the same if its metrics are old. */
    private static String besides(RunnerStatus status) {
        return status.reason().isEmpty() ? "" : "; " + AmountText.cut(status.reason());
    }

    private static String because(RunnerStatus status) {
        return status.reason().isEmpty() ? "" : ": " + AmountText.cut(status.reason());
    }

    private static String basis(GoalBasis basis) {
        List<String> parts = new ArrayList<>();
        basis.load1().ifPresent(load -> parts.add(number("load1 %.2f", load)));
        basis.load5().ifPresent(load -> parts.add(number("load5 %.2f", load)));
        basis.usageBytes().ifPresent(bytes -> parts.add(number("%.0f MiB in use", bytes / MEBI)));
        return parts.isEmpty() ? "" : " (" + String.join(", ", parts) + ")";
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
