package io.sluice.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.AgentContact;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReservationTraits;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.pressure.core.choice.ChoiceContext;
import io.sluice.pressure.core.choice.ChoiceRules;
import io.sluice.pressure.core.choice.Cooldown;
import io.sluice.pressure.core.choice.KnownVm;
import io.sluice.pressure.core.choice.MigrationInvolvement;
import io.sluice.pressure.core.choice.NodeRooms;
import io.sluice.pressure.core.choice.Pick;
import io.sluice.pressure.core.choice.Policy;
import io.sluice.pressure.core.choice.PressureBalance;
import io.sluice.pressure.core.choice.PressureRules;
import io.sluice.pressure.core.choice.RoomAmounts;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Plays which VMs would leave one node: the oldest first, without budgets or cooldowns, and with room elsewhere for
 * all.
 */
final class ChoosePlayer {
    private static final String NODE = "node";
    private static final String ELSEWHERE = "elsewhere";
    private static final Resources ALL_THE_ROOM = new Resources(1L << 60, 1L << 60);

    private final Tally tally;

    ChoosePlayer(Tally tally) {
        this.tally = tally;
    }

    void play(Recording.Line line) {
        var wanted = new HashSet<String>();
        var reservations = members(line, wanted);
        var ledger = ledger(NODE, line.amount("total"), line.amount("watermark"), reservations);
        var before = PressureBalance.of(ledger);
        var unaccounted = before;
        for (var reservation : reservations) {
            unaccounted = wanted.contains(reservation.pod()) ? unaccounted.without(reservation) : unaccounted;
        }
        var picks = ChoiceRules.choose(ledger, new Everywhere(wanted)).picks();
        if (line.json().path("differs").size() > 0) {
            tally.playedOnly();
            return;
        }
        var after = unaccounted;
        for (var pick : picks) {
            after = after.without(pick.reservation());
        }
        var comparison = new Comparison(line);
        comparison.names(
                "chosen",
                picks.stream().map(Pick::reservation).map(ReservationView::pod).toList());
        comparison.amount("excessBefore", before.excess());
        comparison.amount("excessAfter", after.excess());
        tally.compared(comparison.differences());
    }

    private static List<ReservationView> members(Recording.Line line, Set<String> wanted) {
        var reservations = new ArrayList<ReservationView>();
        for (var json : line.json().path("members")) {
            var part = new Recording.Line(line.file(), line.number(), json);
            var reservation = reservation(part, json);
            reservations.add(reservation);
            if (part.flag("wanted")) {
                wanted.add(reservation.pod());
            }
        }
        return reservations;
    }

    private static ReservationView reservation(Recording.Line line, JsonNode json) {
        var milli = line.amount("overcommit");
        if (milli.hasZero()) {
            throw line.malformed("an overcommit factor is above zero");
        }
        var traits = new ReservationTraits(
                line.amount("charge"),
                new Overcommit(milli.milliCpu(), milli.memoryBytes()),
                Resources.NONE,
                Optional.empty(),
                json.path("createdAt").longValue(),
                true,
                line.flag("migratable"),
                false,
                false,
                false);
        var name = line.text("m");
        var reserved = line.amount("reserved");
        return new ReservationView(
                name,
                "default",
                name,
                name,
                reserved,
                reserved,
                Resources.NONE,
                Resources.NONE,
                reserved,
                line.flag("migrating"),
                AgentContact.REQUESTED,
                1,
                1,
                traits);
    }

    private static NodeLedgerView ledger(
            String node, Resources total, Resources watermark, List<ReservationView> reservations) {
        var reserved = sum(reservations, false);
        var migrating = sum(reservations, true);
        var balance =
                new PressureBalance(reserved, watermark, Resources.NONE, migrating, Resources.NONE, Resources.NONE);
        return new NodeLedgerView(
                node,
                true,
                total,
                watermark,
                reserved,
                reserved,
                Resources.NONE,
                Resources.NONE,
                Resources.NONE,
                migrating,
                migrating,
                balance.tooMuch(),
                0,
                reservations);
    }

    private static Resources sum(List<ReservationView> reservations, boolean migratingOnly) {
        return reservations.stream()
                .filter(reservation -> !migratingOnly || reservation.migrating())
                .map(reservation -> reservation.traits().charge())
                .reduce(Resources.NONE, Resources::plus);
    }

    /** One other node with room for all; a VM of each name, without a cooldown. */
    private record Everywhere(NodeRooms rooms, Set<String> wanted) implements ChoiceContext {
        private static final PressureRules RULES = new PressureRules(
                false,
                Policy.OLDEST,
                Integer.MAX_VALUE,
                Integer.MAX_VALUE,
                Duration.ZERO,
                Duration.ofMinutes(1),
                Duration.ofHours(1));

        Everywhere(Set<String> wanted) {
            this(new NodeRooms(), wanted);
            rooms.received(ledger(ELSEWHERE, ALL_THE_ROOM, ALL_THE_ROOM, List.of()), 0);
        }

        @Override
        public PressureRules rules() {
            return RULES;
        }

        @Override
        public Map<String, RoomAmounts> promised() {
            return Map.of();
        }

        @Override
        public boolean listed() {
            return true;
        }

        @Override
        public int underWay() {
            return 0;
        }

        @Override
        public Set<String> leaving(String node) {
            return wanted;
        }

        @Override
        public MigrationInvolvement engagement(ReservationView reservation) {
            return wanted.contains(reservation.pod()) ? MigrationInvolvement.LEAVING : MigrationInvolvement.FREE;
        }

        @Override
        public Optional<String> against(String from, String to) {
            return Optional.empty();
        }

        @Override
        public Optional<KnownVm> vm(String namespace, String name) {
            var id = new VmId("neonvm", namespace, name, name);
            return Optional.of(new KnownVm(id, 1, name, name, NODE, VmPhase.RUNNING, Overcommit.OFF, false));
        }

        @Override
        public Optional<Cooldown> resting(String namespace, String name, boolean evenIfMoved) {
            return Optional.empty();
        }
    }
}
