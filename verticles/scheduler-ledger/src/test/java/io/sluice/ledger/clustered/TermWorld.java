package io.sluice.ledger.clustered;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/**
 * A model of ledger processes that keep the state of one node, and of the worst that Hazelcast does with them: members
 * are dropped after no time at all, newcomers join any member that they reach, and the losing side of a merge is chosen
 * at random where both sides are equally large. Only {@link Term} is the program's own class.
 */
final class TermWorld {
    private static final Duration STEP_MAX = Duration.ofMillis(300);
    private static final Duration ALL_HEALS_WITHIN = Duration.ofSeconds(60);
    private static final int SWAP_IN_MAX = 150;
    private static final int LATE_MAX = 200;

    private final int size;
    private final Random random;
    private final List<Process> places = new ArrayList<>();
    private final List<Late> late = new ArrayList<>();
    private final List<Set<Integer>> sides = new ArrayList<>();
    private long nanos = Duration.ofDays(1).toNanos();
    private Optional<Granted> newest = Optional.empty();
    private boolean faulty = true;
    private int swapIn;
    long granted;
    long lost;
    long stale;

    TermWorld(int size, long seed) {
        this.size = size;
        random = new Random(seed);
        for (int place = 0; place < size; place++) {
            places.add(new Process(place));
        }
        heal();
    }

    /** The state that a command led to, and its predecessor; without a predecessor, it is the first after a loss. */
    private static final class Written {
        private final Optional<Written> from;
        private final long begunNanos;

        private Written(Optional<Written> from, long nanos) {
            this.from = from;
            begunNanos = from.map(before -> before.begunNanos).orElse(nanos);
        }

        /** Whether it was derived from that grant, or the state started again after a loss since. */
        boolean contains(Granted last) {
            for (var at = Optional.of(this); at.isPresent(); at = at.get().from) {
                if (at.get() == last.written()) {
                    return true;
                }
            }
            return begunNanos > last.nanos();
        }
    }

    private record Granted(Written written, long nanos) {}

    private record Copy(Written written, Optional<UUID> term, Term.Stay heldIn) {
        Optional<UUID> termNow() {
            return heldIn.isOver() ? Optional.empty() : term;
        }
    }

    private record Late(Process to, Runnable arrival) {}

    /** Members with one partition table: the owner first, then the members with replicas. */
    private static final class Cluster {
        private final List<Process> members;
        private final List<Process> table;

        private Cluster(List<Process> members, List<Process> table) {
            this.members = new ArrayList<>(members);
            this.table = new ArrayList<>(table);
        }
    }

    private final class Process {
        private final int place;
        private final MajorityCheck majority = new MajorityCheck(size);
        private final Term term = new Term(size, majority, random);
        private UUID name = id();
        private boolean dead;
        private Cluster cluster = new Cluster(List.of(this), List.of(this));
        private List<UUID> list = List.of();
        private Optional<Copy> copy = Optional.empty();

        private Process(int place) {
            this.place = place;
            look();
        }

        private void look() {
            list = cluster.members.stream().map(one -> one.name).toList();
            term.observe(name, list);
        }

        private boolean reaches(Process other) {
            return !dead
                    && !other.dead
                    && sides.stream().noneMatch(side -> side.contains(place) != side.contains(other.place));
        }

        private void request() {
            for (var other : List.copyOf(cluster.members)) {
                if (other != this && list.contains(other.name)) {
                    var me = name;
                    var it = other.name;
                    var stay = term.stay().id();
                    long sent = nanos;
                    send(this, other, () -> {
                        var answer = other.term.answer(me, stay, nanos);
                        send(other, this, () -> term.answered(it, stay, answer, sent, nanos));
                    });
                }
            }
        }

        private void startAnew() {
            name = id();
            copy = Optional.empty();
        }
    }

