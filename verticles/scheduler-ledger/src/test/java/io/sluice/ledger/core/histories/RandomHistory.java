package io.sluice.ledger.core.histories;

import io.sluice.devices.NodeDevices;
import io.sluice.ledger.core.CommandOutcome;
import io.sluice.ledger.core.LastPermitTrust;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.core.RandomGpus;
import io.sluice.ledger.core.Scene;
import io.sluice.ledger.core.Vm;
import io.sluice.ledger.core.state.AgentSession;
import io.sluice.ledger.core.state.NewReservation;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.AttemptId;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.KeepRoom;
import io.sluice.messages.ledger.KeptRoom;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.Reclaim;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.messages.ledger.grant.GrantQuery;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** A random history of commands on one node, valid or not, by its seed. */
final class RandomHistory {
    private static final int NAMES = 8;
    private static final int OF_A_NODE = 8;
    private static final Resources UNIT = new Resources(250, 1 << 20);

    private final Random random;
    private final RandomGpus gpus;
    private final RandomZones zones;
    private final boolean withZones;
    private final LastPermitTrust trust;
    private LedgerRules rules;
    private NodeLedger ledger;
    private NodeState state = NodeState.blank(Scene.NODE);
    private Instant now = Instant.EPOCH;
    private long version = 100;
    private long incarnation = 1_000_000;

    RandomHistory(long seed) {
        random = new Random(seed);
        gpus = new RandomGpus(random);
        zones = new RandomZones(random);
        withZones = random.nextBoolean();
        trust = random.nextInt(4) == 0 ? LastPermitTrust.ALWAYS : LastPermitTrust.RECOVERY;
        rule();
    }

    /** The operator changes the watermark. */
    private void rule() {
        rules = Scene.rules(0.5 + random.nextInt(6) / 10.0, trust);
        ledger = new NodeLedger(rules);
    }

    /** Time passes; the next command follows. */
    LedgerCommand<?> next() {
        now = now.plusMillis(random.nextInt(3000));
        incarnation++;
        return command();
    }

    /** What the command does now; the history goes on from there only where that is {@link #apply applied}. */
    <A> CommandOutcome<A> outcome(LedgerCommand<A> command) {
        return ledger.apply(state, command, now, incarnation);
    }

    void apply(CommandOutcome<?> outcome) {
        state = outcome.state();
    }

    NodeState state() {
        return state;
    }

    LedgerRules rules() {
        return rules;
    }

    Instant now() {
        return now;
    }

    /** The state, or the same on a node that is ready, complete and almost full. */
    NodeState nearlyFull() {
        var from = random.nextInt(4) == 0 ? withHold() : state;
        var reserved = from.sums().reserved();
        if (random.nextInt(4) == 0 || reserved.equals(Resources.NONE)) {
            return from;
        }
        var total = reserved.plus(new Resources(random.nextInt(1500), random.nextLong(2L << 20)))
                .minus(new Resources(random.nextInt(500), random.nextLong(1L << 19)));
        return sized(from, total);
    }

    /** The state with a hold for another pod, if the ledger grants one with more room. */
    private NodeState withHold() {
        var roomy = sized(state, state.sums().reserved().plus(amount()).plus(amount()));
        return new NodeLedger(rules)
                .apply(roomy, new LedgerCommand.Hold(room("held")), now, 0)
                .state();
    }

    private NodeState sized(NodeState from, Resources total) {
        var size = from.size();
        var full = new NodeState.Size(
                size.version(),
                total,
                rules.watermark(total),
                size.goneAt(),
                random.nextInt(8) == 0 ? size.notReady() : Optional.empty(),
                size.fixed().plus(fixed(6)),
                size.devices());
        var list = from.fullList();
        return from.with(full).with(NodeState.FullListState.taken(list.version(), list.loadedAt()));
    }

    /** A request for room that no command of the history makes. */
    GrantQuery query() {
        if (random.nextBoolean()) {
            var target = random.nextInt(3) == 0
                    ? Resources.NONE
                    : amount().plus(amount()).max(new Resources(1, 1));
            var requested = state.reservations().all().stream()
                    .filter(reservation -> reservation.session().isOpen())
                    .toList();
            var pod = requested.isEmpty()
                    ? name()
                    : requested.get(random.nextInt(requested.size())).id();
            return new GrantQuery.OfPermit(Scene.NODE, pod, target);
        }
        var holder = random.nextInt(8) == 0 ? holder() : "new-" + random.nextInt(4);
        return new GrantQuery.OfHold(room(holder), random.nextInt(4) == 0);
    }

