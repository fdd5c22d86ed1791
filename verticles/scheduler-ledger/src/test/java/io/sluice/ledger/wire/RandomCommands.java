package io.sluice.ledger.wire;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.RandomGpus;
import io.sluice.ledger.core.histories.RandomZones;
import io.sluice.ledger.core.state.NewReservation;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.PodIdentity;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.messages.ledger.AttemptId;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.KeepRoom;
import io.sluice.messages.ledger.KeptRoom;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.Reclaim;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Any command to a node, valid or not: every type occurs, and most requests are in the order of their session. */
final class RandomCommands {
    static final String NODE = "node-1";
    private static final int NAMES = 8;
    private static final Resources UNIT = new Resources(250, 1 << 20);

    private final Random random;
    private final RandomGpus gpus;
    private final RandomZones zones;
    private long version = 100;

    RandomCommands(Random random) {
        this.random = random;
        gpus = new RandomGpus(random);
        zones = new RandomZones(random);
    }

    LedgerCommand<?> next(NodeState state) {
        return switch (random.nextInt(21)) {
            case 0 -> new LedgerCommand.ObserveNode(node(state));
            case 1 -> random.nextInt(8) == 0 ? loseNode() : new LedgerCommand.Tick();
            case 2 -> random.nextInt(3) == 0 ? load(state) : new LedgerCommand.Reweigh();
            case 3, 4 -> new LedgerCommand.ObservePod(pod(name()));
            case 5, 6 -> new LedgerCommand.ObserveVm(vm(name()));
            case 7 -> new LedgerCommand.LosePod(new PodGone(name(), NODE, someVersion()));
            case 8 -> new LedgerCommand.Open(new OpenSession(NODE, name(), runner(), random.nextInt(3)));
            case 9 -> new LedgerCommand.ReclaimReservation(new Reclaim(NODE, name(), amount(), random.nextInt(3)));
            case 10 ->
                new LedgerCommand.Hold(
                        reservation(),
                        Duration.ofMillis(1 + random.nextInt(20_000)),
                        attempt(),
                        random.nextInt(3),
                        known(state));
            case 11 ->
                random.nextBoolean() ? new LedgerCommand.Bind(reservation()) : new LedgerCommand.Confirm(holder());
            case 12 ->
                random.nextBoolean()
                        ? new LedgerCommand.Release(holder(), random.nextBoolean() ? AttemptId.NONE : attempt())
                        : new LedgerCommand.Unmark(new UnmarkMigrating(NODE, name(), attempt()));
            case 13 -> mark();
            case 14 -> keep();
            default -> request(state);
        };
    }

    private LedgerCommand<?> keep() {
        var uid = random.nextInt(3) == 0 ? KeptRoom.OF_WORKLOAD + "w" : name();
        var room = new KeptRoom(NODE, uid, "ns/" + uid, amount(), fixed(2), random.nextInt(3));
        return new LedgerCommand.Keep(new KeepRoom(room, Duration.ofSeconds(random.nextInt(61))));
    }

    private Optional<Instant> known(NodeState state) {
        return random.nextInt(4) == 0
                ? Optional.of(Instant.ofEpochSecond(random.nextInt(3)))
                : state.fullList().completedAt();
    }

    private String attempt() {
        return "attempt-" + random.nextInt(6);
    }

    private LedgerCommand<?> loseNode() {
        return new LedgerCommand.LoseNode(new NodeGone(NODE, someVersion()));
    }

    private LedgerCommand<?> mark() {
        var causes = MarkMigrating.Cause.values();
        return new LedgerCommand.Mark(
                new MarkMigrating(NODE, name(), causes[random.nextInt(causes.length)], amount(), attempt()));
    }

