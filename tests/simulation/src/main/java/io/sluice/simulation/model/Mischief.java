package io.sluice.simulation.model;

import io.sluice.simulation.engine.Chance;
import io.sluice.simulation.engine.Seconds;
import java.util.List;

/** Does something to the world every now and then: parts crash, people change things, memory is lost. */
final class Mischief {
    private final World world;
    private final Chance chance;
    private final long apart;
    private final Deeds deeds;

    Mischief(World world, long apartMillis) {
        this.world = world;
        this.chance = world.faults().chance("mischief");
        this.apart = Seconds.ofMillis(apartMillis);
        this.deeds = new Deeds(world);
        next();
    }

    private void next() {
        world.time().in(1 + chance.below(2 * apart), () -> {
            int draw = chance.below(DEEDS.size());
            var own = world.faults().chance("deed " + chance.drawn());
            if (!world.faults().ceased()) {
                var deed = DEEDS.get(draw);
                if (world.faults().happens(chance, chance.drawn(), deed.name)) {
                    if (world.journal().listens()) {
                        world.say("DEED: " + deed.name);
                    }
                    deed.what.does(deeds, own);
                }
                next();
            }
        });
    }

    /** Something that is done to the world. */
    @FunctionalInterface
    private interface What {
        void does(Deeds deeds, Chance chance);
    }

    private record Deed(String name, What what) {}

    /** Those that are named more than once are done more often. */
    private static final List<Deed> DEEDS = List.of(
            new Deed("all books are lost", Deeds::loseAllBooks),
            new Deed("one node's books are lost", Deeds::loseBooksOfOne),
            new Deed("one node's books are lost", Deeds::loseBooksOfOne),
            new Deed("an agent crashes", Deeds::crashAgent),
            new Deed("an agent crashes", Deeds::crashAgent),
            new Deed("a runner fails", Deeds::failRunner),
            new Deed("a runner fails", Deeds::failRunner),
            new Deed("a second agent speaks for a VM", Deeds::splitAgents),
            new Deed("a second agent speaks for a VM", Deeds::splitAgents),
            new Deed("pressure crashes", Deeds::crashPressure),
            new Deed("the informers crash", Deeds::crashCluster),
            new Deed("the patcher crashes", Deeds::crashPatcher),
            new Deed("the gateway crashes", Deeds::crashGateway),
            new Deed("an agent's requests come in a storm", Deeds::storm),
            new Deed("a watch breaks", Deeds::tearWatch),
            new Deed("an old listing arrives", Deeds::oldListing),
            new Deed("an old listing arrives", Deeds::oldListing),
            new Deed("a node shrinks", Deeds::shrinkNode),
            new Deed("a node grows", Deeds::growNode),
            new Deed("a node vanishes and comes back", Deeds::vanishNode),
            new Deed("a node is not ready for a while", Deeds::unreadyNode),
            new Deed("a node is not ready for a while", Deeds::unreadyNode),
            new Deed("a pod is placed past us", Deeds::placePod),
            new Deed("a pod that was placed past us ends", Deeds::endPod),
            new Deed("a maximum is changed", Deeds::changeMax),
            new Deed("a maximum is changed", Deeds::changeMax),
            new Deed("a maximum is changed", Deeds::changeMax),
            new Deed("a VM is switched off or on", Deeds::switchVm),
            new Deed("a VM is switched off and its node's books are lost", Deeds::switchOffAndLoseBooks),
            new Deed("a VM's pod is made anew", Deeds::remakePod),
            new Deed("a user edits a size", Deeds::editSize),
            new Deed("a VM is deleted, another gets its name", Deeds::replaceVm),
            new Deed("people move a VM", Deeds::movedByPeople),
            new Deed("people move a VM", Deeds::movedByPeople),
            new Deed("people delete a migration", Deeds::deleteMove),
            new Deed("a monitor's session drops", Deeds::dropMonitor),
            new Deed("a guest holds on to its memory", Deeds::stubbornGuest),
            new Deed("a guest cries for memory", Deeds::cry),
            new Deed("a VM must always move", Deeds::alwaysMove),
            new Deed("nonsense is asked", Deeds::nonsense));
}