    private HoldRoom room(String holder) {
        return new HoldRoom(
                Scene.NODE,
                holder,
                "ns",
                holder,
                "vm",
                amount(),
                factor(),
                Duration.ofSeconds(20),
                HoldRoom.isForMigration(holder) ? attempt() : AttemptId.NONE,
                random.nextBoolean() ? fixed(3) : FixedAmounts.NONE,
                random.nextInt(8) == 0 ? gpus.requests() : List.of(),
                random.nextInt(3));
    }

    private LedgerCommand<?> command() {
        return switch (random.nextInt(27)) {
            case 0 -> new LedgerCommand.ObserveNode(node());
            case 1 ->
                random.nextInt(8) == 0
                        ? new LedgerCommand.LoseNode(new NodeGone(Scene.NODE, someVersion()))
                        : new LedgerCommand.Tick();
            case 2 -> random.nextInt(3) == 0 ? load() : new LedgerCommand.Tick();
            case 3 -> new LedgerCommand.ObservePod(pod(name()));
            case 4, 5, 6 -> new LedgerCommand.ObserveVm(vm());
            case 7 ->
                random.nextInt(4) == 0
                        ? new LedgerCommand.LosePod(new PodGone(name(), Scene.NODE, someVersion()))
                        : new LedgerCommand.ObservePod(pod(name()));
            case 8 ->
                new LedgerCommand.Open(
                        new OpenSession(Scene.NODE, name(), "runner-" + random.nextInt(2), random.nextInt(3)));
            case 9 ->
                new LedgerCommand.ReclaimReservation(new Reclaim(Scene.NODE, name(), amount(), Reclaim.ANY_SESSION));
            case 10 -> new LedgerCommand.Hold(reservation(), Duration.ofSeconds(1 + random.nextInt(20)));
            case 11 -> random.nextBoolean() ? new LedgerCommand.Bind(reservation()) : new LedgerCommand.Confirm(name());
            case 12 ->
                random.nextBoolean()
                        ? new LedgerCommand.Release(name())
                        : new LedgerCommand.Unmark(new UnmarkMigrating(Scene.NODE, name(), attempt()));
            case 13 -> mark();
            case 14, 15 -> new LedgerCommand.ObservePod(target());
            case 16 -> holdForMigration();
            case 17 -> random.nextInt(4) == 0 ? reweigh() : new LedgerCommand.Release(holder(), attempt());
            case 18 -> keep();
            default -> request();
        };
    }

    private LedgerCommand<?> keep() {
        var uid = random.nextInt(3) == 0 ? KeptRoom.OF_WORKLOAD + "w" : name();
        var room = new KeptRoom(Scene.NODE, uid, "ns/" + uid, amount(), FixedAmounts.NONE, random.nextInt(3));
        return new LedgerCommand.Keep(new KeepRoom(room, Duration.ofSeconds(random.nextInt(61))));
    }

    private LedgerCommand<?> mark() {
        var causes = MarkMigrating.Cause.values();
        var room = random.nextBoolean() ? new Resources(4000, 4L << 20) : amount();
        return new LedgerCommand.Mark(
                new MarkMigrating(Scene.NODE, name(), causes[random.nextInt(causes.length)], room, attempt()));
    }

    private LedgerCommand<?> holdForMigration() {
        var reservation = withFixed(Scene.reservation(holder(), "vm", amount(), factor()));
        return switch (random.nextInt(4)) {
            case 0 -> new LedgerCommand.Confirm(holder());
            case 1 -> new LedgerCommand.Bind(reservation);
            default ->
                new LedgerCommand.Hold(
                        reservation, Duration.ofSeconds(1 + random.nextInt(60)), attempt(), 0, Optional.empty());
        };
    }

    private String attempt() {
        return "attempt-" + random.nextInt(6);
    }

    private String holder() {
        return HoldRoom.forMigration("ns", migration());
    }

    private String migration() {
        return "move-" + random.nextInt(4);
    }

    private PodObserved target() {
        var name = name();
        return new PodObserved(
                        name,
                        "ns",
                        name,
                        Scene.NODE,
                        random.nextInt(8) == 0 ? "" : name,
                        someVersion(),
                        amount(),
                        0,
                        migration(),
                        fixed(3))
                .with(gpus.demand());
    }

    private LedgerCommand<?> reweigh() {
        rule();
        return random.nextBoolean() ? new LedgerCommand.Reweigh() : new LedgerCommand.Tick();
    }