    private LedgerCommand<?> request(NodeState state) {
        var name = name();
        var agent = state.reservations().find(name).map(Reservation::session);
        long session = Math.max(1, agent.map(reported -> reported.session()).orElse(0L) + wrongNowAndThen());
        long seq = Math.max(1, agent.map(reported -> reported.seq()).orElse(0L) + 1 + wrongNowAndThen());
        var runner = agent.map(reported -> reported.runner()).orElse("runner-0");
        var claim = random.nextInt(3) == 0 ? Optional.of(amount()) : Optional.<Resources>empty();
        var load = random.nextBoolean() ? Optional.of(random.nextFloat()) : Optional.<Float>empty();
        return new LedgerCommand.RequestPermit(
                new PermitRequest(NODE, name, runner, session, seq, UNIT, amount(), claim, load),
                random.nextInt(20) == 0);
    }

    private int wrongNowAndThen() {
        return random.nextInt(10) == 0 ? random.nextInt(3) - 1 : 0;
    }

    private LedgerCommand<?> load(NodeState state) {
        var pods = new ArrayList<PodObserved>();
        var vms = new ArrayList<VmObserved>();
        for (int i = 0; i < NAMES; i++) {
            if (random.nextBoolean()) {
                pods.add(pod("m" + i));
                vms.add(vm("m" + i));
            }
        }
        long listed = random.nextInt(10) == 0 ? 1 : someVersion();
        var fullList = new LoadNode(node(state), listed, pods, vms);
        var named = random.nextInt(4) == 0
                ? Optional.of(someVersion())
                : state.fullList().incarnation();
        return new LedgerCommand.Load(named.map(fullList::relist).orElse(fullList));
    }

    private NodeObserved node(NodeState state) {
        return new NodeObserved(
                NODE,
                someVersion(),
                new Resources(random.nextInt(12_000), random.nextLong(12L << 20)),
                "",
                List.of(),
                random.nextInt(4) > 0,
                fixed(8),
                gpus.node().with(zones.report(state)));
    }

    private PodObserved pod(String name) {
        var vmName = name.equals("m0") ? "" : name;
        var migration = random.nextInt(4) == 0 ? migration() : "";
        return new PodObserved(
                        name,
                        "ns",
                        name,
                        NODE,
                        vmName,
                        someVersion(),
                        amount(),
                        0,
                        migration,
                        fixed(3).plus(zones.aligned()))
                .with(gpus.demand());
    }

    private VmObserved vm(String name) {
        var max = amount();
        return new VmObserved(
                new VmId("test", "ns", name, name),
                someVersion(),
                name,
                name,
                NODE,
                random.nextInt(10) == 0 ? VmPhase.MIGRATING : VmPhase.RUNNING,
                random.nextInt(5) > 0,
                random.nextBoolean(),
                random.nextInt(4) == 0,
                new VmSizes(max.min(amount()), max, amount(), Optional.empty(), 1),
                factor(),
                ScalingOverrides.NONE,
                Optional.empty(),
                random.nextInt(5) == 0 ? Optional.of(amount()) : Optional.empty(),
                "",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                VmTraits.NONE,
                random.nextInt(10) == 0 ? amount() : Resources.NONE);
    }

    private NewReservation reservation() {
        var id = holder();
        var pod = new PodIdentity(id, "ns", id, id.equals("m0") ? "" : id, 0);
        return new NewReservation(pod, amount(), factor(), fixed(3).plus(zones.aligned()), gpus.requests());
    }

    private FixedAmounts fixed(int most) {
        return FixedAmounts.of(Map.of("pods", (long) random.nextInt(most), "gpu", (long) random.nextInt(most)));
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

    /** Sometimes so large that the sum of two exceeds 64 bits. */
    private Resources amount() {
        long milliCpu = random.nextInt(500) == 0 ? Long.MAX_VALUE - random.nextInt(9) : random.nextInt(4000);
        return new Resources(milliCpu, random.nextInt(20) == 0 ? 0 : random.nextLong(4L << 20));
    }

    private String runner() {
        return "runner-" + random.nextInt(2);
    }

    private String migration() {
        return "move-" + random.nextInt(4);
    }

    private String holder() {
        return random.nextBoolean() ? HoldRoom.forMigration("ns", migration()) : name();
    }

    private String name() {
        return "m" + random.nextInt(NAMES);
    }
}
