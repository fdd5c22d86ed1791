package io.sluice.simulation.gangs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.placement.core.PlacementAttempt;
import io.sluice.simulation.engine.Seconds;
import java.util.ArrayList;
import java.util.List;

/**
 * Nodes whose ledgers lose their state, and what must not follow from that: a bind whose hold is not in the ledger. A
 * ledger loses nothing while a bind to its node is under way, as such a pod arrives unheld whatever its sender does.
 */
final class LostLedgers {
    private static final long TAKEN_WITHIN = Seconds.of(20);

    private final GangWorld world;
    private final List<String> underWay = new ArrayList<>();
    private int others;

    LostLedgers(GangWorld world) {
        this.world = world;
    }

    /** A bind is sent. */
    void sent(PlacementAttempt attempt) {
        var uid = attempt.pod().pod().uid();
        assertThat(world.nodes.get(attempt.node()).reservations().find(uid))
                .as("%s: what the ledger of %s has of %s, whose bind is sent", world.time.clock(), attempt.node(), uid)
                .isPresent();
        underWay.add(attempt.node());
    }

    /** A bind had its effect, or none. */
    void arrived(PlacementAttempt attempt) {
        underWay.remove(attempt.node());
    }

    /** The ledger of a node starts anew with the pods that are bound there, and grants the rest to another pod. */
    void startAnew(String name) {
        if (underWay.contains(name)) {
            return;
        }
        var total = world.nodes.get(name).size().total();
        world.journal("the ledger of " + name + " starts anew");
        world.excuse(name);
        world.load(name, total);
        var free = total.minus(world.nodes.get(name).sums().reserved());
        if (free.milliCpu() > 0) {
            var other = "other-" + ++others;
            world.run(
                    name,
                    new LedgerCommand.Hold(new HoldRoom(
                            name, other, "ns", other, "", free, Overcommit.OFF, HoldRoom.UNTIL_RELEASED, other)));
            world.time.in(world.faults.late(TAKEN_WITHIN), () -> {
                if (world.nodes.containsKey(name)) {
                    world.run(name, new LedgerCommand.Release(new ReleaseHold(name, other, other)));
                }
            });
        }
    }
}
