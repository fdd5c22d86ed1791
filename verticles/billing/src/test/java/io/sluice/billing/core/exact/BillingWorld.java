package io.sluice.billing.core.exact;

import io.sluice.billing.core.Gap;
import io.sluice.billing.core.UsageRecord;
import io.sluice.billing.core.VmUse;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Processes that bill the same VMs, in virtual time. All receive the same observations, each with its own delay. They
 * come, stop and are killed, and each observes that after a delay. Their commits are durable, and reach a receiver that
 * keeps the first record of each key.
 */
final class BillingWorld {
    static final Duration WINDOW = Duration.ofSeconds(24);
    static final Instant T = Instant.parse("2026-03-01T00:00:00Z");
    static final Duration DELAY_MOST = Duration.ofMillis(300);

    /** Within this time what a process received is in a checkpoint. */
    static final Duration HARVESTED_WITHIN = Duration.ofSeconds(6);

    final Map<VmId, Life> lives = new LinkedHashMap<>();
    final Map<String, UsageRecord> kept = new LinkedHashMap<>();
    final List<Gap> gaps = new ArrayList<>();
    final List<Process> processes = new ArrayList<>();

    /** When a process wrote a checkpoint of what it had received. */
    final NavigableSet<Instant> received = new TreeSet<>();

    private final Random random;
    private final PriorityQueue<Due> queue = new PriorityQueue<>();
    private final List<String> members = new ArrayList<>();
    private Instant now = T;
    private long numbers;
    private long version;
    private boolean silent;

    private record Due(Instant at, long number, Runnable what) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            int byTime = at.compareTo(other.at);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    /** The history of a VM. Its endpoint changes at whole seconds, because recorded times are whole seconds. */
    static final class Life {
        final List<Piece> pieces = new ArrayList<>();
        private Optional<VmUse.Use> use = Optional.empty();
        private Instant since = T;
        private Instant changedAt = T;
        private long version;
        private boolean gone;

        private void becomes(Optional<VmUse.Use> next, Instant at, boolean recorded) {
            var from = recorded ? at.truncatedTo(ChronoUnit.SECONDS) : at;
            pieces.removeIf(piece -> !piece.from().isBefore(from));
            if (!pieces.isEmpty() && pieces.getLast().to().isAfter(from)) {
                var last = pieces.removeLast();
                pieces.add(new Piece(last.from(), from, last.use()));
            }
            use.filter(paid -> since.isBefore(from)).ifPresent(paid -> pieces.add(new Piece(since, from, paid)));
            since = from;
            use = next;
            changedAt = recorded ? from : changedAt;
        }
    }

    /** A time in which a VM did not change. */
    record Piece(Instant from, Instant to, VmUse.Use use) {}

    /** A process that bills, is away, and bills again. */
    final class Process {
        private final int slot;
        private final Map<VmId, UsageMeterState> checkpoints = new HashMap<>();
        private final List<Runnable> unsent = new ArrayList<>();
        private Optional<Instant> recorded = Optional.empty();
        private Optional<Instant> windowStart = Optional.empty();
        private Predecessor writer = ReportedCharges.alone(T);
        private List<Gap> inheritedGaps = List.of();
        private List<String> observed = List.of();
        private Instant receivedLast = T;
        private String name = "";
        private int lives;
        private boolean full;
        private Optional<WindowCommit> untaken = Optional.empty();
        private ExactCollector collector;

        private Process(int slot) {
            this.slot = slot;
        }

        boolean isAlive() {
            return collector != null;
        }

        void start() {
            name = "p" + slot + "-" + lives++;
            members.add(name);
            observed = List.copyOf(members);
            reported();
            var terms = new ExactCollector.Terms(
                    WINDOW, Duration.ofSeconds(5), new BillingPeers(name, true, () -> observed));
            collector = recorded.map(received -> ExactCollector.resume(
                            terms,
                            new ExactCollector.Checkpoint(
                                    List.copyOf(checkpoints.values()), received, windowStart, writer, inheritedGaps),
                            now))
                    .orElseGet(() -> new ExactCollector(terms, now));
            later(100 + random.nextLong(2_500), this::list);
            later(random.nextLong(1_000), this::second);
            later(4_000, this::commitAgain);
            later(1_000 + random.nextLong(5_000), this::send);
        }

        /** Runs the action only if the process has not ended by then. */
        private void later(long ms, Runnable what) {
            int life = lives;
            at(now.plusMillis(ms), () -> {
                if (life == lives && isAlive()) {
                    what.run();
                }
            });
        }

        /** Keeps the order in which observations were published. */
        private void receive(Runnable what) {
            var at = now.plusMillis(random.nextLong(DELAY_MOST.toMillis()));
            receivedLast = at.isAfter(receivedLast) ? at : receivedLast;
            later(Duration.between(now, receivedLast).toMillis() + 1, what);
        }

        private void list() {
            if (silent) {
                later(1_000, this::list);
                return;
            }
            lives().forEach(observation -> receive(() -> collector.observed(observation, now)));
            receive(() -> collector.listed(now));
        }

        private void second() {
            collector.tick(now);
            if (!silent) {
                receive(() -> collector.watched(now));
            }
            later(1_000, this::second);
        }

        private void commitAgain() {
            commitOneByOne();
            later(4_000, this::commitAgain);
        }

        /** Each commit takes time, and a kill may happen between two. */
        private void commitOneByOne() {
            commit();
            long takesMs = random.nextLong(1_500);
            if (collector.hasMore() && !full) {
                later(takesMs, this::commitOneByOne);
            }
        }

