package io.sluice.pressure.core;

import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.PressureNumbers;
import io.sluice.messages.ledger.RefusalCause;
import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.messages.ledger.UnmarkMigrating;
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

/** The books of the {@link SmallWorld}: true at every instant, and as strict as the rules say. */
final class WorldLedger {
    static final List<String> NODES = List.of("n1", "n2", "n3");
    private static final long REST = 3_000;

    record Held(String node, long milli, Instant until, String attempt) {}

    record Target(String vm, String pod, String node, long milli) {}

    final Set<String> over = new HashSet<>();
    final Map<String, WorldVm> vms = new TreeMap<>();
    final Map<String, Held> holds = new HashMap<>();
    final Map<String, Target> targets = new TreeMap<>();
    final Map<String, WorldVm> leftBehind = new TreeMap<>();

    void expire(Instant now) {
        holds.values().removeIf(held -> !now.isBefore(held.until()));
    }

    Optional<WorldVm> member(String pod) {
        return vms.values().stream().filter(vm -> vm.pod.equals(pod)).findFirst();
    }

    NodeLedgerView books(String node) {
        var members = new ArrayList<ReservationView>();
        vms.values().stream()
                .filter(vm -> vm.node.equals(node))
                .map(this::books)
                .forEach(members::add);
        leftBehind.values().stream()
                .filter(vm -> vm.node.equals(node))
                .map(this::books)
                .forEach(members::add);
        targets.values().stream()
                .filter(target -> target.node().equals(node))
                .map(target ->
                        Given.member(target.pod(), target.milli()).target().books())
                .forEach(members::add);
        holds.forEach((holder, held) -> {
            if (held.node().equals(node)) {
                members.add(Given.member(holder, held.milli()).held().books());
            }
        });
        members.add(Given.member("rest-" + node, REST).withoutVm().books());
        return Given.node(node, members.toArray(ReservationView[]::new));
    }

    private ReservationView books(WorldVm vm) {
        var member = Given.member(vm.pod, vm.milli).load(vm.load).ofVm(vm.name);
        vm.marks.forEach(member::marked);
        return member.books();
    }

    HoldReply hold(HoldRoom wanted, Instant now) {
        long milli = wanted.amounts().milliCpu();
        var known = holds.get(wanted.holder());
        if (over.contains(wanted.attempt())) {
            return new HoldReply.AttemptOver();
        }
        if (known != null && !known.attempt().equals(wanted.attempt())) {
            return new HoldReply.OfAnother(known.attempt());
        }
        boolean renewed = known != null;
        var books = books(wanted.node());
        var after = books.reserved().plus(wanted.amounts());
        if (!renewed && after.exceeds(books.total())) {
            return new HoldReply.NoRoom(after.minus(books.total()), books.reserved(), books.total());
        }
        holds.put(wanted.holder(), new Held(wanted.node(), milli, now.plus(wanted.ttl()), wanted.attempt()));
        return new HoldReply.Held(wanted.ttl());
    }

    HoldReply release(ReleaseHold done) {
        over.add(done.attempt());
        var held = holds.get(done.holder());
        if (held != null && held.attempt().equals(done.attempt())) {
            holds.remove(done.holder());
        }
        return new HoldReply.Released();
    }

    MarkReply mark(MarkMigrating wanted) {
        var found = member(wanted.member());
        if (found.isEmpty()) {
            return new MarkReply.Refused(RefusalCause.MEMBER_UNKNOWN);
        }
        var vm = found.get();
        boolean known = vm.marks.containsKey(wanted.attempt());
        if (!known && over.contains(wanted.attempt())) {
            return new MarkReply.Refused(RefusalCause.ATTEMPT_OVER);
        }
        if (!known && wanted.cause() == MarkMigrating.Cause.PRESSURE) {
            if (vm.marked()) {
                return new MarkReply.Refused(RefusalCause.ALREADY_MOVING);
            }
            var books = books(wanted.node());
            if (!books.underPressure()) {
                return new MarkReply.NotPressed(PressureNumbers.of(books));
            }
            if (Given.cpu(vm.milli).exceeds(wanted.room())) {
                return new MarkReply.Outgrown(Given.cpu(vm.milli));
            }
        }
        vm.marks.merge(wanted.attempt(), wanted.cause() == MarkMigrating.Cause.UNDER_WAY, Boolean::logicalOr);
        return new MarkReply.Marked(Given.cpu(vm.milli));
    }

    MarkReply unmark(UnmarkMigrating wanted) {
        over.add(wanted.attempt());
        return member(wanted.member())
                .<MarkReply>map(vm -> {
                    vm.marks.remove(wanted.attempt());
                    return new MarkReply.Unmarked(Given.cpu(vm.milli));
                })
                .orElseGet(() -> new MarkReply.Refused(RefusalCause.MEMBER_UNKNOWN));
    }

    /** Whether nobody is marked and nothing is held. */
    boolean atRest() {
        return holds.isEmpty() && vms.values().stream().noneMatch(WorldVm::marked);
    }
}
