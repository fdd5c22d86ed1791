package io.sluice.simulation.model;

import io.sluice.simulation.engine.Chance;
import io.sluice.simulation.engine.Seconds;
import java.util.List;

/** Injects a fault from time to time: parts crash, users change objects, state is lost. */
final class FaultPlan {
    private final World world;
    private final Chance chance;
    private final long apart;
    private final FaultActions actions;

    FaultPlan(World world, long apartMillis) {
        this.world = world;
        this.chance = world.faults().chance("mischief");
        this.apart = Seconds.ofMillis(apartMillis);
        this.actions = new FaultActions(world);
        next();
    }

    private void next() {
        world.time().in(1 + chance.below(2 * apart), () -> {
            int draw = chance.below(ACTIONS.size());
            var own = world.faults().chance("deed " + chance.drawn());
            if (!world.faults().ceased()) {
                var fault = ACTIONS.get(draw);
                if (world.faults().happens(chance, chance.drawn(), fault.name)) {
                    if (world.journal().listens()) {
                        world.report("FAULT: " + fault.name);
                    }
                    fault.what.does(actions, own);
                }
                next();
            }
        });
    }

    /** One fault. */
    @FunctionalInterface
    private interface What {
        void does(FaultActions actions, Chance chance);
    }

    private record Fault(String name, What what) {}

    /** A fault that is listed more than once happens more often. */
    private static final List<Fault> ACTIONS = List.of(
            new Fault("all ledger state is lost", FaultActions::loseAllLedgerState),
            new Fault("one node's ledger state is lost", FaultActions::loseStateOfOneNode),
            new Fault("one node's ledger state is lost", FaultActions::loseStateOfOneNode),
            new Fault("an agent crashes", FaultActions::crashAgent),
            new Fault("an agent crashes", FaultActions::crashAgent),
            new Fault("a runner fails", FaultActions::failRunner),
            new Fault("a runner fails", FaultActions::failRunner),
            new Fault("a second agent runs a VM", FaultActions::splitAgents),
            new Fault("a second agent runs a VM", FaultActions::splitAgents),
            new Fault("pressure crashes", FaultActions::crashPressure),
            new Fault("the informers crash", FaultActions::crashCluster),
            new Fault("the patcher crashes", FaultActions::crashPatcher),
            new Fault("the gateway crashes", FaultActions::crashGateway),
            new Fault("an agent's requests come in a storm", FaultActions::storm),
            new Fault("a watch breaks", FaultActions::tearWatch),
            new Fault("an old full list arrives", FaultActions::oldFullList),
            new Fault("an old full list arrives", FaultActions::oldFullList),
            new Fault("a node shrinks", FaultActions::shrinkNode),
            new Fault("a node grows", FaultActions::growNode),
            new Fault("a node vanishes and comes back", FaultActions::vanishNode),
            new Fault("a node is not ready for a while", FaultActions::unreadyNode),
            new Fault("a node is not ready for a while", FaultActions::unreadyNode),
            new Fault("a pod is placed without a hold", FaultActions::placePod),
            new Fault("a pod that was placed without a hold ends", FaultActions::endPod),
            new Fault("a maximum is changed", FaultActions::changeMax),
            new Fault("a maximum is changed", FaultActions::changeMax),
            new Fault("a maximum is changed", FaultActions::changeMax),
            new Fault("a VM is switched off or on", FaultActions::switchVm),
            new Fault("a VM is switched off and its node's ledger state is lost", FaultActions::switchOffAndLoseState),
            new Fault("a VM's pod is made anew", FaultActions::remakePod),
            new Fault("a user edits a size", FaultActions::editSize),
            new Fault("a VM is deleted, another gets its name", FaultActions::replaceVm),
            new Fault("a user migrates a VM", FaultActions::movedByOperator),
            new Fault("a user migrates a VM", FaultActions::movedByOperator),
            new Fault("a user deletes a migration", FaultActions::deleteMove),
            new Fault("a monitor's session drops", FaultActions::dropMonitor),
            new Fault("a guest refuses to give memory back", FaultActions::stubbornGuest),
            new Fault("a guest sends an upscale request", FaultActions::upscaleRequest),
            new Fault("a VM must always migrate", FaultActions::alwaysMove),
            new Fault("an invalid request is sent", FaultActions::nonsense));
}