        /** From now on the outbox accepts nothing but signs of life. */
        void fill() {
            full = true;
        }

        void hasRoom() {
            full = false;
        }

        private void commit() {
            var portion = untaken.orElseGet(collector::take);
            untaken = Optional.of(portion).filter(any -> full);
            collector.hold(full);
            if (full) {
                writer = collector.signOfLife(now);
            } else {
                keep(portion);
            }
        }

        private void keep(WindowCommit portion) {
            portion.changed()
                    .forEach((vm, state) ->
                            state.ifPresentOrElse(known -> checkpoints.put(vm, known), () -> checkpoints.remove(vm)));
            recorded = portion.receivedUntil().or(() -> recorded);
            windowStart = Optional.of(portion.windowStart());
            if (!silent && collector.missing().isEmpty()) {
                received.add(now);
            }
            writer = Predecessor.of(name, portion.settled(), now);
            inheritedGaps = portion.inheritedGaps().orElse(inheritedGaps);
            unsent.add(() -> {
                portion.charges().forEach(BillingWorld.this::receive);
                gaps.addAll(portion.gaps());
            });
            later(random.nextLong(5_000), this::send);
        }

        private void send() {
            unsent.forEach(Runnable::run);
            unsent.clear();
        }

        void kill() {
            collector = null;
            untaken = Optional.empty();
            leave(1_000 + random.nextLong(9_000));
        }

        void stop() {
            collector.tick(now);
            collector.flush(now);
            commit();
            while (collector.hasMore() && !full) {
                commit();
            }
            send();
            collector = null;
            untaken = Optional.empty();
            leave(random.nextLong(500));
        }

        private void leave(long noticedAfterMs) {
            var leaving = name;
            at(now.plusMillis(noticedAfterMs), () -> {
                members.remove(leaving);
                reported();
            });
        }
    }

    BillingWorld(Random random, int size) {
        this.random = random;
        for (int slot = 0; slot < size; slot++) {
            processes.add(new Process(slot));
        }
    }

    /** Starts all processes together; they receive everything before the first VM. */
    void begin() {
        processes.forEach(Process::start);
        run(Duration.ofSeconds(10));
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

    Instant now() {
        return now;
    }

    void at(Instant when, Runnable what) {
        queue.add(new Due(when, numbers++, what));
    }

    /** All processes observe the present processes, with a delay. */
    private void reported() {
        processes.stream()
                .filter(Process::isAlive)
                .forEach(process ->
                        process.later(random.nextLong(1_000), () -> process.observed = List.copyOf(members)));
    }

    /** VMs begin, change and end for about that long. */
    void live(int seconds) {
        for (int i = 0; i < seconds; i++) {
            if (random.nextInt(3) == 0) {
                changeSomething();
            }
            run(Duration.ofMillis(200 + random.nextInt(1_600)));
        }
    }

    private void changeSomething() {
        var vm = ReportedCharges.vm(Integer.toString(random.nextInt(lives.size() < 8 ? 8 : 14)));
        var life = lives.computeIfAbsent(vm, id -> new Life());
        if (life.gone) {
            return;
        }
        if (life.use.isPresent() && random.nextInt(3) > 0) {
            change(vm, Optional.of(new VmUse.Use(life.use.get().endpoint(), size())), false);
        } else if (life.use.isPresent() && random.nextInt(6) == 0) {
            life.becomes(Optional.empty(), now, false);
            life.gone = true;
            reportAll(process -> process.collector.gone(vm, now));
        } else if (life.use.isPresent() && random.nextInt(3) == 0) {
            change(vm, Optional.empty(), true);
        } else {
            change(vm, Optional.of(new VmUse.Use("ep-" + random.nextInt(2), size())), true);
        }
    }

    private long size() {
        return 250L * (1 + random.nextInt(8));
    }

    private void change(VmId vm, Optional<VmUse.Use> use, boolean recorded) {
        var life = lives.get(vm);
        boolean payer = !use.map(VmUse.Use::endpoint).equals(life.use.map(VmUse.Use::endpoint));
        life.becomes(use, now, recorded && payer);
        life.version = ++version;
        var observation = observation(vm, life);
        reportAll(process -> process.collector.observed(observation, now));
    }

    private static VmUse observation(VmId vm, Life life) {
        return new VmUse(vm, life.version, life.use, life.changedAt);
    }

    private List<VmUse> lives() {
        return lives.entrySet().stream()
                .filter(life -> !life.getValue().gone)
                .map(life -> observation(life.getKey(), life.getValue()))
                .toList();
    }

    private void reportAll(Consumer<Process> what) {
        if (!silent) {
            processes.stream().filter(Process::isAlive).forEach(process -> process.receive(() -> what.accept(process)));
        }
    }

    /** No process receives anything for that time; then a full list follows. */
    void fallSilent(Duration length) {
        if (silent) {
            return;
        }
        silent = true;
        at(now.plus(length), () -> {
            silent = false;
            processes.stream().filter(Process::isAlive).forEach(Process::list);
        });
    }

    private void receive(UsageRecord charge) {
        var key = charge.start() + "/" + charge.key().vm().uid() + "/"
                + charge.key().endpoint();
        kept.putIfAbsent(key, charge);
    }

    /** Starts the processes that are away, and delivers what is due. Returns the time of the end. */
    Instant close() {
        processes.stream().filter(process -> !process.isAlive()).forEach(Process::start);
        live(120);
        lives.values().stream()
                .filter(life -> life.use.isPresent())
                .forEach(life -> life.becomes(life.use, now, false));
        var until = now;
        run(Duration.ofSeconds(90));
        return until;
    }
}
