package io.sluice.ledger.core.histories;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.core.LastPermitTrust;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerNotice;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.core.ObservationReply;
import io.sluice.ledger.core.Scene;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.Reservation;
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
 * Two nodes, a VM that migrates from one to the other, and other VMs that take all the room they can get at the target.
 * The model also has the agents, the role that migrates VMs, and the role that observes pods. Observations wait, repeat
 * and overtake each other.
 */
final class MigrationWorld {
    static final String FROM = "from";
    static final String TO = "to";
    private static final String MIGRATION = "move";
    static final String HOLDER = HoldRoom.forMigration("ns", MIGRATION);
    private static final Duration TTL = Duration.ofSeconds(120);
    static final Resources SIZE = new Resources(6000, 1000);

    /** The real progress of the migration, whatever the ledger has observed. */
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
    private final boolean losesLedgerState;
    private final Random random;
    private final NodeLedger ledger = new NodeLedger(Scene.rules(0.1, LastPermitTrust.RECOVERY));
    final Map<String, NodeState> states = new HashMap<>();
    private final List<Sent> observations = new ArrayList<>();
    private final Map<String, PodObserved> pods = new LinkedHashMap<>();
    private final Map<String, LoadNode> fullLists = new HashMap<>();
    final List<MovingVm> neighbours = new ArrayList<>();
    final MovingVm vm;
    Stage stage = Stage.STAYS;
    Instant now = Instant.parse("2026-11-21T00:00:00Z");
    private Instant heldAt = now;
    private long version = 1;
    private long incarnation = 1_000_000;
    private final List<Request> requested = new ArrayList<>();
    int tries;
    private int attempts;
    boolean lost;
    String what = "";

    /** A request for the migration, as a late copy of it may arrive. */
    private record Request(String node, LedgerCommand<?> command) {}

    /** An observation under way, or one that may be repeated. */
    private record Sent(String node, LedgerCommand<ObservationReply> observation) {}

