package io.sluice.ledger.clustered;

import io.sluice.ledger.core.state.NodeState;
import io.sluice.simulation.engine.Chance;
import io.sluice.simulation.engine.Seconds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;

/**
 * Three ledger processes and the part of Hazelcast that matters here: which member is removed, which one becomes owner,
 * whose state wins a merge. {@link Term}, {@link MajorityCheck} and {@link StoredState} are the product's own classes
 * and decide what state counts.
 *
 * <p>All state has one owner and one replica. A command that the replica cannot confirm is not run at all.
 */
public final class LedgerProcesses {
    /** Number of ledger processes. */
    public static final int SIZE = 3;

    private static final long DROPPED_AFTER = Seconds.of(5);
    private static final int BACKUPS = SIZE / 2;
    private static final int KEPT_MAX = 20;

    private final Chance chance;
    private final Random random;
    private final List<Process> places = new ArrayList<>();
    private int cutOff = -1;
    private long stamps;

    /** Starts with all processes running and connected. */
    public LedgerProcesses(Chance chance, long nanos) {
        this.chance = chance;
        random = new Random(chance.next());
        for (int place = 0; place < SIZE; place++) {
            places.add(new Process(place, nanos));
        }
    }

    /** Members that share one partition table: the owner first, then the members with a replica. */
    private static final class Group {
        private final List<Process> members;
        private final List<Process> table;

        private Group(List<Process> members, List<Process> table) {
            this.members = new ArrayList<>(members);
            this.table = new ArrayList<>(table);
        }

        /** A process that was frozen does not detect that the others have left. */
        private int size() {
            return (int) members.stream().filter(one -> one.group == this).count();
        }
    }

    private final class Process {
        private final int place;
        private final MajorityCheck majority = new MajorityCheck(SIZE);
        private final Term term = new Term(SIZE, majority, random);
        private final Map<UUID, Long> reachedAt = new HashMap<>();
        private final Map<String, StoredState> kept = new HashMap<>();
        private final List<Runnable> waiting = new ArrayList<>();
        private UUID name = id();
        private Group group = new Group(List.of(this), List.of(this));
        private List<UUID> list = List.of();
        private boolean dead;
        private boolean frozen;

        private Process(int place, long nanos) {
            this.place = place;
            look(nanos);
        }

        private void look(long nanos) {
            list = group.members.stream().map(one -> one.name).toList();
            reachedAt.keySet().retainAll(list);
            list.forEach(one -> reachedAt.putIfAbsent(one, nanos));
            term.observe(name, list);
        }

        private boolean reaches(Process other) {
            boolean bothRun = !dead && !other.dead && !frozen && !other.frozen;
            return bothRun && (place == cutOff) == (other.place == cutOff);
        }

        private boolean owns() {
            return group.table.getFirst() == this;
        }
    }

    private UUID id() {
        return new UUID(random.nextLong(), random.nextLong());
    }

    /** The process that has the state of the nodes and a majority. */
    public final class Owner {
        private final Process process;
        private final UUID term;

        private Owner(Process process, UUID term) {
            this.process = process;
            this.term = term;
        }

        /** The state of that node; empty if it is of another term. */
        public Optional<NodeState> state(String node) {
            return Optional.ofNullable(process.kept.get(node))
                    .filter(state -> state.isOf(term))
                    .map(StoredState::state);
        }

        /** Stores the state here and on the replica. */
        public void keep(String node, NodeState state) {
            stamps++;
            confirming(process).forEach(one -> keep(one, node, state));
            keep(process, node, state);
        }

        private void keep(Process one, String node, NodeState state) {
            one.kept.put(
                    node,
                    new StoredState(state, stamps, Instant.EPOCH, term, Optional.empty()).heldIn(one.term.stay()));
        }
    }

    /** The process that runs the commands sent to that place; empty if no process may run them. */
    public Optional<Owner> owner(int requested, long nanos) {
        var process = places.get(requested);
        var owner = process.group.table.getFirst();
        boolean reached = owner == process ? !owner.dead : process.reaches(owner) && process.group == owner.group;
        if (!reached || !owner.owns()) {
            return Optional.empty();
        }
        var others = owner.list.stream().filter(one -> !one.equals(owner.name)).toList();
        var term = owner.term.current();
        boolean confirmed = term.isPresent()
                && owner.majority.holds(others, nanos)
                && confirming(owner).size() == BACKUPS;
        return confirmed ? Optional.of(new Owner(owner, term.get())) : Optional.empty();
    }

    private List<Process> confirming(Process owner) {
        return owner.group.table.stream()
                .skip(1)
                .filter(one -> owner.reaches(one)
                        && owner.term.confirms(one.name)
                        && one.term.accepts(owner.name, owner.term.current().orElseThrow()))
                .toList();
    }

