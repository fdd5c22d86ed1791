package io.sluice.billing.core.exact;

import io.sluice.billing.core.Gap;
import io.sluice.billing.core.UsageRecord;
import io.sluice.billing.core.VmUse;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Processes of which one leads, in virtual time. All receive the same observations, each with its own delay. They are
 * killed, cut off from the others and start again, with or without their disks. A leader copies each commit to the
 * others. What its disk has reaches a receiver that keeps the first record of each key.
 */
final class LeaderWorld {
    static final Instant T = ReportedCharges.T;
    static final Duration DELAY_MOST = Duration.ofMillis(900);
    private static final Duration STALE = ReportedCharges.STALE;

    final Map<VmId, List<Piece>> lives = new LinkedHashMap<>();
    final Map<String, UsageRecord> kept = new LinkedHashMap<>();

    /** All records that were sent. One that was billed once and sent by two processes is there once. */
    final Set<UsageRecord> sent = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Whether processes can read what others copied. */
    boolean readable = true;

    final List<Gap> gaps = new ArrayList<>();
    final List<Process> processes = new ArrayList<>();

    /** When nobody led. */
    final List<Piece> leaderless = new ArrayList<>();

    private final Random random;
    private final PriorityQueue<Due> queue = new PriorityQueue<>();
    private final Map<VmId, VmUse> present = new LinkedHashMap<>();
    private final List<Copy> copies = new ArrayList<>();
    private Instant now = T;
    private Optional<Instant> leaderlessSince = Optional.of(T);
    private long numbers;
    private long version;

    private record Due(Instant at, long number, Runnable what) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            int byTime = at.compareTo(other.at);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    /** A time in which a VM did not change. */
    record Piece(Instant from, Instant to, Optional<VmUse.Use> use) {}

    /** A window that is not confirmed, and the checkpoint after it. */
    private record Copy(WindowCommit commit, Process author) {}

    /** A process: it stands by, leads, or is dead. */
    final class Process {
        private ReportedCharges.Kept disk = new ReportedCharges.Kept();
        private List<WindowCommit> unsent = new ArrayList<>();
        private ReportedCharges.Kept copied = new ReportedCharges.Kept();
        private Optional<ChangeLog> waiting = Optional.empty();
        private Optional<ExactCollector> leading = Optional.empty();
        private Instant receivedLast = T;
        private int life;

        boolean isAlive() {
            return waiting.isPresent() || leading.isPresent();
        }

        boolean leads() {
            return leading.isPresent();
        }

        void start() {
            waiting = Optional.of(new ChangeLog(STALE));
            later(100 + random.nextLong(1_000), this::list);
            later(random.nextLong(1_000), this::second);
            later(2_000 + random.nextLong(2_000), this::commit);
        }

        private void later(long ms, Runnable what) {
            int begun = life;
            at(now.plusMillis(ms), () -> {
                if (begun == life && isAlive()) {
                    what.run();
                }
            });
        }

        /** A list of which only a part was received does not count, as {@code FullListCheck} decides. */
        private void list() {
            var begun = leading;
            present.values().forEach(observation -> receive(process -> process.observed(observation)));
            receive(process -> {
                if (begun.equals(process.leading)) {
                    process.listed();
                }
            });
        }

        /** Keeps the order in which observations were published. */
        private void receive(Consumer<Process> what) {
            var at = now.plusMillis(random.nextLong(DELAY_MOST.toMillis()));
            receivedLast = at.isAfter(receivedLast) ? at : receivedLast;
            later(Duration.between(now, receivedLast).toMillis(), () -> what.accept(this));
        }

        private void observed(VmUse observation) {
            leading.ifPresentOrElse(
                    it -> it.observed(observation, now),
                    () -> waiting.orElseThrow().observed(observation, now));
        }

        private void gone(VmId vm) {
            leading.ifPresentOrElse(
                    it -> it.gone(vm, now), () -> waiting.orElseThrow().gone(vm, now));
        }

        private void listed() {
            leading.ifPresentOrElse(
                    it -> it.listed(now), () -> waiting.orElseThrow().listed(now));
        }

        private void watched() {
            leading.ifPresentOrElse(
                    it -> it.watched("neonvm", now), () -> waiting.orElseThrow().watched("neonvm", now));
        }

        private void second() {
            leading.ifPresentOrElse(
                    it -> it.tick(now), () -> waiting.orElseThrow().tick(now));
            boolean relist = leading.map(ExactCollector::takeRelistWanted)
                    .orElseGet(() -> waiting.orElseThrow().takeRelistWanted());
            if (relist) {
                list();
            }
            receive(Process::watched);
            if (!leads() && readable && processes.stream().anyMatch(this::hasBilledSince)) {
                disk = new ReportedCharges.Kept();
            }
            later(1_000, this::second);
        }

        private boolean hasBilledSince(Process other) {
            return other != this
                    && other.copied.windowStart.isPresent()
                    && other.copied.receivedUntil.isAfter(disk.receivedUntil);
        }

        /** Begins to bill from the latest of its disk and the copies, and takes the windows that wait elsewhere. */
        void lead() {
            if (leads() || !isAlive()) {
                return;
            }
            var last = processes.stream()
                    .filter(process -> readable && !process.copied.windowStart.isEmpty())
                    .map(process -> process.copied)
                    .reduce(disk, (one, other) -> other.receivedUntil.isAfter(one.receivedUntil) ? other : one);
            var checkpoint = Optional.of(last)
                    .filter(known -> known.windowStart.isPresent())
                    .map(ReportedCharges.Kept::checkpoint)
                    .map(known -> readable ? known : bounded(known));
            if (checkpoint.isEmpty()) {
                waiting.orElseThrow().leaveOut(now);
            }
            leading = Optional.of(waiting.orElseThrow().lead(ReportedCharges.options(), checkpoint, now));
            leading.get().forget(disk.meters.keySet());
            leading.get().forget(disk.ended.keySet());
            copied = new ReportedCharges.Kept();
            waiting = Optional.empty();
            (readable ? copies : List.<Copy>of()).forEach(copy -> unsent.add(copy.commit()));
            leaderlessSince.ifPresent(since -> leaderless.add(new Piece(since, now, Optional.empty())));
            leaderlessSince = Optional.empty();
        }

