package io.sluice.pressure.core.choice;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.pressure.Given;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A context for tests, in which the VM of each reservation was observed and runs in its pod. */
final class GivenAround implements ChoiceContext {
    static final PressureRules RULES = new PressureRules(
            false, Policy.LOWEST_LOAD, 2, 10, Duration.ofMinutes(10), Duration.ofMinutes(1), Duration.ofHours(1));

    final NodeRooms rooms = new NodeRooms();
    final Map<String, MigrationInvolvement> engaged = new HashMap<>();
    final Map<String, Cooldown> resting = new HashMap<>();
    final Map<String, VmPhase> phases = new HashMap<>();
    final Set<String> unknown = new HashSet<>();
    final Set<String> elsewhere = new HashSet<>();
    final Map<String, String> closed = new HashMap<>();
    final Map<String, RoomAmounts> promised = new HashMap<>();
    final Map<String, Resources> use = new HashMap<>();
    final Map<String, KnownGang> gangs = new HashMap<>();
    PressureRules rules = RULES;
    boolean listed = true;
    boolean movedRests;
    int underWay;

    GivenAround(NodeLedgerView... others) {
        for (var ledger : others) {
            rooms.received(ledger, 0);
        }
    }

    GivenAround policy(Policy policy) {
        rules = new PressureRules(
                rules.paused(),
                policy,
                rules.maxConcurrentPerNode(),
                rules.maxConcurrent(),
                rules.cooldown(),
                rules.startTimeout(),
                rules.completionTimeout());
        return this;
    }

    GivenAround budgets(int perNode, int all) {
        rules = new PressureRules(
                rules.paused(),
                rules.policy(),
                perNode,
                all,
                rules.cooldown(),
                rules.startTimeout(),
                rules.completionTimeout());
        return this;
    }

    GivenAround paused() {
        rules = new PressureRules(
                true,
                rules.policy(),
                rules.maxConcurrentPerNode(),
                rules.maxConcurrent(),
                rules.cooldown(),
                rules.startTimeout(),
                rules.completionTimeout());
        return this;
    }

    @Override
    public PressureRules rules() {
        return rules;
    }

    @Override
    public NodeRooms rooms() {
        return rooms;
    }

    @Override
    public Map<String, RoomAmounts> promised() {
        return promised;
    }

    @Override
    public boolean listed() {
        return listed;
    }

    @Override
    public int underWay() {
        return underWay;
    }

    @Override
    public Set<String> leaving(String node) {
        return engaged.keySet();
    }

    @Override
    public MigrationInvolvement engagement(ReservationView reservation) {
        return engaged.getOrDefault(reservation.pod(), MigrationInvolvement.FREE);
    }

    @Override
    public Optional<String> against(String from, String to) {
        return Optional.ofNullable(closed.get(to));
    }

    @Override
    public Optional<KnownVm> vm(String namespace, String name) {
        if (unknown.contains(name)) {
            return Optional.empty();
        }
        var pod = elsewhere.contains(name) ? "another" : name;
        return Optional.of(new KnownVm(
                Given.id(name),
                1,
                pod,
                pod + "-pod",
                "n1",
                phases.getOrDefault(name, VmPhase.RUNNING),
                Overcommit.OFF,
                false));
    }

    @Override
    public Optional<Resources> use(String pod) {
        return Optional.ofNullable(use.get(pod));
    }

    @Override
    public Optional<KnownGang> gang(String pod) {
        return Optional.ofNullable(gangs.get(pod));
    }

    @Override
    public Optional<Cooldown> resting(String namespace, String name, boolean evenIfMoved) {
        return movedRests && !evenIfMoved ? Optional.empty() : Optional.ofNullable(resting.get(name));
    }
}