    /** A place to which a command is sent, drawn at random. */
    public int any() {
        return chance.below(SIZE);
    }

    /** Queues work for a frozen process until it resumes; returns whether it was queued. */
    public boolean waits(int place, Runnable command) {
        var process = places.get(place);
        if (process.frozen && process.waiting.size() < KEPT_MAX) {
            process.waiting.add(command);
        }
        return process.frozen;
    }

    /** Runs twice a second: each process renews its tickets, and what Hazelcast detects takes effect. */
    public void tick(long nanos) {
        for (var one : List.copyOf(places)) {
            if (!one.dead && !one.frozen) {
                request(one, nanos);
                drop(one, nanos);
                copy(one);
            }
        }
        meet(nanos);
    }

    private static void request(Process one, long nanos) {
        for (var other : List.copyOf(one.group.members)) {
            if (one.reaches(other)) {
                one.reachedAt.put(other.name, nanos);
            }
            if (other != one && one.reaches(other)) {
                var answer = other.term.answer(one.name, one.term.stay().id(), nanos);
                one.term.answered(other.name, one.term.stay().id(), answer, nanos, nanos);
            }
        }
    }

    /** Removes a process that was unreachable for too long from the members of all connected processes. */
    private static void drop(Process one, long nanos) {
        boolean any = one.group.members.stream()
                .anyMatch(other -> other.dead || nanos - one.reachedAt.getOrDefault(other.name, nanos) > DROPPED_AFTER);
        if (any) {
            var stay = one.group.members.stream()
                    .filter(other -> other == one || one.reaches(other) && other.group == one.group)
                    .toList();
            var table = one.group.table.stream().filter(stay::contains).toList();
            var next = new Group(stay, table.isEmpty() ? List.of(one) : table);
            stay.forEach(other -> other.group = next);
            stay.forEach(other -> other.look(nanos));
        }
    }

    /** Gives one more member a replica of the state. */
    private static void copy(Process owner) {
        if (owner.owns() && owner.group.table.size() <= BACKUPS) {
            owner.group.members.stream()
                    .filter(other -> !owner.group.table.contains(other) && owner.reaches(other))
                    .findFirst()
                    .ifPresent(other -> {
                        owner.group.table.add(other);
                        other.kept.clear();
                        owner.kept.forEach((node, state) -> other.kept.put(node, sent(owner, state, other)));
                    });
        }
    }

    /** State as Hazelcast transfers it: state of a former membership has no term. */
    private static StoredState sent(Process from, StoredState state, Process to) {
        var term = from.term.current().filter(state::isOf).orElse(new UUID(0, 0));
        return new StoredState(state.state(), state.stamp(), state.at(), term, Optional.empty()).heldIn(to.term.stay());
    }

    /**
     * Merges two groups that reach each other again: the smaller one rejoins without its state, also if both are equal.
     */
    private void meet(long nanos) {
        for (var one : List.copyOf(places)) {
            for (var other : List.copyOf(places)) {
                if (one.group != other.group && one.reaches(other)) {
                    int difference = one.group.size() - other.group.size();
                    boolean comes = difference < 0 || difference == 0 && chance.oneIn(2);
                    join(comes ? one : other, comes ? other : one, nanos);
                    return;
                }
            }
        }
    }

    private void join(Process comes, Process to, long nanos) {
        var members = new ArrayList<>(to.group.members);
        members.removeIf(one -> one.place == comes.place);
        members.add(comes);
        var table =
                to.group.table.stream().filter(one -> one.place != comes.place).toList();
        comes.name = id();
        comes.kept.clear();
        var next = new Group(members, table.isEmpty() ? List.of(to) : table);
        var before = to.group;
        members.stream().filter(one -> one.group == before || one == comes).forEach(one -> one.group = next);
        members.stream().filter(one -> one.group == next).forEach(one -> one.look(nanos));
    }

    /** Disconnects that process from the others. */
    public void cut(int place) {
        cutOff = place;
    }

    /** Reconnects all processes. */
    public void heal() {
        cutOff = -1;
    }

    /** Ends a process and drops its state. */
    public void kill(int place) {
        places.get(place).dead = true;
    }

    /** Freezes a process. */
    public void freeze(int place) {
        places.get(place).frozen = true;
    }

    /** Resumes a process; it first runs what was queued for it. */
    public void resume(int place) {
        var process = places.get(place);
        process.frozen = false;
        var waiting = List.copyOf(process.waiting);
        process.waiting.clear();
        waiting.forEach(Runnable::run);
    }

    /** Starts a process anew that has ended. */
    public void start(int place, long nanos) {
        if (places.get(place).dead) {
            places.set(place, new Process(place, nanos));
        }
    }

    /** Removes the state of that node from all processes. */
    public void forget(String node) {
        places.forEach(one -> one.kept.remove(node));
    }
}