        private ExactCollector.Checkpoint bounded(ExactCollector.Checkpoint known) {
            var bounded = BoundedCheckpoint.of(known, ReportedCharges.options(), now);
            gaps.addAll(bounded.gaps());
            if (bounded.isCut()) {
                waiting = Optional.of(new ChangeLog(STALE));
            }
            return bounded.checkpoint();
        }

        void standBy() {
            if (leads()) {
                leading = Optional.empty();
                waiting = Optional.of(new ChangeLog(STALE));
                list();
                noLeader();
            }
        }

        private void commit() {
            if (leads()) {
                do {
                    var commit = leading.orElseThrow().take();
                    disk.keep(commit);
                    copied.keep(commit);
                    unsent.add(commit);
                    copies.add(new Copy(commit, this));
                } while (leading.orElseThrow().hasMore());
            }
            later(random.nextLong(6_000), this::send);
            later(4_000, this::commit);
        }

        private void send() {
            unsent.forEach(commit -> {
                commit.charges().forEach(LeaderWorld.this::receive);
                commit.gaps().stream().filter(gap -> !gaps.contains(gap)).forEach(gaps::add);
                copies.removeIf(copy -> copy.commit() == commit);
            });
            unsent.clear();
        }

        /** Sends what is on its disk, which it could not while it was away. */
        void sendAll() {
            send();
        }

        void kill(boolean losesDisk) {
            boolean led = leads();
            leading = Optional.empty();
            waiting = Optional.empty();
            life++;
            if (losesDisk) {
                disk = new ReportedCharges.Kept();
                unsent = new ArrayList<>();
            }
            if (led) {
                noLeader();
            }
        }
    }

    LeaderWorld(Random random, int size) {
        this.random = random;
        for (int i = 0; i < size; i++) {
            processes.add(new Process());
        }
        processes.forEach(Process::start);
        run(Duration.ofSeconds(5));
        processes.getFirst().lead();
    }

    private void noLeader() {
        if (processes.stream().noneMatch(Process::leads)) {
            leaderlessSince = Optional.of(now);
        }
    }

    Instant now() {
        return now;
    }

    Optional<Process> leader() {
        return processes.stream().filter(Process::leads).findFirst();
    }

    void at(Instant when, Runnable what) {
        queue.add(new Due(when, numbers++, what));
    }

    void run(Duration length) {
        var until = now.plus(length);
        while (!queue.isEmpty() && !queue.peek().at().isAfter(until)) {
            var next = queue.poll();
            now = next.at();
            next.what().run();
        }
        now = until;
    }

    /** VMs begin, change and end for about that long. */
    void live(int seconds) {
        for (int i = 0; i < seconds; i++) {
            if (random.nextInt(3) == 0) {
                change();
            }
            run(Duration.ofMillis(300 + random.nextInt(1_400)));
        }
    }

    /** Endpoints change, and use begins and ends, at whole seconds, because recorded times are whole seconds. */
    private void change() {
        var vm = ReportedCharges.vm(Integer.toString(random.nextInt(12)));
        var before = Optional.ofNullable(present.get(vm)).flatMap(VmUse::use);
        if (before.isPresent() && random.nextInt(3) > 0) {
            become(vm, Optional.of(new VmUse.Use(before.get().endpoint(), size())), now);
            return;
        }
        run(Duration.between(now, now.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1)));
        if (before.isPresent() && random.nextBoolean()) {
            become(vm, Optional.empty(), now);
        } else {
            become(vm, Optional.of(new VmUse.Use("ep-" + random.nextInt(2), size())), now);
        }
    }

    private long size() {
        return 250L * (1 + random.nextInt(8));
    }

    private void become(VmId vm, Optional<VmUse.Use> use, Instant at) {
        var pieces = lives.computeIfAbsent(vm, id -> new ArrayList<>());
        endLast(pieces, at);
        pieces.add(new Piece(at, Instant.MAX, use));
        var observation = new VmUse(vm, ++version, use, at.truncatedTo(ChronoUnit.SECONDS));
        present.put(vm, observation);
        processes.stream()
                .filter(Process::isAlive)
                .forEach(process -> process.receive(receiver -> receiver.observed(observation)));
    }

    private static void endLast(List<Piece> pieces, Instant at) {
        if (!pieces.isEmpty()) {
            var last = pieces.removeLast();
            pieces.add(new Piece(last.from(), at, last.use()));
        }
    }

    /** All processes lose what others copied. */
    void loseCopies() {
        copies.clear();
        processes.forEach(process -> process.copied = new ReportedCharges.Kept());
    }

    private void receive(UsageRecord charge) {
        sent.add(charge);
        kept.putIfAbsent(charge.start() + "/" + charge.key(), charge);
    }

    /** All use ends, and all that was billed is sent. */
    void close() {
        run(Duration.between(now, now.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1)));
        present.keySet().stream().toList().forEach(vm -> become(vm, Optional.empty(), now));
        run(Duration.ofSeconds(90));
        processes.forEach(Process::sendAll);
        lives.values().forEach(pieces -> endLast(pieces, now));
    }
}
