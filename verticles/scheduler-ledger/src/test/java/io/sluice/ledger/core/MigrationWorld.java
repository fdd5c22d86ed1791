package io.sluice.ledger.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * Two nodes, a VM that moves from one to the other, neighbours that take all they can get where it goes, and everybody
 * who has a part in it: agents, those who move VMs, and those who see pods. Facts wait, repeat and overtake each other.
 */
final class MigrationWorld {
    static final String FROM = "from";
    static final String TO = "to";
    private static final String MIGRATION = "move";
    static final String HOLDER = HoldRoom.forMigration("ns", MIGRATION);
    private static final Duration TTL = Duration.ofSeconds(120);
    static final Resources SIZE = new Resources(6000, 1000);

    /** How far the move is in truth, whatever the books know. */
    enum Stage {
        STAYS,
        HELD,
        BEGUN,
        LANDED,
        SWITCHED,
        MOVED
    }

    final long seed;
    final boolean held;
    private final boolean losesBooks;
    private final Random random;
    private final NodeLedger ledger = new NodeLedger(Scene.rules(0.1, LastPermitTrust.RECOVERY));
    final Map<String, NodeState> books = new HashMap<>();
    private final List<Sent> facts = new ArrayList<>();
    private final Map<String, PodObserved> pods = new LinkedHashMap<>();
    private final Map<String, LoadNode> listings = new HashMap<>();
    final List<MovingVm> neighbours = new ArrayList<>();
    final MovingVm vm;
    Stage stage = Stage.STAYS;
    Instant now = Instant.parse("2026-11-21T00:00:00Z");
    private Instant heldAt = now;
    private long version = 1;
    private long incarnation = 1_000_000;
    private final List<Question> asked = new ArrayList<>();
    int tries;
    private int attempts;
    boolean lost;
    String what = "";

    /** Something that was asked about a move, as it may be heard once more. */
    private record Question(String node, LedgerCommand<?> command) {}

    /** A fact on its way, or as it may come again. */
    private record Sent(String node, LedgerCommand<ObservationReply> fact) {}

    /**
     * @param held whether room is held for the move, as for all that we begin ourselves
     * @param losesBooks whether the books of a node are lost now and then
     */
    MigrationWorld(long seed, boolean held, boolean losesBooks) {
        this.seed = seed;
        this.held = held;
        this.losesBooks = losesBooks;
        random = new Random(seed);
        vm = new MovingVm("vm", 500 + random.nextInt(3000), random.nextInt(6) > 0, FROM);
        for (int i = 0; i < 3; i++) {
            neighbours.add(new MovingVm("neighbour-" + i, 2000, true, TO));
        }
        runIn(vm, new Resources(vm.using, 1), "");
        neighbours.forEach(neighbour -> runIn(neighbour, new Resources(neighbour.using, 1), ""));
        pods.put("filler", pod("filler", "", FROM, new Resources(700, 1), ""));
        load(FROM);
        load(TO);
    }

    void step(int step) {
        now = now.plusMillis(random.nextInt(3000));
        switch (random.nextInt(19)) {
            case 0, 1, 2 -> vm.ask(this::run, random, now);
            case 3 -> vm.grow(now);
            case 4 -> shrink();
            case 5 -> vm.repeatSomethingOld(this::run, random);
            case 6, 7 -> crowd();
            case 8, 9, 10 -> hear();
            case 11 -> say(vm.node, new LedgerCommand.SeeVm(seen(vm)));
            case 12 -> holdAgain();
            case 13 -> loseBooks();
            case 14 -> seeTargetAnew();
            case 15 -> takeListing();
            case 16, 17 -> repeatSomethingOld();
            default -> progress();
        }
        renewInTime();
        run(TO, new LedgerCommand.Tick());
        MigrationRules.check(this, step);
    }

    /** A copy of a question, however old, of this attempt or an earlier one. */
    private void repeatSomethingOld() {
        if (!asked.isEmpty()) {
            var question = asked.get(random.nextInt(asked.size()));
            run(question.node(), question.command());
        }
    }

    private <A> A ask(String node, LedgerCommand<A> command) {
        asked.add(new Question(node, command));
        return run(node, command);
    }

    private String attempt() {
        return "attempt-" + attempts;
    }

    private void shrink() {
        vm.shrink(now);
        say(vm.node, new LedgerCommand.SeeVm(seen(vm)));
    }

    private void crowd() {
        var neighbour = neighbours.get(random.nextInt(neighbours.size()));
        neighbour.ask(this::run, random, now);
        neighbour.grow(now);
    }

