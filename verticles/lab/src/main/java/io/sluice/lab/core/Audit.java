package io.sluice.lab.core;

import io.sluice.messages.ledger.MemberBooks;
import io.sluice.messages.ledger.NodeBooks;
import io.sluice.shell.Quantities;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compares what VMs are with what the ledger books for them. The VMs are read before and after the books: where an
 * object is the same in both, it was so at the instant of the books, and a difference is no matter of time.
 */
public final class Audit {
    private static final int MISSING_MAX = 40;

    private final Map<String, Integer> missing = new HashMap<>();
    private final Map<String, Resources> lastReserved = new HashMap<>();
    private AuditReport report = AuditReport.EMPTY;

    /** What was found so far. */
    public AuditReport report() {
        return report;
    }

    /** Compares once, and answers what must never be, in words. */
    public List<String> check(Map<String, AuditedVm> before, List<NodeBooks> books, Map<String, AuditedVm> after) {
        var breaches = new ArrayList<String>();
        for (var node : books) {
            if (node.complete()) {
                checkNode(node, breaches);
                before.values().stream()
                        .filter(vm -> vm.node().equals(node.node()) && vm.equals(after.get(vm.name())))
                        .forEach(vm -> checkVm(vm, node, breaches));
            }
        }
        var first = report.firstBreach().or(() -> breaches.stream().findFirst());
        report = new AuditReport(report.checks() + 1, report.breaches() + breaches.size(), first);
        return breaches;
    }

    private void checkVm(AuditedVm vm, NodeBooks node, List<String> breaches) {
        var member = member(vm, node);
        if (member.isEmpty()) {
            // The pod's first event may still be on its way, but not for long.
            if (missing.merge(vm.name(), 1, Integer::sum) == MISSING_MAX) {
                breaches.add(vm.name() + " runs on " + node.node() + " and its books know nothing of it");
            }
            return;
        }
        missing.remove(vm.name());
        if (vm.using().exceeds(member.get().reserved())) {
            breaches.add(vm.name() + " is, or was told to be, " + Quantities.text(vm.using()) + " while "
                    + Quantities.text(member.get().reserved()) + " is booked for it on " + node.node());
        }
    }

    private static Optional<MemberBooks> member(AuditedVm vm, NodeBooks node) {
        return node.members().stream()
                .filter(member ->
                        member.vmName().equals(vm.name()) && member.name().equals(vm.podName()))
                .findFirst();
    }

    /** More than there is may be booked only for what was found running, so it never grows once that is asked for. */
    private void checkNode(NodeBooks node, List<String> breaches) {
        if (node.invariantsBroken() > 0) {
            breaches.add("the books of " + node.node() + " were inconsistent " + node.invariantsBroken() + " times");
        }
        var last = lastReserved.put(node.node(), node.reserved());
        boolean recovering = node.members().stream().anyMatch(MemberBooks::recovered);
        if (last == null || recovering) {
            return;
        }
        for (var kind : ResourceKind.values()) {
            long reserved = node.reserved().of(kind);
            if (reserved > node.total().of(kind) && reserved > last.of(kind)) {
                breaches.add("on " + node.node() + " the " + kind + " promised grew from " + last.of(kind) + " to "
                        + reserved + ", of " + node.total().of(kind));
            }
        }
    }
}
