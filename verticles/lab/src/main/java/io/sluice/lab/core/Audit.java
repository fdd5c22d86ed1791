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
 * Compares the VMs' sizes with their reservations. The VMs are read before and after the ledger. If an object is the
 * same in both, it was the same when the ledger was read, and a difference is not caused by time. So a migrating VM is
 * compared with its source node until it has left, and with its target node from then on. It does not matter whether it
 * also counts on the other node.
 */
public final class Audit {
    /** The first event of a new VM may take this many comparisons. */
    private static final int NEW_MAX = 40;

    /** The target pod existed long before the VM moved to it. Its first event may still take this many comparisons. */
    private static final int MOVED_MAX = 8;

    private final Map<String, Integer> missing = new HashMap<>();
    private final Set<String> reported = new HashSet<>();
    private final Map<String, String> countedPods = new HashMap<>();
    private final Map<String, Last> last = new HashMap<>();
    private AuditReport report = AuditReport.EMPTY;

    private record Last(Resources reserved, Set<String> pods) {}

    /** The findings so far. */
    public AuditReport report() {
        return report;
    }

    /** Compares once and returns the breaches, in words. */
    public List<String> check(
            Map<String, AuditedVm> before, List<NodeLedgerView> ledger, Map<String, AuditedVm> after) {
        var breaches = new ArrayList<String>();
        missing.keySet().retainAll(before.keySet());
        reported.retainAll(before.keySet());
        countedPods.keySet().retainAll(before.keySet());
        for (var node : ledger) {
            if (node.complete()) {
                checkNode(node, breaches);
                before.values().stream()
                        .filter(vm -> vm.node().equals(node.node()) && vm.equals(after.get(vm.name())))
                        .forEach(vm -> checkVm(vm, node, ledger, breaches));
            }
        }
        var first = report.firstBreach().or(() -> breaches.stream().findFirst());
        report = new AuditReport(report.checks() + 1, report.breaches() + breaches.size(), first);
        return breaches;
    }

    private void checkVm(AuditedVm vm, NodeLedgerView node, List<NodeLedgerView> ledger, List<String> breaches) {
        var reservation = reservation(vm, node);
        if (reservation.isEmpty()) {
            checkMissing(vm, ledger, breaches);
            return;
        }
        missing.remove(vm.name());
        reported.remove(vm.name());
        countedPods.put(vm.name(), vm.podName());
        if (vm.using().exceeds(reservation.get().reserved())) {
            breaches.add(vm.name() + " has, or was patched to, " + Quantities.text(vm.using()) + " while "
                    + Quantities.text(reservation.get().reserved()) + " is reserved for it on " + node.node()
                    + where(vm));
        }
    }

    private void checkMissing(AuditedVm vm, List<NodeLedgerView> ledger, List<String> breaches) {
        var counted = Optional.ofNullable(countedPods.get(vm.name()));
        var elsewhere = ledger.stream()
                .filter(node -> node.reservations().stream()
                        .anyMatch(reservation -> reservation.vmName().equals(vm.name())))
                .map(NodeLedgerView::node)
                .collect(Collectors.joining(", "));
        boolean forgotten = counted.filter(vm.podName()::equals).isPresent();
        int looks = forgotten ? 1 : counted.isPresent() && elsewhere.isEmpty() ? MOVED_MAX : NEW_MAX;
        int missed = missing.merge(vm.name(), 1, Integer::sum);
        if (missed >= looks && reported.add(vm.name())) {
            breaches.add(vm.name() + " runs on " + vm.node() + where(vm)
                    + (forgotten ? " and its reservation there was lost" : " and has no reservation there")
                    + (elsewhere.isEmpty() ? "; it is counted nowhere" : "; it is counted on " + elsewhere));
        }
    }

    private static String where(AuditedVm vm) {
        return " in pod " + vm.podName();
    }

    private static Optional<ReservationView> reservation(AuditedVm vm, NodeLedgerView node) {
        return node.reservations().stream()
                .filter(reservation -> reservation.vmName().equals(vm.name())
                        && reservation.name().equals(vm.podName()))
                .findFirst();
    }

    /**
     * More than the node's total may be reserved only by pods that were found there. So beyond the total, the sum never
     * grows by a request.
     */
    private void checkNode(NodeLedgerView node, List<String> breaches) {
        if (node.invariantsBroken() > 0) {
            breaches.add("the ledger of " + node.node() + " was inconsistent " + node.invariantsBroken() + " times");
        }
        var members = node.reservations().stream().map(ReservationView::pod).collect(Collectors.toSet());
        var before = last.put(node.node(), new Last(node.reserved(), members));
        boolean recovering = node.reservations().stream().anyMatch(ReservationView::recovered);
        if (before == null || recovering) {
            return;
        }
        var requested = node.reserved().minus(landed(node, before.pods()));
        for (var kind : ResourceKind.values()) {
            if (node.reserved().of(kind) > node.total().of(kind)
                    && requested.of(kind) > before.reserved().of(kind)) {
                breaches.add("on " + node.node() + " the " + kind + " reserved grew from "
                        + before.reserved().of(kind) + " to " + node.reserved().of(kind) + ", of "
                        + node.total().of(kind));
            }
        }
    }

    /** The charges of the pods that arrived since: they may have been bound without a hold. */
    private static Resources landed(NodeLedgerView node, Set<String> known) {
        return node.reservations().stream()
                .filter(reservation -> !known.contains(reservation.pod())
                        && !reservation.traits().held())
                .map(reservation -> reservation.traits().charge())
                .reduce(Resources.NONE, Resources::plus);
    }
}
