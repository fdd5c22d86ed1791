package io.sluice.gateway.core.console;

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

/** Says in one sentence why a VM has the size it has, with the cause and its numbers; the VM itself is not named. */
final class VmSentence {
    private static final double MEBI = 1L << 20;

    private final VmStatus vm;
    private final Optional<NodeLedgerView> books;
    private final Optional<MigrationEntry> migration;
    private final String lasting;

    private VmSentence(VmStatus vm, Optional<NodeLedgerView> books, Optional<MigrationEntry> migration, Instant now) {
        this.vm = vm;
        this.books = books;
        this.migration = migration;
        this.lasting = AmountText.time(vm.since(), now);
    }

    /**
     * The sentence.
     *
     * @param books the sums of its node then
     * @param migration its migration then
     */
    static String of(VmStatus vm, Optional<NodeLedgerView> books, Optional<MigrationEntry> migration, Instant now) {
        var sentence = new VmSentence(vm, books, migration, now);
        var hanging = migration
                .filter(move -> move.hangs(now))
                .map(move -> "; " + move.hanging(now))
                .orElse("");
        return vm.status().map(sentence::ofReport).orElseGet(sentence::withoutRunner) + hanging;
    }

    private String withoutRunner() {
        var seen = vm.seen();
        if (seen.isEmpty()) {
            return "nothing is known of it yet";
        }
        var size = ", its size is " + AmountText.size(vm.size());
        if (moves(seen.get()) || migration.isPresent()) {
            return moving() + size;
        }
        if (!seen.get().phase().served()) {
            return seen.get().phase() == VmPhase.ENDED ? "it has ended" : "it is not started yet";
        }
        if (!seen.get().autoscaled()) {
            return "nobody scales it: it is not labelled for that" + size;
        }
        return "no runner has been heard of for it for " + lasting + size + incomplete();
    }

    private String incomplete() {
        return books.filter(node -> !node.complete())
                .map(node -> "; the node's books are incomplete, so it grants nothing")
                .orElse("");
    }

    private static boolean moves(VmObserved seen) {
        return seen.phase() == VmPhase.MIGRATING;
    }

    private String ofReport(RunnerStatus status) {
        return switch (vm.source()) {
            case RUNNER -> ofRunner(status);
            case LEDGER ->
                ofReferenceAgent(status) + "; the ledger reports this, as its agent is not one of ours" + incomplete();
        };
    }

    /** Its goal is what its agent requested last: nothing is known of its load. */
    private String ofReferenceAgent(RunnerStatus status) {
        return switch (status.waiting()) {
            case ROOM -> shortOfRoom(status);
            case MIGRATION -> moving() + ": nothing more is granted meanwhile; " + requested(status);
            case NODE -> requested(status) + ": no growth for " + lasting + because(status);
            case MAX -> requested(status) + because(status);
            case NOTHING, METRICS, CLAIM, SESSION, PERMIT, RETRY, PERMIT_LAPSED -> requested(status);
            case PATCH, DRIVER, MONITOR, VETO, SUPERSEDED, STOPPED -> requested(status);
        };
    }

    private String requested(RunnerStatus status) {
        var permit = status.permit().orElse(status.size());
        var goal = status.goal().orElse(permit);
        var requested = permit.equals(goal)
                ? "was permitted what its agent requested last, " + AmountText.size(permit)
                : "its agent requested " + AmountText.size(goal) + " and was permitted " + AmountText.size(permit);
        return requested + (vm.size().equals(permit) ? "" : ", has " + AmountText.size(vm.size()));
    }

