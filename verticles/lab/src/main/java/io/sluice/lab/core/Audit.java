package io.sluice.lab.core;

import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.shell.Quantities;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Compares what VMs are with what the ledger books for them. The VMs are read before and after the books: where an
 * object is the same in both, it was so at the instant of the books, and a difference is no matter of time. So a VM
 * that moves is held against the node it leaves until it has left it, and against the other one from then on; whether
 * it is counted on the other as well does not matter.
 */
public final class Audit {
    /** A new VM's first event may take this many looks. */
    private static final int NEW_MAX = 40;

    /** The pod that a VM has moved to was there long before; its first event may still take this many looks. */
    private static final int MOVED_MAX = 8;

    private final Map<String, Integer> missing = new HashMap<>();
    private final Set<String> told = new HashSet<>();
    private final Map<String, String> countedPods = new HashMap<>();
    private final Map<String, Last> last = new HashMap<>();
    private AuditReport report = AuditReport.EMPTY;

    private record Last(Resources reserved, Set<String> members) {}

    /** What was found so far. */
    public AuditReport report() {
        return report;
    }

    /** Compares once, and answers what must never be, in words. */
    public List<String> check(Map<String, AuditedVm> before, List<NodeLedgerView> books, Map<String, AuditedVm> after) {
        var breaches = new ArrayList<String>();
        missing.keySet().retainAll(before.keySet());
        told.retainAll(before.keySet());
        countedPods.keySet().retainAll(before.keySet());
        for (var node : books) {
            if (node.complete()) {
                checkNode(node, breaches);
                before.values().stream()
                        .filter(vm -> vm.node().equals(node.node()) && vm.equals(after.get(vm.name())))
                        .forEach(vm -> checkVm(vm, node, books, breaches));
            }
        }
        var first = report.firstBreach().or(() -> breaches.stream().findFirst());
        report = new AuditReport(report.checks() + 1, report.breaches() + breaches.size(), first);
        return breaches;
    }

    private void checkVm(AuditedVm vm, NodeLedgerView node, List<NodeLedgerView> books, List<String> breaches) {
        var member = member(vm, node);
        if (member.isEmpty()) {
            checkMissing(vm, books, breaches);
            return;
        }
        missing.remove(vm.name());
        told.remove(vm.name());
        countedPods.put(vm.name(), vm.podName());
        if (vm.using().exceeds(member.get().reserved())) {
            breaches.add(vm.name() + " is, or was told to be, " + Quantities.text(vm.using()) + " while "
                    + Quantities.text(member.get().reserved()) + " is booked for it on " + node.node() + where(vm));
        }
    }

    private void checkMissing(AuditedVm vm, List<NodeLedgerView> books, List<String> breaches) {
        var counted = Optional.ofNullable(countedPods.get(vm.name()));
        var elsewhere = books.stream()
                .filter(node -> node.members().stream()
                        .anyMatch(member -> member.vmName().equals(vm.name())))
                .map(NodeLedgerView::node)
                .collect(Collectors.joining(", "));
        boolean forgotten = counted.filter(vm.podName()::equals).isPresent();
        int looks = forgotten ? 1 : counted.isPresent() && elsewhere.isEmpty() ? MOVED_MAX : NEW_MAX;
        int missed = missing.merge(vm.name(), 1, Integer::sum);
        if (missed >= looks && told.add(vm.name())) {
            breaches.add(vm.name() + " runs on " + vm.node() + where(vm)
                    + (forgotten ? " and its books have forgotten it" : " and its books know nothing of it")
                    + (elsewhere.isEmpty() ? "; it is counted nowhere" : "; it is counted on " + elsewhere));
        }
    }

    private static String where(AuditedVm vm) {
        return " in pod " + vm.podName();
    }

    private static Optional<ReservationView> member(AuditedVm vm, NodeLedgerView node) {
        return node.members().stream()
                .filter(member ->
                        member.vmName().equals(vm.name()) && member.name().equals(vm.podName()))
                .findFirst();
    }

    /**
     * More than there is may be booked only for what was found there, so it never grows by anything that is asked for.
     */
    private void checkNode(NodeLedgerView node, List<String> breaches) {
        if (node.invariantsBroken() > 0) {
            breaches.add("the books of " + node.node() + " were inconsistent " + node.invariantsBroken() + " times");
        }
        var members = node.members().stream().map(ReservationView::member).collect(Collectors.toSet());
        var before = last.put(node.node(), new Last(node.reserved(), members));
        boolean recovering = node.members().stream().anyMatch(ReservationView::recovered);
        if (before == null || recovering) {
            return;
        }
        var asked = node.reserved().minus(landed(node, before.members()));
        for (var kind : ResourceKind.values()) {
            if (node.reserved().of(kind) > node.total().of(kind)
                    && asked.of(kind) > before.reserved().of(kind)) {
                breaches.add("on " + node.node() + " the " + kind + " promised grew from "
                        + before.reserved().of(kind) + " to " + node.reserved().of(kind) + ", of "
                        + node.total().of(kind));
            }
        }
    }

    /** What the pods that came since count at: whoever bound them need not have asked. */
    private static Resources landed(NodeLedgerView node, Set<String> known) {
        return node.members().stream()
                .filter(member ->
                        !known.contains(member.member()) && !member.traits().held())
                .map(member -> member.traits().charge())
                .reduce(Resources.NONE, Resources::plus);
    }
}