    private <A> A run(String node, LedgerCommand<A> command) {
        what = node + " " + command;
        var before = books.getOrDefault(node, NodeState.blank(node));
        var outcome = ledger.apply(before, command, now, ++incarnation);
        assertThat(outcome.notices())
                .as("seed %d", seed)
                .noneMatch(notice -> notice instanceof LedgerNotice.InvariantsBroken);
        books.put(node, outcome.state());
        return outcome.reply();
    }

    /** Half of what is said is heard at once, the rest sooner or later, and any of it again. */
    private void say(String node, LedgerCommand<ObservationReply> fact) {
        facts.add(new Sent(node, fact));
        if (random.nextBoolean()) {
            deliver(facts.getLast());
        }
    }

    private void hear() {
        if (!facts.isEmpty()) {
            deliver(facts.get(random.nextInt(facts.size())));
        }
    }

    /**
     * Where no room is held for the move, or the books that held it were lost, it counts nowhere if its old pod's end
     * is heard of before the VM in its new one: whoever publishes facts sees to that order.
     */
    private void deliver(Sent sent) {
        boolean ends =
                sent.fact() instanceof LedgerCommand.LosePod && sent.node().equals(FROM);
        if (!ends || held && !lost || isHeardOfThere()) {
            run(sent.node(), sent.fact());
        }
    }

    /** Whether the books of the node that it moves to know that the VM runs there. */
    boolean isHeardOfThere() {
        return target().filter(member -> member.seen().vm().isPresent()).isPresent();
    }

    private Optional<Reservation> target() {
        return books.get(TO).members().find("target-" + tries);
    }

    /** One step of the move, in the order that everybody keeps. */
    private void progress() {
        switch (stage) {
            case STAYS -> {
                attempts++;
                stage = held ? holdRoom() : Stage.BEGUN;
            }
            case HELD -> stage = mark();
            case BEGUN -> stage = land();
            case LANDED -> stage = random.nextInt(3) == 0 ? fail() : takeOver();
            case SWITCHED -> stage = leave();
            case MOVED -> say(TO, new LedgerCommand.SeePod(pods.get(vm.pod)));
        }
    }

    private Stage holdRoom() {
        var booked = books.get(FROM)
                .members()
                .find(vm.pod)
                .map(member -> member.amounts().reserved());
        return hold(booked.orElse(SIZE)) instanceof HoldReply.Held ? Stage.HELD : takenBack();
    }

    private HoldReply hold(Resources amounts) {
        heldAt = now;
        return ask(
                TO,
                new LedgerCommand.Hold(
                        new HoldRoom(TO, HOLDER, "ns", MIGRATION, vm.name, amounts, Overcommit.OFF, TTL, attempt())));
    }

    private Stage mark() {
        var room = books.get(TO)
                .members()
                .find(HOLDER)
                .map(member -> member.amounts().reserved());
        var reply = ask(
                FROM,
                new LedgerCommand.Mark(new MarkMigrating(
                        FROM, vm.pod, MarkMigrating.Cause.PRESSURE, room.orElse(Resources.NONE), attempt())));
        if (reply instanceof MarkReply.Marked) {
            return Stage.BEGUN;
        }
        return takenBack();
    }

    private Stage takenBack() {
        ask(FROM, new LedgerCommand.Unmark(new UnmarkMigrating(FROM, vm.pod, attempt())));
        ask(TO, new LedgerCommand.Release(HOLDER, attempt()));
        return Stage.STAYS;
    }

    private Stage land() {
        tries++;
        var target = "target-" + tries;
        pods.put(target, pod(target, vm.name, TO, readReserved(), MIGRATION));
        say(TO, new LedgerCommand.SeePod(pods.get(target)));
        return Stage.LANDED;
    }

    /** What the target counts at: the larger of what it uses and what is reserved for it once it is marked. */
    private Resources readReserved() {
        var reply = ask(
                FROM,
                new LedgerCommand.Mark(
                        new MarkMigrating(FROM, vm.pod, MarkMigrating.Cause.UNDER_WAY, Resources.NONE, attempt())));
        var reserved = reply instanceof MarkReply.Marked(var marked) ? marked : new Resources(vm.max, 1);
        return reserved.max(new Resources(vm.using, 1));
    }

