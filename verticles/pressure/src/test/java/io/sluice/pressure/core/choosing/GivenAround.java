package io.sluice.pressure.core.choosing;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.MemberBooks;
import io.sluice.messages.ledger.NodeBooks;
import io.sluice.pressure.Given;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Surroundings for tests, in which every member's VM is known to run in it. */
final class GivenAround implements Around {
    static final Rules RULES = new Rules(
            false, Policy.LOWEST_LOAD, 2, 10, Duration.ofMinutes(10), Duration.ofMinutes(1), Duration.ofHours(1));

    final Rooms rooms = new Rooms();
    final Map<String, Engagement> engaged = new HashMap<>();
    final Map<String, Resting> resting = new HashMap<>();
    final Map<String, VmPhase> phases = new HashMap<>();
    final Set<String> unknown = new HashSet<>();
    final Set<String> elsewhere = new HashSet<>();
    final Map<String, String> closed = new HashMap<>();
    final Map<String, Resources> promised = new HashMap<>();
    Rules rules = RULES;
    boolean listed = true;
    boolean movedRests;
    int underWay;

    GivenAround(NodeBooks... others) {
        for (var books : others) {
            rooms.heard(books, 0);
        }
    }

    GivenAround policy(Policy policy) {
        rules = new Rules(
                rules.brake(),
                policy,
                rules.maxConcurrentPerNode(),
                rules.maxConcurrent(),
                rules.cooldown(),
                rules.startTimeout(),
                rules.completionTimeout());
        return this;
    }

    GivenAround budgets(int perNode, int all) {
        rules = new Rules(
                rules.brake(),
                rules.policy(),
                perNode,
                all,
                rules.cooldown(),
                rules.startTimeout(),
                rules.completionTimeout());
        return this;
    }

    GivenAround braked() {
        rules = new Rules(
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
    public Rules rules() {
        return rules;
    }

    @Override
    public Rooms rooms() {
        return rooms;
    }

    @Override
    public Map<String, Resources> promised() {
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
    public Engagement engagement(MemberBooks member) {
        return engaged.getOrDefault(member.member(), Engagement.FREE);
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
    public Optional<Resting> resting(String namespace, String name, boolean evenIfMoved) {
        return movedRests && !evenIfMoved ? Optional.empty() : Optional.ofNullable(resting.get(name));
    }
}