    private String ofRunner(RunnerStatus status) {
        return switch (status.waiting()) {
            case NOTHING ->
                "has what its load asks for: " + AmountText.size(status.size()) + basis(status.basis())
                        + besides(status);
            case METRICS ->
                "its metrics have not been enough to make a goal from for " + lasting + because(status) + "; it keeps "
                        + AmountText.size(status.size());
            case CLAIM -> "its runner has been claiming it for " + lasting + because(status);
            case SESSION -> "the ledger has not opened a session for it for " + lasting + because(status);
            case NODE -> incomplete(status);
            case PERMIT -> gap(status) + ": has waited for the ledger for " + lasting + because(status);
            case ROOM -> shortOfRoom(status);
            case RETRY -> "backing off for " + lasting + because(status) + "; " + gap(status);
            case PERMIT_LAPSED -> lapsed(status);
            case PATCH -> gap(status) + ": its patch has been under way for " + lasting + because(status);
            case DRIVER -> driver(status);
            case MONITOR -> gap(status) + ": has waited for its monitor for " + lasting + because(status);
            case VETO -> "the monitor has refused to shrink it for " + lasting + because(status) + "; " + gap(status);
            case MIGRATION -> moving() + ": nothing more is granted meanwhile; " + gap(status);
            case MAX -> beyondMax(status);
            case SUPERSEDED -> "superseded " + lasting + " ago: another runner speaks for it" + because(status);
            case STOPPED -> "nobody scales it here: its runner stopped " + lasting + " ago" + because(status);
        };
    }

    private String shortOfRoom(RunnerStatus status) {
        var goal = status.goal().orElse(status.size());
        var lacking = goal.minus(status.permit().orElse(status.size()));
        var sentence = gap(status) + ": short by " + AmountText.parts(lacking) + " on " + status.node();
        var room =
                books.map(node -> " (" + reserved(node, lacking) + " reserved)").orElse("");
        var since = " for " + lasting;
        if (books.isEmpty()) {
            return sentence + since + because(status);
        }
        boolean roomByNow = !lacking.exceeds(free(books.get()));
        return sentence + room + since + (roomByNow ? "; the node has room by now, and is asked again" : "");
    }

    private static Resources free(NodeLedgerView node) {
        return node.total().minus(node.reserved());
    }

    /** Of the kinds that are short only. */
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
        return "the node's books are incomplete: what runs on " + status.node()
                + " was not listed yet, so it grants nothing for " + lasting + "; " + gap(status);
    }

    private String lapsed(RunnerStatus status) {
        return "its permits have lapsed unused for " + lasting + because(status) + "; " + gap(status);
    }

    private String driver(RunnerStatus status) {
        var shown = vm.seen()
                .flatMap(seen -> seen.sizes().status())
                .map(AmountText::size)
                .orElse("no size");
        return "told to be " + AmountText.size(status.size()) + ", shows " + shown
                + ": its driver has not applied the size, and has counted as stuck for " + lasting;
    }

    private String beyondMax(RunnerStatus status) {
        int units = status.basis().goalCu();
        var asked = vm.unit()
                .map(unit -> " = " + AmountText.size(unit.times(units)))
                .orElse("");
        var max = vm.seen()
                .map(seen -> seen.sizes().max())
                .or(status::goal)
                .map(AmountText::size)
                .orElse("less");
        return "its load asks for " + units + " CU" + asked + ", its maximum is " + max + basis(status.basis());
    }

    private String moving() {
        return migration
                .map(move -> "is being moved"
                        + (move.from().isEmpty() ? "" : " from " + move.from())
                        + (move.to().isEmpty() ? "" : " to " + move.to()) + " ("
                        + move.phase().name().toLowerCase(Locale.ROOT) + ") for " + lasting)
                .orElse("is being moved away from " + vm.node() + " for " + lasting);
    }

    private static String gap(RunnerStatus status) {
        return status.goal()
                .filter(goal -> !goal.equals(status.size()))
                .map(goal -> "wants " + AmountText.size(goal) + ", has " + AmountText.size(status.size()))
                .orElse("has " + AmountText.size(status.size()));
    }

    /** A VM that waits for nothing has something to say all the same where its metrics are old. */
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
