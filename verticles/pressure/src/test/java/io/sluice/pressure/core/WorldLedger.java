package io.sluice.pressure.core;

import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.PressureNumbers;
import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.messages.ledger.permit.RefusalCause;
import io.sluice.pressure.Given;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The ledger of the {@link SmallWorld}: consistent at every instant, and as strict as the rules. */
final class WorldLedger {
    static final List<String> NODES = List.of("n1", "n2", "n3");
    private static final long REST = 3_000;

    record Held(String node, long milli, Instant until, String attempt) {}

    record Target(String vm, String pod, String node, long milli, String heldFor) {}

    final Set<String> over = new HashSet<>();
    final Map<String, WorldVm> vms = new TreeMap<>();
    final Map<String, Held> holds = new HashMap<>();
    final Map<String, Target> targets = new TreeMap<>();
    final Map<String, WorldVm> leftBehind = new TreeMap<>();

    void expire(Instant now) {
        holds.values().removeIf(held -> !now.isBefore(held.until()));
    }

    Optional<WorldVm> reservation(String pod) {
        return vms.values().stream().filter(vm -> vm.pod.equals(pod)).findFirst();
    }

    NodeLedgerView ledger(String node) {
        var reservations = new ArrayList<ReservationView>();
        vms.values().stream()
                .filter(vm -> vm.node.equals(node))
                .map(this::ledger)
                .forEach(reservations::add);
        leftBehind.values().stream()
                .filter(vm -> vm.node.equals(node))
                .map(this::ledger)
                .forEach(reservations::add);
        targets.values().stream()
                .filter(target -> target.node().equals(node))
                .map(target -> Given.reservation(target.pod(), target.milli())
                        .tookOver(target.heldFor())
                        .ledger())
                .forEach(reservations::add);
        holds.forEach((holder, held) -> {
            if (held.node().equals(node)) {
                reservations.add(Given.reservation(holder, held.milli()).held().ledger());
            }
        });
        reservations.add(Given.reservation("rest-" + node, REST).withoutVm().ledger());
        return Given.node(node, reservations.toArray(ReservationView[]::new));
    }

    private ReservationView ledger(WorldVm vm) {
        var given = Given.reservation(vm.pod, vm.milli).load(vm.load).ofVm(vm.name);
        vm.marks.forEach(given::marked);
        return given.ledger();
    }

    HoldReply hold(HoldRoom request, Instant now) {
        long milli = request.amounts().milliCpu();
        var known = holds.get(request.holder());
        if (over.contains(request.attempt())) {
            return new HoldReply.AttemptOver();
        }
        if (known != null && !known.attempt().equals(request.attempt())) {
            return new HoldReply.OfAnother(known.attempt());
        }
        boolean renewed = known != null;
        var ledger = ledger(request.node());
        var after = ledger.reserved().plus(request.amounts());
        if (!renewed && after.exceeds(ledger.total())) {
            return new HoldReply.NoRoom(after.minus(ledger.total()), ledger.reserved(), ledger.total());
        }
        holds.put(request.holder(), new Held(request.node(), milli, now.plus(request.ttl()), request.attempt()));
        return new HoldReply.Held(request.ttl());
    }

    HoldReply release(ReleaseHold done) {
        over.add(done.attempt());
        var held = holds.get(done.holder());
        if (held != null && held.attempt().equals(done.attempt())) {
            holds.remove(done.holder());
        }
        return new HoldReply.Released();
    }

    MarkReply mark(MarkMigrating request) {
        var found = reservation(request.pod());
        if (found.isEmpty()) {
            return new MarkReply.Refused(RefusalCause.POD_UNKNOWN);
        }
        var vm = found.get();
        boolean known = vm.marks.containsKey(request.attempt());
        if (!known && over.contains(request.attempt())) {
            return new MarkReply.Refused(RefusalCause.ATTEMPT_OVER);
        }
        if (!known && request.cause() == MarkMigrating.Cause.PRESSURE) {
            if (vm.marked()) {
                return new MarkReply.Refused(RefusalCause.ALREADY_MOVING);
            }
            var ledger = ledger(request.node());
            if (!ledger.underPressure()) {
                return new MarkReply.NotPressed(PressureNumbers.of(ledger));
            }
            if (Given.cpu(vm.milli).exceeds(request.room())) {
                return new MarkReply.Outgrown(Given.cpu(vm.milli));
            }
        }
        vm.marks.merge(request.attempt(), request.cause() == MarkMigrating.Cause.UNDER_WAY, Boolean::logicalOr);
        return new MarkReply.Marked(Given.cpu(vm.milli));
    }

    MarkReply unmark(UnmarkMigrating request) {
        over.add(request.attempt());
        return reservation(request.pod())
                .<MarkReply>map(vm -> {
                    vm.marks.remove(request.attempt());
                    return new MarkReply.Unmarked(Given.cpu(vm.milli));
                })
                .orElseGet(() -> new MarkReply.Refused(RefusalCause.POD_UNKNOWN));
    }

    /** Whether nothing is marked and nothing is held. */
    boolean atRest() {
        return holds.isEmpty() && vms.values().stream().noneMatch(WorldVm::marked);
    }
}