    /** The pod is as it was or has changed; what its VM has reserved is read anew either way. */
    private void seeTargetAnew() {
        if (stage == Stage.LANDED) {
            var known = pods.get("target-" + tries);
            long at = random.nextBoolean() ? known.version() : nextVersion();
            var again = new PodObserved(known.uid(), "ns", known.name(), TO, vm.name, at, readReserved(), 0, MIGRATION);
            pods.put(known.uid(), again);
            say(TO, new LedgerCommand.SeePod(again));
        }
    }

    private Stage fail() {
        var target = "target-" + tries;
        pods.remove(target);
        say(TO, new LedgerCommand.LosePod(new PodGone(target, TO, nextVersion())));
        takenBack();
        coolDown();
        return Stage.STAYS;
    }

    /** The next try has the same name: it comes so much later that every fact of this one has been heard. */
    private void coolDown() {
        now = now.plus(Duration.ofMinutes(10));
        facts.forEach(this::deliver);
        facts.clear();
    }

    private Stage takeOver() {
        vm.moved(TO, "target-" + tries);
        say(TO, new LedgerCommand.SeeVm(seen(vm)));
        return Stage.SWITCHED;
    }

    /** The pod of now is the VM's own, and shows the size that its VM was told last. */
    private Stage leave() {
        runIn(vm, new Resources(1, 1), "");
        say(TO, new LedgerCommand.SeePod(pods.get(vm.pod)));
        pods.remove("vm-on-" + FROM);
        say(FROM, new LedgerCommand.LosePod(new PodGone("vm-on-" + FROM, FROM, nextVersion())));
        return Stage.MOVED;
    }

    /** Whoever holds room asks for it again in time, and late or twice as well. */
    private void holdAgain() {
        boolean begun = stage == Stage.BEGUN || stage == Stage.LANDED || target().isPresent();
        if (held && begun) {
            hold(room());
        }
    }

    private Resources room() {
        return books.get(TO)
                .members()
                .find(HOLDER)
                .map(member -> member.amounts().reserved())
                .orElse(new Resources(vm.max, 1));
    }

    private void renewInTime() {
        boolean stands = books.get(TO).members().find(HOLDER).isPresent();
        if (stands && stage != Stage.STAYS && now.isAfter(heldAt.plusSeconds(60))) {
            hold(room());
        }
    }

    private void loseBooks() {
        if (!losesBooks || random.nextInt(3) > 0) {
            return;
        }
        var node = random.nextBoolean() ? FROM : TO;
        if (node.equals(FROM) && vm.node.equals(TO) && !isHeardOfThere()) {
            return;
        }
        lost = true;
        books.put(node, NodeState.blank(node));
        now = now.plusSeconds(random.nextInt(2) * 15L);
        facts.removeIf(sent -> sent.node().equals(node));
        load(node);
    }

    /** One from before the loss may come first; what has changed since the one that is taken is told right after it. */
    private void load(String node) {
        var fresh = listing(node);
        var late = run(node, new LedgerCommand.Load(listings.getOrDefault(node, fresh)));
        run(node, new LedgerCommand.Load(fresh.relist(late.relist().orElseThrow())));
        for (var pod : fresh.pods()) {
            facts.add(new Sent(node, new LedgerCommand.SeePod(pod)));
            run(node, facts.getLast().fact());
        }
        fresh.vms().forEach(one -> run(node, new LedgerCommand.SeeVm(one)));
    }

    private LoadNode listing(String node) {
        var there =
                pods.values().stream().filter(pod -> pod.node().equals(node)).toList();
        var seen = all().stream()
                .filter(one -> one.node.equals(node))
                .map(this::seen)
                .toList();
        return new LoadNode(new NodeObserved(node, nextVersion(), SIZE), nextVersion(), there, seen);
    }

    private void takeListing() {
        listings.put(TO, listing(TO));
        listings.put(FROM, listing(FROM));
    }

    private List<MovingVm> all() {
        var all = new ArrayList<>(neighbours);
        all.add(vm);
        return all;
    }

    long reserved(String node, String member) {
        return books.get(node)
                .members()
                .find(member)
                .map(found -> found.amounts().reserved().milliCpu())
                .orElse(0L);
    }

    private long nextVersion() {
        version++;
        return version;
    }

    private void runIn(MovingVm guest, Resources shown, String migration) {
        pods.put(guest.pod, pod(guest.pod, guest.name, guest.node, shown, migration));
    }

    private PodObserved pod(String uid, String vmName, String node, Resources amounts, String migration) {
        return new PodObserved(uid, "ns", uid, node, vmName, nextVersion(), amounts, 0, migration);
    }

    private VmObserved seen(MovingVm guest) {
        return guest.seen(nextVersion());
    }
}
