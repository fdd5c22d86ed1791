package io.sluice.simulation;

import io.sluice.ledger.core.FactReply;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodSeen;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkMigrating.Cause;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Moves VMs between the nodes, one migration after the other: some with room held and a mark that is weighed, some made
 * by people. Stands in for whoever moves VMs, for their controller, and for whoever sees pods.
 */
final class Migrations {
    private static final Duration HELD_FOR = Duration.ofSeconds(120);
    private static final Duration PODS_LAG = Duration.ofSeconds(2);
    private static final Duration STAGE = Duration.ofSeconds(5);
    private static final int BETWEEN_SECONDS = 15;

    private final World world;
    private final List<ApiModel> vms;
    private final Map<String, PodSeen> pods = new LinkedHashMap<>();
    private final List<Move> underWay = new ArrayList<>();
    private Instant podsToldUntil = Instant.EPOCH;
    private int begun;
    private int arrived;

    private record Move(ApiModel vm, String name, String from, String source, String to, String target) {
        String holder() {
            return HoldRoom.forMigration("sim", name);
        }
    }

    Migrations(World world, List<ApiModel> vms) {
        this.world = world;
        this.vms = vms;
        vms.forEach(vm -> pods.put(vm.pod(), pod(vm, vm.pod(), vm.node(), 1, vm.spec(), "")));
    }

    /** All that there are in truth. */
    Collection<PodSeen> pods() {
        return pods.values();
    }

    int arrived() {
        return arrived;
    }

    void beginOne() {
        world.time().in(world.faults().upTo(Duration.ofSeconds(BETWEEN_SECONDS)), this::beginOne);
        var vm = vms.get(world.faults().random().nextInt(vms.size()));
        if (!vm.isAsTold() || underWay.stream().anyMatch(move -> move.vm() == vm)) {
            return;
        }
        begun++;
        var to = LedgerModel.NODES.get(vm.node().equals(LedgerModel.NODES.getFirst()) ? 1 : 0);
        var move =
                new Move(vm, "move-" + begun, vm.node(), vm.pod(), to, vm.vm().name() + "-" + begun);
        if (world.faults().oneIn(3) || roomIsHeld(move)) {
            underWay.add(move);
            world.time().in(world.faults().upTo(STAGE), () -> lock(move));
        }
    }

    private boolean roomIsHeld(Move move) {
        var member = world.ledger().member(move.from(), move.source());
        if (member.isEmpty()) {
            return false;
        }
        var room = member.get().amounts().reserved();
        var hold = new HoldRoom(
                move.to(), move.holder(), "sim", move.name(), move.vm().vm().name(), room, Overcommit.OFF, HELD_FOR);
        if (!(world.ledger().apply(move.to(), new LedgerCommand.Hold(hold)) instanceof HoldReply.Held)) {
            return false;
        }
        if (mark(move, Cause.ALWAYS, room) instanceof MarkReply.Marked) {
            return true;
        }
        world.ledger().apply(move.to(), new LedgerCommand.Release(move.holder()));
        return false;
    }

    private MarkReply mark(Move move, Cause cause, Resources room) {
        return world.ledger()
                .apply(move.from(), new LedgerCommand.Mark(new MarkMigrating(move.from(), move.source(), cause, room)));
    }

    /** Only who is not being scaled is locked. */
    private void lock(Move move) {
        if (!move.vm().isAsTold()) {
            world.time().in(Duration.ofSeconds(1), () -> lock(move));
            return;
        }
        move.vm().moves(VmPhase.PRE_MIGRATING);
        world.tell(move.vm());
        world.time().in(world.faults().upTo(STAGE), () -> makeTarget(move));
    }

    private void makeTarget(Move move) {
        pods.put(move.target(), pod(move.vm(), move.target(), move.to(), 1, reserved(move), move.name()));
        tellPod(move.to(), move.target());
        world.time().in(world.faults().upTo(STAGE), () -> copy(move));
    }

    /** What cannot be had counts at the maximum. */
    private Resources reserved(Move move) {
        var most = move.vm().seen().sizes().max();
        if (world.faults().lost()) {
            return most;
        }
        var reply = mark(move, Cause.UNDER_WAY, Resources.NONE);
        return (reply instanceof MarkReply.Marked(var reserved) ? reserved : most)
                .max(move.vm().inUse());
    }

    private void copy(Move move) {
        move.vm().moves(VmPhase.MIGRATING);
        world.tell(move.vm());
        world.time().in(world.faults().upTo(STAGE), () -> end(move));
    }

    private void end(Move move) {
        if (world.faults().oneIn(3)) {
            move.vm().stays();
            pods.remove(move.target());
            tellPod(move.to(), move.target());
            world.time().in(world.faults().upTo(STAGE), () -> takeBack(move));
        } else {
            move.vm().arrives(move.target(), move.to());
            arrived++;
            world.time().in(world.faults().upTo(STAGE), () -> dropSource(move));
        }
        world.tell(move.vm());
    }

    private void takeBack(Move move) {
        world.ledger().apply(move.from(), new LedgerCommand.Unmark(move.source()));
        world.ledger().apply(move.to(), new LedgerCommand.Release(move.holder()));
        underWay.remove(move);
    }

    private void dropSource(Move move) {
        pods.put(
                move.target(),
                pod(move.vm(), move.target(), move.to(), 2, move.vm().spec(), ""));
        tellPod(move.to(), move.target());
        pods.remove(move.source());
        tellPod(move.from(), move.source());
        underWay.remove(move);
    }

    /** What became of a pod is told late, and never before what became of another earlier. */
    private void tellPod(String node, String uid) {
        var at = world.time().now().plus(world.faults().upTo(PODS_LAG));
        podsToldUntil = at.isAfter(podsToldUntil) ? at : podsToldUntil;
        var fact = Optional.ofNullable(pods.get(uid))
                .<LedgerCommand<FactReply>>map(LedgerCommand.SeePod::new)
                .orElseGet(() -> new LedgerCommand.LosePod(new PodGone(uid, node, 3)));
        world.time()
                .in(
                        Duration.between(world.time().now(), podsToldUntil),
                        () -> world.ledger().apply(node, fact));
    }

    /** After books were loaded, whose marks may be lost: a target then counts at what is reserved by now. */
    void markAgain() {
        for (var move : underWay) {
            var target = pods.get(move.target());
            if (target != null && mark(move, Cause.UNDER_WAY, Resources.NONE) instanceof MarkReply.Marked(var now)) {
                pods.put(
                        move.target(),
                        pod(
                                move.vm(),
                                move.target(),
                                move.to(),
                                1,
                                target.amounts().max(now),
                                move.name()));
                tellPod(move.to(), move.target());
            }
        }
    }

    /** At what it counts where it runs; where nobody told the ledger of that pod yet, at what it counts elsewhere. */
    Resources booked(ApiModel vm) {
        var own = world.ledger()
                .member(vm.node(), vm.pod())
                .map(member -> member.amounts().reserved());
        return own.or(() -> world.ledger().mostReservedFor(vm.vm().name()))
                .orElseThrow(() -> new AssertionError(vm.vm().name() + " counts nowhere, in " + vm.pod()));
    }

    private static PodSeen pod(
            ApiModel vm, String uid, String node, long version, Resources amounts, String migration) {
        return new PodSeen(uid, "sim", uid, node, vm.vm().name(), version, amounts, 0, migration);
    }
}
