package io.sluice.simulation.model.agent;

import io.sluice.agent.core.runner.Runner;
import io.sluice.agent.core.runner.RunnerAction;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.agent.core.runner.RunnerState;
import io.sluice.agent.core.scaling.CoreState;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.simulation.engine.Seconds;
import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;
import io.sluice.units.Resources;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The behavior that differs for an agent of the reference: it has no sessions, sends requests by HTTP, and patches
 * without a fence.
 */
final class ReferenceSession {
    private static final long HTTP_TIMEOUT = Seconds.of(5);
    private static final long QUICK = Seconds.of(1);

    private final SimulatedRunner runner;
    private final World world;
    private final SimulatedLinks links;

    ReferenceSession(SimulatedRunner runner, SimulatedLinks links) {
        this.runner = runner;
        this.world = runner.world();
        this.links = links;
    }

    /** Performs the action if it differs for such an agent; returns whether it did. */
    boolean performs(Runner it, RunnerAction action) {
        switch (action) {
            case RunnerAction.OpenLedgerSession(var number, var _) ->
                world.time().in(1, () -> runner.on(it, GatewayClient.opened(number, runner.observed())));
            case RunnerAction.RequestPermit(var number, var request) -> requestGateway(it, number, request);
            case RunnerAction.ClaimFence(var number, var request) ->
                world.time().in(1, () -> runner.on(it, GatewayClient.claimed(number, request, runner.observed())));
            case RunnerAction.PatchSize(var number, var request, var _) -> patchUnfenced(it, number, request);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void requestGateway(Runner it, long number, PermitRequest request) {
        long requestedAt = world.time().now();
        runner.awaiting(number, request);
        world.happened(new Happening.Requested(runner, request));
        world.time().in(HTTP_TIMEOUT, () -> {
            if (runner.awaits(request)) {
                runner.hangUp();
                runner.lost(it, number);
            }
        });
        Consumer<RunnerEvent> taken = event -> {
            if (runner.awaits(request)) {
                granted(event, request, requestedAt);
                runner.ended(number);
                runner.on(it, event);
            }
        };
        links.toLedger.draw();
        if (!links.toLedger.lost()) {
            world.time().in(links.toLedger.first(world.time().now()), () -> {
                if (runner.awaits(request)) {
                    world.gateway().request(this, number, request, event -> back(event, taken));
                }
            });
        }
    }

    /** Carries a reply back from the gateway. */
    private void back(RunnerEvent event, Consumer<RunnerEvent> taken) {
        boolean lowers =
                event instanceof RunnerEvent.PermitAnswered(var _, PermitReply.Ruled ruled) && lowers(ruled.permit());
        if (lowers && !mayLoseDecreases()) {
            taken.accept(event);
            return;
        }
        links.fromLedger.draw();
        if (!links.fromLedger.lost()) {
            world.time().in(links.fromLedger.first(world.time().now()), () -> taken.accept(event));
        }
    }

    /** Records the permit, unless the runner rejects it as less than its VM uses. */
    private void granted(RunnerEvent event, PermitRequest request, long requestedAt) {
        if (event instanceof RunnerEvent.PermitAnswered(var _, PermitReply.Ruled ruled) && !outgrew(ruled.permit())) {
            runner.grants().granted(ruled.permit(), ruled.validFor(), requestedAt, request.seq());
        }
    }

    private void patchUnfenced(Runner it, long number, PatchVm patch) {
        var flight = new Flight(runner, runner.vm(), patch, world.time().now());
        flight.begun();
        world.happened(new Happening.PatchBegun(runner, flight));
        runner.grants().reached(patch.target());
        var answered = new boolean[1];
        world.time().in(SimulatedRunner.DRIVER_TIMEOUT, () -> {
            if (!answered[0]) {
                runner.lost(it, number);
            }
        });
        links.toPatcher.draw();
        if (links.toPatcher.lost()) {
            flight.ended();
            return;
        }
        if (ModelReferenceAgents.LATE_PATCHES && links.toPatcher.twice()) {
            flight.begun();
            world.time()
                    .in(
                            links.toPatcher.second(world.time().now()),
                            () -> world.patcher().arrive(flight));
        }
        long takes = links.toPatcher.first(world.time().now());
        world.time().in(ModelReferenceAgents.LATE_PATCHES ? takes : Math.min(takes, QUICK), () -> {
            boolean done = world.patcher().arrive(flight);
            links.fromPatcher.draw();
            if (!links.fromPatcher.lost()) {
                answered[0] = true;
                var reply =
                        done ? new PatchReply.Patched(runner.vm().version) : new PatchReply.Refused(404, "no such VM");
                world.time()
                        .in(
                                links.fromPatcher.first(world.time().now()),
                                () -> runner.on(it, new RunnerEvent.PatchAnswered(number, reply)));
            }
        });
    }

    /** Whether that is less than the permit that its runner has. */
    boolean lowers(Resources permit) {
        return trusted().filter(mine -> mine.exceeds(permit)).isPresent();
    }

    /** Whether that is the permit that its runner has. */
    boolean trusts(Resources permit) {
        return trusted().filter(permit::equals).isPresent();
    }

    private Optional<Resources> trusted() {
        return core().flatMap(core -> core.effectivePermit(runner.now()));
    }

    /**
     * Records that the ledger took a request for that size.
     *
     * @param shown whether the ledger has observed the VM since its permit last grew
     */
    void requestedLess(Resources target, boolean shown) {
        for (var flight : runner.vm().flights()) {
            if (flight.sender() == runner && flight.patch().target().exceeds(target)) {
                flight.lowered();
                if (shown) {
                    flight.shown();
                }
            }
        }
    }

    /** Whether its runner takes its VM to use more than that permit, so that it rejects it. */
    boolean outgrew(Resources permit) {
        return core().filter(core -> core.using().exceeds(permit)).isPresent();
    }

    private Optional<CoreState> core() {
        return runner.runner().map(Runner::state).flatMap(RunnerState::core);
    }

    boolean namesPermit() {
        return runner.vm().namesPermit;
    }

    boolean mayLoseDecreases() {
        return namesPermit() || ModelReferenceAgents.LOSE_DECREASES;
    }
}