    /**
     * Creates the world.
     *
     * @param held whether room is held for the migration, as for all that Sluice begins itself
     * @param losesLedgerState whether a node's ledger state is lost now and then
     */
    MigrationWorld(long seed, boolean held, boolean losesLedgerState) {
        this.seed = seed;
        this.held = held;
        this.losesLedgerState = losesLedgerState;
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
            case 0, 1, 2 -> vm.request(this::run, random, now);
            case 3 -> vm.grow(now);
            case 4 -> shrink();
            case 5 -> vm.repeatSomethingOld(this::run, random);
            case 6, 7 -> fleet();
            case 8, 9, 10 -> receive();
            case 11 -> report(vm.node, new LedgerCommand.ObserveVm(observed(vm)));
            case 12 -> holdAgain();
            case 13 -> loseLedgerState();
            case 14 -> observeTargetAnew();
            case 15 -> takeFullList();
            case 16, 17 -> repeatSomethingOld();
            default -> progress();
        }
        renewInTime();
        run(TO, new LedgerCommand.Tick());
        MigrationRules.check(this, step);
    }

    /** Sends a copy of any request of this attempt or an earlier one. */
    private void repeatSomethingOld() {
        if (!requested.isEmpty()) {
            var request = requested.get(random.nextInt(requested.size()));
            run(request.node(), request.command());
        }
    }

    private <A> A request(String node, LedgerCommand<A> command) {
        requested.add(new Request(node, command));
        return run(node, command);
    }

    private String attempt() {
        return "attempt-" + attempts;
    }

    private void shrink() {
        vm.shrink(now);
        report(vm.node, new LedgerCommand.ObserveVm(observed(vm)));
    }

    private void fleet() {
        var neighbour = neighbours.get(random.nextInt(neighbours.size()));
        neighbour.request(this::run, random, now);
        neighbour.grow(now);
    }

    private <A> A run(String node, LedgerCommand<A> command) {
        what = node + " " + command;
        var before = states.getOrDefault(node, NodeState.blank(node));
        var outcome = ledger.apply(before, command, now, ++incarnation);
        assertThat(outcome.notices())
                .as("seed %d", seed)
                .noneMatch(notice -> notice instanceof LedgerNotice.InvariantsBroken);
        states.put(node, outcome.state());
        return outcome.reply();
    }

    /** Half of all observations arrive at once, the others sooner or later, and any of them again. */
    private void report(String node, LedgerCommand<ObservationReply> observation) {
        observations.add(new Sent(node, observation));
        if (random.nextBoolean()) {
            deliver(observations.getLast());
        }
    }

    private void receive() {
        if (!observations.isEmpty()) {
            deliver(observations.get(random.nextInt(observations.size())));
        }
    }

    /**
     * Without a hold, or after a loss of the state with the hold, the VM counts nowhere if the end of its old pod
     * arrives before the VM in its new pod. The publisher of observations keeps that order.
     */
    private void deliver(Sent sent) {
        boolean ends = sent.observation() instanceof LedgerCommand.LosePod
                && sent.node().equals(FROM);
        if (!ends || held && !lost || isObservedThere()) {
            run(sent.node(), sent.observation());
        }
    }

    /** Whether the target node's ledger has observed that the VM runs there. */
    boolean isObservedThere() {
        return target().filter(reservation -> reservation.observations().vm().isPresent())
                .isPresent();
    }

    private Optional<Reservation> target() {
        return states.get(TO).reservations().find("target-" + tries);
    }

    /** One step of the migration, in the order that all parties keep. */
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
            case MOVED -> report(TO, new LedgerCommand.ObservePod(pods.get(vm.pod)));
        }
    }

    private Stage holdRoom() {
        var reserved = states.get(FROM)
                .reservations()
                .find(vm.pod)
                .map(reservation -> reservation.amounts().reserved());
        return hold(reserved.orElse(SIZE)) instanceof HoldReply.Held ? Stage.HELD : takenBack();
    }

    private HoldReply hold(Resources amounts) {
        heldAt = now;
        return request(
                TO,
                new LedgerCommand.Hold(
                        new HoldRoom(TO, HOLDER, "ns", MIGRATION, vm.name, amounts, Overcommit.OFF, TTL, attempt())
                                .knowing(states.get(TO).fullList().completedAt())));
    }

    private Stage mark() {
        var room = states.get(TO)
                .reservations()
                .find(HOLDER)
                .map(reservation -> reservation.amounts().reserved());
        var reply = request(
                FROM,
                new LedgerCommand.Mark(new MarkMigrating(
                        FROM, vm.pod, MarkMigrating.Cause.PRESSURE, room.orElse(Resources.NONE), attempt())));
        if (reply instanceof MarkReply.Marked) {
            return Stage.BEGUN;
        }
        return takenBack();
    }

    private Stage takenBack() {
        request(FROM, new LedgerCommand.Unmark(new UnmarkMigrating(FROM, vm.pod, attempt())));
        request(TO, new LedgerCommand.Release(HOLDER, attempt()));
        return Stage.STAYS;
    }

    private Stage land() {
        tries++;
        var target = "target-" + tries;
        pods.put(target, pod(target, vm.name, TO, readReserved(), MIGRATION));
        report(TO, new LedgerCommand.ObservePod(pods.get(target)));
        return Stage.LANDED;
    }

    /** What the target counts at: the larger of what it uses and what is reserved for it once it is marked. */
    private Resources readReserved() {
        var reply = request(
                FROM,
                new LedgerCommand.Mark(
                        new MarkMigrating(FROM, vm.pod, MarkMigrating.Cause.UNDER_WAY, Resources.NONE, attempt())));
        var reserved = reply instanceof MarkReply.Marked(var marked) ? marked : new Resources(vm.max, 1);
        return reserved.max(new Resources(vm.using, 1));
    }

    /** The pod is unchanged or has changed; what is reserved for its VM is read again in both cases. */
    private void observeTargetAnew() {
        if (stage == Stage.LANDED) {
            var known = pods.get("target-" + tries);
            long at = random.nextBoolean() ? known.version() : nextVersion();
            var again = new PodObserved(known.uid(), "ns", known.name(), TO, vm.name, at, readReserved(), 0, MIGRATION);
            pods.put(known.uid(), again);
            report(TO, new LedgerCommand.ObservePod(again));
        }
    }

    private Stage fail() {
        var target = "target-" + tries;
        pods.remove(target);
        report(TO, new LedgerCommand.LosePod(new PodGone(target, TO, nextVersion())));
        takenBack();
        coolDown();
        return Stage.STAYS;
    }

    /** The next attempt has the same name. It comes so much later that every observation of this one has arrived. */
    private void coolDown() {
        now = now.plus(Duration.ofMinutes(10));
        observations.forEach(this::deliver);
        observations.clear();
    }

    private Stage takeOver() {
        vm.moved(TO, "target-" + tries);
        report(TO, new LedgerCommand.ObserveVm(observed(vm)));
        return Stage.SWITCHED;
    }

    /** The source's pod ends. The target's pod shows the size that the VM was patched to last. */
    private Stage leave() {
        runIn(vm, new Resources(1, 1), "");
        report(TO, new LedgerCommand.ObservePod(pods.get(vm.pod)));
        pods.remove("vm-on-" + FROM);
        report(FROM, new LedgerCommand.LosePod(new PodGone("vm-on-" + FROM, FROM, nextVersion())));
        return Stage.MOVED;
    }

    /** The holder renews the hold in time, and sometimes late or twice. */
    private void holdAgain() {
        boolean begun = stage == Stage.BEGUN || stage == Stage.LANDED || target().isPresent();
        if (held && begun) {
            hold(room());
        }
    }

    private Resources room() {
        return states.get(TO)
                .reservations()
                .find(HOLDER)
                .map(reservation -> reservation.amounts().reserved())
                .orElse(new Resources(vm.max, 1));
    }

    private void renewInTime() {
        boolean stands = states.get(TO).reservations().find(HOLDER).isPresent();
        if (stands && stage != Stage.STAYS && now.isAfter(heldAt.plusSeconds(60))) {
            hold(room());
        }
    }

    private void loseLedgerState() {
        if (!losesLedgerState || random.nextInt(3) > 0) {
            return;
        }
        var node = random.nextBoolean() ? FROM : TO;
        if (node.equals(FROM) && vm.node.equals(TO) && !isObservedThere()) {
            return;
        }
        lost = true;
        states.put(node, NodeState.blank(node));
        now = now.plusSeconds(1 + random.nextInt(2) * 15L);
        observations.removeIf(sent -> sent.node().equals(node));
        load(node);
    }

    /**
     * A list from before the loss may come first. What has changed since the accepted list is observed right after it.
     */
    private void load(String node) {
        var fresh = fullList(node);
        var late = run(node, new LedgerCommand.Load(fullLists.getOrDefault(node, fresh)));
        run(node, new LedgerCommand.Load(fresh.relist(late.relist().orElseThrow())));
        for (var pod : fresh.pods()) {
            observations.add(new Sent(node, new LedgerCommand.ObservePod(pod)));
            run(node, observations.getLast().observation());
        }
        fresh.vms().forEach(one -> run(node, new LedgerCommand.ObserveVm(one)));
    }

    private LoadNode fullList(String node) {
        var there =
                pods.values().stream().filter(pod -> pod.node().equals(node)).toList();
        var observed = all().stream()
                .filter(one -> one.node.equals(node))
                .map(this::observed)
                .toList();
        return new LoadNode(new NodeObserved(node, nextVersion(), SIZE), nextVersion(), there, observed);
    }

    private void takeFullList() {
        fullLists.put(TO, fullList(TO));
        fullLists.put(FROM, fullList(FROM));
    }

    private List<MovingVm> all() {
        var all = new ArrayList<>(neighbours);
        all.add(vm);
        return all;
    }

    long reserved(String node, String pod) {
        return states.get(node)
                .reservations()
                .find(pod)
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

    private VmObserved observed(MovingVm guest) {
        return guest.observed(nextVersion());
    }
}