    private LedgerCommand<?> request() {
        var name = name();
        var agent = state.reservations().find(name).map(Reservation::session).orElse(AgentSession.NONE);
        long session = Math.max(1, agent.session() + (random.nextInt(10) == 0 ? random.nextInt(3) - 1 : 0));
        var runner = random.nextInt(10) == 0 ? "runner-0" : agent.runner();
        long seq = Math.max(1, agent.seq() + (random.nextInt(10) == 0 ? random.nextInt(3) - 1 : 1));
        var claim = random.nextInt(3) == 0 ? Optional.of(amount()) : Optional.<Resources>empty();
        var load = random.nextBoolean() ? Optional.of(random.nextFloat()) : Optional.<Float>empty();
        var unit = random.nextInt(30) == 0 ? Resources.NONE : UNIT;
        return new LedgerCommand.RequestPermit(
                new PermitRequest(Scene.NODE, name, runner, session, seq, unit, amount(), claim, load),
                random.nextInt(20) == 0);
    }

    private LedgerCommand<?> load() {
        List<PodObserved> pods = new ArrayList<>();
        var vms = new ArrayList<Vm>();
        for (int i = 0; i < NAMES; i++) {
            if (random.nextBoolean()) {
                pods.add(random.nextInt(4) == 0 ? target() : pod("m" + i));
                vms.add(vm("m" + i));
            }
        }
        var observations = vms.stream().map(vm -> vm.at(someVersion())).toList();
        long listed = random.nextInt(10) == 0 ? 1 : someVersion();
        var fullList = new LoadNode(node(), listed, pods, observations);
        boolean named = !state.fullList().complete() || random.nextInt(4) == 0;
        return new LedgerCommand.Load(
                named ? state.fullList().relist().map(fullList::relist).orElse(fullList) : fullList);
    }

    private NodeObserved node() {
        return new NodeObserved(
                Scene.NODE,
                someVersion(),
                new Resources(random.nextInt(12_000), random.nextLong(12L << 20)),
                "",
                List.of(),
                random.nextInt(4) > 0,
                fixed(OF_A_NODE),
                withZones ? gpus.node().with(zones.report(state)) : gpus.node());
    }

    private PodObserved pod(String name) {
        var vmName = name.equals("m0") ? "" : name;
        return new PodObserved(name, "ns", name, Scene.NODE, vmName, someVersion(), amount(), 0, "", fixed(3))
                .with(gpus.demand());
    }

    private FixedAmounts fixed(int most) {
        var fixed = FixedAmounts.of(
                Map.of("pods", (long) random.nextInt(most), NodeDevices.WHOLE_DEVICES, (long) random.nextInt(most)));
        return withZones && most != OF_A_NODE ? fixed.plus(zones.aligned()) : fixed;
    }

    private Vm vm(String name) {
        var max = amount();
        var min = max.min(amount());
        var phase = random.nextInt(10) == 0 ? VmPhase.MIGRATING : VmPhase.RUNNING;
        var approved = random.nextInt(5) == 0 ? Optional.of(amount()) : Optional.<Resources>empty();
        var fence = List.of("", "r-1+1/0", ClaimVm.reclaimer("1")).get(random.nextInt(3));
        return new Vm(name, min, max, amount(), random.nextInt(5) > 0, phase, factor(), approved, fence);
    }

    private VmObserved vm() {
        var name = name();
        return vm(name).at(someVersion(), name, random.nextBoolean(), random.nextInt(4) == 0);
    }

    private NewReservation withFixed(NewReservation room) {
        return new NewReservation(room.pod(), room.amounts(), room.overcommit(), fixed(3), gpus.requests());
    }

    private NewReservation reservation() {
        var name = name();
        return withFixed(Scene.reservation(name, name.equals("m0") ? "" : name, amount(), factor()));
    }

    private Overcommit factor() {
        return random.nextBoolean()
                ? Overcommit.OFF
                : new Overcommit(300 + random.nextInt(3000), 300 + random.nextInt(3000));
    }

    /** Mostly newer than all before, sometimes older or the same. */
    private long someVersion() {
        version++;
        return random.nextInt(6) == 0 ? version - random.nextInt(20) : version;
    }

    private Resources amount() {
        return new Resources(random.nextInt(4000), random.nextInt(20) == 0 ? 0 : random.nextLong(4L << 20));
    }

    private String name() {
        return "m" + random.nextInt(NAMES);
    }
}
