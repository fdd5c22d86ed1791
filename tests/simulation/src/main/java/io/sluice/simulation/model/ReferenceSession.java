package io.sluice.simulation.model;

import io.sluice.agent.core.runner.Runner;
import io.sluice.agent.core.runner.RunnerAction;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.agent.core.runner.RunnerState;
import io.sluice.agent.core.scaling.CoreState;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.simulation.engine.Seconds;
import io.sluice.units.Resources;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What an agent of the reference does otherwise: it knows no sessions, requests by HTTP, and patches past all fences.
 */
final class ReferenceSession {
    private static final long HTTP_TIMEOUT = Seconds.of(5);
    private static final long QUICK = Seconds.of(1);

    private final SimulatedRunner seat;
    private final World world;
    private final SimulatedLinks links;

    ReferenceSession(SimulatedRunner seat, SimulatedLinks links) {
        this.seat = seat;
        this.world = seat.world();
        this.links = links;
    }

    /** Whether it has done that. */
    boolean performs(Runner it, RunnerAction action) {
        switch (action) {
            case RunnerAction.OpenLedgerSession(var number, var _) ->
                world.time().in(1, () -> seat.on(it, GatewayClient.opened(number, seat.seen())));
            case RunnerAction.RequestPermit(var number, var question) -> askGateway(it, number, question);
            case RunnerAction.ClaimFence(var number, var question) ->
                world.time().in(1, () -> seat.on(it, GatewayClient.claimed(number, question, seat.seen())));
            case RunnerAction.PatchSize(var number, var question, var _) -> patchUnfenced(it, number, question);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void askGateway(Runner it, long number, PermitRequest question) {
        long askedAt = world.time().now();
        seat.awaiting(number, question);
        world.happened(new Happening.Asked(seat, question));
        world.time().in(HTTP_TIMEOUT, () -> {
            if (seat.awaits(question)) {
                seat.hangUp();
                seat.lost(it, number);
            }
        });
        Consumer<RunnerEvent> taken = event -> {
            if (seat.awaits(question)) {
                granted(event, question, askedAt);
                seat.ended(number);
                seat.on(it, event);
            }
        };
        links.toLedger.draw();
        if (!links.toLedger.lost()) {
            world.time().in(links.toLedger.first(world.time().now()), () -> {
                if (seat.awaits(question)) {
                    world.gateway().ask(this, number, question, event -> back(event, taken));
                }
            });
        }
    }

    /** A reply on its way from the gateway. */
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

    private void granted(RunnerEvent event, PermitRequest question, long askedAt) {
        if (event instanceof RunnerEvent.PermitAnswered(var _, PermitReply.Ruled ruled)) {
            seat.grants().granted(ruled.permit(), ruled.validFor(), askedAt, question.seq());
        }
    }

    private void patchUnfenced(Runner it, long number, PatchVm patch) {
        var flight = new Flight(seat, seat.vm(), patch, world.time().now());
        flight.begun();
        world.happened(new Happening.PatchBegun(seat, flight));
        seat.grants().reached(patch.target());
        var answered = new boolean[1];
        world.time().in(SimulatedRunner.DRIVER_TIMEOUT, () -> {
            if (!answered[0]) {
                seat.lost(it, number);
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
                        done ? new PatchReply.Patched(seat.vm().version) : new PatchReply.Refused(404, "no such VM");
                world.time()
                        .in(
                                links.fromPatcher.first(world.time().now()),
                                () -> seat.on(it, new RunnerEvent.PatchAnswered(number, reply)));
            }
        });
    }

    /** Whether that is less than what its runner believes to be permitted. */
    boolean lowers(Resources permit) {
        return believed().filter(mine -> mine.exceeds(permit)).isPresent();
    }

    /** Whether that is what its runner believes to be permitted. */
    boolean believesIn(Resources permit) {
        return believed().filter(permit::equals).isPresent();
    }

    private Optional<Resources> believed() {
        return core().flatMap(core -> core.effectivePermit(seat.now()));
    }

    /** Whether its runner has acknowledged a patch beyond that, so that it rejects such a permit. */
    boolean outgrew(Resources target) {
        return core().filter(core -> core.using().exceeds(target)).isPresent();
    }

    private Optional<CoreState> core() {
        return seat.runner().map(Runner::state).flatMap(RunnerState::core);
    }

    boolean namesPermit() {
        return seat.vm().namesPermit;
    }

    boolean mayLoseDecreases() {
        return namesPermit() || ModelReferenceAgents.LOSE_DECREASES;
    }
}