    private UUID id() {
        return new UUID(random.nextLong(), random.nextLong());
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private <T> T any(List<T> some) {
        return some.get(random.nextInt(some.size()));
    }

    private void send(Process from, Process to, Runnable arrival) {
        if (faulty && chance(10) && late.size() < LATE_MAX) {
            late.add(new Late(to, arrival));
        } else if (from.reaches(to)) {
            arrival.run();
        }
    }

    private List<Process> living() {
        return places.stream().filter(one -> !one.dead).toList();
    }

    void step() {
        nanos += random.nextLong(STEP_MAX.toNanos());
        if (faulty) {
            disturb();
        }
        if (!living().isEmpty()) {
            act(any(living()));
        }
        if (!late.isEmpty() && chance(60)) {
            var one = late.remove(random.nextInt(late.size()));
            if (!one.to().dead) {
                one.arrival().run();
            }
        }
    }

    private void disturb() {
        if (swapIn > 0 && --swapIn == 0) {
            swap();
        } else if (swapIn == 0 && chance(2)) {
            fault();
        }
    }

    /** One of the others joins the minority that was left out, as a new process. */
    private void swap() {
        var fewer = sides.getLast();
        var again =
                any(places.stream().filter(one -> !fewer.contains(one.place)).toList());
        start(again.place);
        sides.clear();
        var met = new HashSet<>(fewer);
        met.add(again.place);
        sides.add(met);
    }

    private Set<Integer> fewer() {
        var fewer = new HashSet<Integer>();
        while (fewer.size() < size / 2) {
            fewer.add(random.nextInt(size));
        }
        return fewer;
    }

    private void fault() {
        switch (random.nextInt(7)) {
            case 0 -> any(places).dead = true;
            case 1 -> sides.add(side());
            case 2, 3 -> {
                heal();
                sides.add(fewer());
                swapIn = 1 + random.nextInt(SWAP_IN_MAX);
            }
            case 4 -> sides.clear();
            default -> places.stream().filter(one -> one.dead).findAny().ifPresent(one -> start(one.place));
        }
    }

    private Set<Integer> side() {
        var side = new HashSet<Integer>();
        for (int place = 0; place < size; place++) {
            if (random.nextBoolean()) {
                side.add(place);
            }
        }
        return side;
    }

    private void start(int place) {
        places.get(place).dead = true;
        places.set(place, new Process(place));
    }

    private void act(Process one) {
        switch (random.nextInt(15)) {
            case 0 -> drop(one);
            case 1, 2 -> one.look();
            case 3, 4, 5, 6 -> one.request();
            case 7 -> meet(one);
            case 8 -> copyOn(one);
            case 9 -> handOver(one);
            default -> command(one);
        }
    }

    /** The members that it does not reach are dropped by it and by those that it reaches. */
    private void drop(Process one) {
        var stay = one.cluster.members.stream()
                .filter(other -> other == one || one.reaches(other) && other.cluster == one.cluster)
                .toList();
        if (stay.size() < one.cluster.members.size()) {
            var table = one.cluster.table.stream().filter(stay::contains).toList();
            var next = new Cluster(stay, table.isEmpty() ? List.of(any(stay)) : table);
            stay.forEach(other -> other.cluster = next);
            one.look();
        }
    }

    /**
     * Joins the members that it reaches: the smaller Hazelcast cluster, or the member that is alone, loses its state.
     */
    private void meet(Process one) {
        var others = living().stream()
                .filter(other -> other.cluster != one.cluster && one.reaches(other))
                .toList();
        if (others.isEmpty()) {
            return;
        }
        var other = any(others);
        int difference = one.cluster.members.size() - other.cluster.members.size();
        boolean comes = difference < 0 || difference == 0 && random.nextBoolean();
        join(comes ? one : other, comes ? other : one);
    }

    private void join(Process comes, Process to) {
        var leaving = comes.cluster.members.stream().filter(comes::reaches).toList();
        var places = leaving.stream().map(one -> one.place).toList();
        // A newcomer replaces the process that was there: that one is dead, or would be one member too many.
        var staying = to.cluster.members.stream()
                .filter(one -> !places.contains(one.place))
                .toList();
        var table = to.cluster.table.stream().filter(staying::contains).toList();
        var next = new Cluster(staying, table.isEmpty() ? List.of(to) : table);
        var before = to.cluster;
        staying.stream().filter(one -> one.cluster == before).forEach(one -> one.cluster = next);
        comes.startAnew();
        comes.cluster.members.remove(comes);
        comes.cluster.table.remove(comes);
        next.members.add(comes);
        comes.cluster = next;
        comes.look();
        if (chance(70)) {
            to.look();
        }
    }

    /** One more member gets the state from its owner. */
    private void copyOn(Process one) {
        var table = one.cluster.table;
        var missing = one.cluster.members.stream()
                .filter(other -> !table.contains(other) && one.reaches(other))
                .toList();
        if (!table.isEmpty() && table.getFirst() == one && table.size() <= size / 2 && !missing.isEmpty()) {
            var next = any(missing);
            table.add(next);
            migrate(one, next);
        }
    }

    private void migrate(Process from, Process to) {
        to.copy = from.copy.map(copy -> new Copy(copy.written(), copy.termNow(), to.term.stay()));
    }

    /** Makes the member with the first replica the owner; the former owner becomes the last of the table. */
    private void handOver(Process one) {
        var table = one.cluster.table;
        if (table.size() > 1
                && table.getFirst() == one
                && one.reaches(table.get(1))
                && table.get(1).cluster == one.cluster) {
            migrate(one, table.get(1));
            table.addLast(table.removeFirst());
        }
    }

    private void command(Process owner) {
        var table = owner.cluster.table;
        owner.look();
        if (table.isEmpty() || table.getFirst() != owner || table.size() <= size / 2) {
            return;
        }
        var backups = table.subList(1, size / 2 + 1);
        var term = owner.term.current();
        var others = owner.list.stream().filter(one -> !one.equals(owner.name)).toList();
        if (term.isEmpty()
                || !owner.majority.holds(others, nanos)
                || !backups.stream().allMatch(one -> owner.term.confirms(one.name))) {
            return;
        }
        var before = owner.copy.filter(copy -> copy.termNow().equals(term)).map(Copy::written);
        if (owner.copy.isPresent() && before.isEmpty()) {
            lost++;
        }
        var after = new Written(before, nanos);
        boolean isStale =
                before.isPresent() && newest.isPresent() && !before.get().contains(newest.get());
        owner.copy = Optional.of(new Copy(after, term, owner.term.stay()));
        boolean confirmed = true;
        for (var backup : backups) {
            if (owner.reaches(backup) && backup.term.accepts(owner.name, term.get())) {
                backup.copy = Optional.of(new Copy(after, term, backup.term.stay()));
            } else {
                confirmed = false;
            }
        }
        if (confirmed) {
            granted++;
            stale += isStale ? 1 : 0;
            newest = Optional.of(new Granted(after, nanos));
        }
    }

    /** Everything is started and reachable again. */
    void heal() {
        sides.clear();
        places.stream().filter(one -> one.dead).toList().forEach(one -> start(one.place));
    }

    /** Whether all take part in one term after some rounds without failures. */
    boolean settles() {
        faulty = false;
        late.clear();
        heal();
        long until = nanos + ALL_HEALS_WITHIN.toNanos() * size;
        while (nanos < until) {
            step();
            if (living().stream().map(one -> one.cluster).distinct().count() == 1
                    && living().stream().allMatch(one -> one.term.isSettled() && one.list.size() == size)) {
                return true;
            }
        }
        return false;
    }
}
