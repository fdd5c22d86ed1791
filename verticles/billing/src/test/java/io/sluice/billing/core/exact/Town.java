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
 * Some processes that bill the same VMs, in made-up time. All hear the same facts, each a little later; they come,
 * stop, are killed, and each learns of that after a while. What they harvest is durable, and reaches a receiver who
 * keeps the first charge of each key.
 */
final class Town {
    static final Duration WINDOW = Duration.ofSeconds(24);
    static final Instant T = Instant.parse("2026-03-01T00:00:00Z");
    static final Duration DELAY_MOST = Duration.ofMillis(300);

    /** What one heard is written down by then. */
    static final Duration HARVESTED_WITHIN = Duration.ofSeconds(6);

    final Map<VmId, Life> lives = new LinkedHashMap<>();
    final Map<String, UsageRecord> kept = new LinkedHashMap<>();
    final List<Gap> gaps = new ArrayList<>();
    final List<Process> processes = new ArrayList<>();

    /** When somebody wrote down what he had heard. */
    final NavigableSet<Instant> heard = new TreeSet<>();

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

    /** What a VM was, from when to when; who pays changes at whole seconds, as that is recorded so. */
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

    /** A stretch of a VM's life in which nothing changed. */
    record Piece(Instant from, Instant to, VmUse.Use use) {}

    /** One that bills, is away, and bills again. */
    final class Process {
        private final int slot;
        private final Map<VmId, UsageMeterState> notes = new HashMap<>();
        private final List<Runnable> unsent = new ArrayList<>();
        private Optional<Instant> noted = Optional.empty();
        private Optional<Instant> windowStart = Optional.empty();
        private Predecessor writer = ReportedCharges.alone(T);
        private List<Gap> doubts = List.of();
        private List<String> seen = List.of();
        private Instant heardLast = T;
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
            seen = List.copyOf(members);
            told();
            var terms =
                    new ExactCollector.Terms(WINDOW, Duration.ofSeconds(5), new BillingPeers(name, true, () -> seen));
            collector = noted.map(heard -> ExactCollector.resume(
                            terms,
                            new ExactCollector.Notes(List.copyOf(notes.values()), heard, windowStart, writer, doubts),
                            now))
                    .orElseGet(() -> new ExactCollector(terms, now));
            later(100 + random.nextLong(2_500), this::list);
            later(random.nextLong(1_000), this::second);
            later(4_000, this::harvestAgain);
            later(1_000 + random.nextLong(5_000), this::send);
        }

        /** Only while this life lasts. */
        private void later(long ms, Runnable what) {
            int life = lives;
            at(now.plusMillis(ms), () -> {
                if (life == lives && isAlive()) {
                    what.run();
                }
            });
        }

        /** In the order in which it was said. */
        private void hear(Runnable what) {
            var at = now.plusMillis(random.nextLong(DELAY_MOST.toMillis()));
            heardLast = at.isAfter(heardLast) ? at : heardLast;
            later(Duration.between(now, heardLast).toMillis() + 1, what);
        }

        private void list() {
            if (silent) {
                later(1_000, this::list);
                return;
            }
            lives().forEach(fact -> hear(() -> collector.seen(fact, now)));
            hear(() -> collector.listed(now));
        }

        private void second() {
            collector.tick(now);
            if (!silent) {
                hear(() -> collector.watched(now));
            }
            later(1_000, this::second);
        }

        private void harvestAgain() {
            harvestOneByOne();
            later(4_000, this::harvestAgain);
        }

        /** Each takes its time, and there may be a kill in between. */
        private void harvestOneByOne() {
            harvest();
            long takesMs = random.nextLong(1_500);
            if (collector.hasMore() && !full) {
                later(takesMs, this::harvestOneByOne);
            }
        }

        /** Nothing is taken from now on, but that it lives. */
        void fill() {
            full = true;
        }

        void hasRoom() {
            full = false;
        }

        private void harvest() {
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
                            state.ifPresentOrElse(known -> notes.put(vm, known), () -> notes.remove(vm)));
            noted = portion.heardUntil().or(() -> noted);
            windowStart = Optional.of(portion.windowStart());
            if (!silent && collector.missing().isEmpty()) {
                heard.add(now);
            }
            writer = Predecessor.of(name, portion.settled(), now);
            doubts = portion.doubts().orElse(doubts);
            unsent.add(() -> {
                portion.charges().forEach(Town.this::receive);
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
            harvest();
            while (collector.hasMore() && !full) {
                harvest();
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
                told();
            });
        }
    }

    Town(Random random, int size) {
        this.random = random;
        for (int slot = 0; slot < size; slot++) {
            processes.add(new Process(slot));
        }
    }

    /** All start together, and hear everything before there is anything. */
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

    /** Everybody sees who is there, a little later. */
    private void told() {
        processes.stream()
                .filter(Process::isAlive)
                .forEach(process -> process.later(random.nextLong(1_000), () -> process.seen = List.copyOf(members)));
    }

    /** VMs come, change and go for that long, about. */
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
            sayAll(process -> process.collector.gone(vm, now));
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
        var fact = fact(vm, life);
        sayAll(process -> process.collector.seen(fact, now));
    }

    private static VmUse fact(VmId vm, Life life) {
        return new VmUse(vm, life.version, life.use, life.changedAt);
    }

    private List<VmUse> lives() {
        return lives.entrySet().stream()
                .filter(life -> !life.getValue().gone)
                .map(life -> fact(life.getKey(), life.getValue()))
                .toList();
    }

    private void sayAll(Consumer<Process> what) {
        if (!silent) {
            processes.stream().filter(Process::isAlive).forEach(process -> process.hear(() -> what.accept(process)));
        }
    }

    /** Nobody hears anything for a while; then all are listed. */
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

    /** Whoever is away comes back, and what is due arrives. Answers until when. */
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
