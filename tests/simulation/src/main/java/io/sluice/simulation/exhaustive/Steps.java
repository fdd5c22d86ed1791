package io.sluice.simulation.exhaustive;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.state.Contact;
import io.sluice.messages.ledger.Reclaim;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.messages.vm.PatchReply;
import io.sluice.simulation.exhaustive.Setup.Budget;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The steps that are possible in a state, and the states that they lead to. */
final class Steps {
    private static final int ALL_COPIES = 3;
    private static final int MAJORITY = 2;

    private final Model model;
    private final Exposures exposures;
    private final LedgerSteps ledger;
    private final PlacementSteps placement;

    Steps(Model model) {
        this.model = model;
        this.exposures = new Exposures(model);
        this.ledger = new LedgerSteps(model);
        this.placement = new PlacementSteps(model, exposures, ledger);
    }

    /** All possible steps; some of them change nothing. */
    List<Step> of(SystemState state) {
        var steps = new ArrayList<Step>();
        for (int at = 0; at < state.messages(); at++) {
            if (at == 0 || state.message(at) != state.message(at - 1)) {
                ofMessage(state, at, steps);
            }
        }
        for (int vm = 0; vm < Setup.VMS; vm++) {
            ofVm(state, vm, steps);
        }
        ledger.of(state, steps);
        placement.of(state, steps);
        add(steps, Step.Kind.SHORT_TIME_PASSES, 0, state.may(Budget.SHORT_STEPS));
        add(steps, Step.Kind.LONG_TIME_PASSES, 0, state.may(Budget.LONG_STEPS));
        return steps;
    }

    static void add(List<Step> steps, Step.Kind kind, int of, boolean possible) {
        if (possible) {
            steps.add(new Step(kind, of));
        }
    }

    private void ofMessage(SystemState state, int at, List<Step> steps) {
        var message = model.message(state.message(at));
        boolean toLedger = message instanceof Message.ToLedger
                || message instanceof Message.Observed
                || message instanceof Message.OfPlacer request && request.toLedger();
        boolean arrives = !toLedger || state.copies() >= MAJORITY;
        add(steps, Step.Kind.ARRIVES, at, arrives);
        boolean awaited = message instanceof Message.Exchanged exchanged && exchanged.awaited();
        boolean mayComeLater = mayComeLater(state, message);
        boolean repeats = mayComeLater && !(message instanceof Message.Answer) && state.may(Budget.REPEATS);
        add(steps, Step.Kind.ARRIVES_AND_STAYS, at, arrives && repeats);
        add(steps, Step.Kind.TIMES_OUT, at, awaited && mayComeLater && state.may(Budget.TIMEOUTS));
    }

    /**
     * Whether a message may arrive late. A patch without a fence may not: nothing could stop it once a later one was
     * applied.
     */
    private boolean mayComeLater(SystemState state, Message message) {
        return !(message instanceof Message.ToPatch patch
                && model.vm(state, patch.vm()).kind().reference());
    }

    private void ofVm(SystemState state, int vm, List<Step> steps) {
        var object = model.vm(state, vm);
        var runner = model.runner(state, vm);
        add(steps, Step.Kind.DRIVER_WORKS, vm, !object.atRest());
        boolean observable = state.copies() >= MAJORITY && ledger.observes(state, object);
        add(steps, Step.Kind.LEDGER_OBSERVES, vm, observable);
        boolean news = runner.runs() && runner.versionObserved() < object.version();
        add(steps, Step.Kind.RUNNER_OBSERVES, vm, news);
        add(steps, Step.Kind.OBSERVATION_WAITS, vm, state.may(Budget.DELAYED_OBSERVATIONS) && observable);
        boolean scrapes = runner.awaitsScrape()
                && state.may(Budget.LOADS)
                && object.kind().max() > 1;
        add(steps, Step.Kind.LOAD_FALLS, vm, scrapes);
        add(steps, Step.Kind.LOAD_RISES, vm, scrapes);
        add(steps, Step.Kind.HANGS_UP, vm, runner.awaitsGateway() && state.may(Budget.TIMEOUTS));
        add(steps, Step.Kind.RUNNER_CRASHES, vm, runner.runs() && state.may(Budget.CRASHES));
        add(steps, Step.Kind.RUNNER_STARTS, vm, !runner.runs() && object.autoscaled());
        boolean scaled = object.kind().max() > 1 && object.autoscaled();
        add(steps, Step.Kind.IS_SWITCHED_OFF, vm, scaled && state.may(Budget.SWITCH_OFFS));
        add(steps, Step.Kind.RECLAIM_BEGINS, vm, state.may(Budget.RECLAIMS) && reclaimable(state, object));
    }

    /** Whether the VM may be reclaimed: it is at its size, and has a reservation before any request or reclaim. */
    private boolean reclaimable(SystemState state, VmState object) {
        return object.atRest()
                && model.node(state, Model.nodeOf(object.node()))
                        .reservations()
                        .find(object.pod())
                        .filter(reservation -> {
                            var contact = reservation.status().contact();
                            return contact != Contact.REQUESTED && contact != Contact.RECLAIMED;
                        })
                        .isPresent();
    }

    /** The state after a step; empty if nothing changes except that a message is gone. */
    Optional<SystemState> after(SystemState state, Step step) {
        var next = state.copy();
        int of = step.of();
        switch (step.kind()) {
            case ARRIVES -> {
                next.remove(of);
                if (!arrives(state, next, model.message(state.message(of)))) {
                    return Optional.empty();
                }
            }
            case ARRIVES_AND_STAYS -> {
                next.spend(Budget.REPEATS);
                var message = model.message(state.message(of));
                if (message instanceof Message.Exchanged exchanged && exchanged.awaited()) {
                    next.remove(of);
                    next.add(model.id(exchanged.abandoned()));
                }
                if (!arrives(state, next, message)) {
                    return Optional.empty();
                }
            }
            case TIMES_OUT -> timesOut(next, of);
            case HANGS_UP -> {
                next.spend(Budget.TIMEOUTS);
                report(next, of, new RunnerInput.HungUp());
            }
            case DRIVER_WORKS -> next.vm(of, model.id(model.vm(state, of).driven()));
            case RUNNER_OBSERVES ->
                report(next, of, new RunnerInput.Observed(model.vm(state, of).observed()));
            case LOAD_FALLS, LOAD_RISES -> {
                next.spend(Budget.LOADS);
                report(next, of, new RunnerInput.Scraped(step.kind() == Step.Kind.LOAD_RISES));
            }
            case RUNNER_CRASHES -> {
                next.spend(Budget.CRASHES);
                report(next, of, new RunnerInput.Crashed());
            }
            case RUNNER_STARTS ->
                report(next, of, new RunnerInput.Started(model.vm(state, of).observed()));
            case IS_SWITCHED_OFF -> {
                next.spend(Budget.SWITCH_OFFS);
                next.vm(of, model.id(model.vm(state, of).switchedOff()));
            }
            case RECLAIM_BEGINS -> reclaim(next, of);
            case SHORT_TIME_PASSES -> pass(next, Budget.SHORT_STEPS, Timing.SHORT_STEP);
            case LONG_TIME_PASSES -> pass(next, Budget.LONG_STEPS, Timing.LONG_STEP);
            case ATTEMPT_BEGINS, HOLD_IS_LEFT_OVER, PLACER_CRASHES, LEDGER_OBSERVES_POD, POD_ENDS ->
                placement.apply(next, step);
            default -> ledger.apply(next, step);
        }
        if (next.isLike(state)) {
            return Optional.empty();
        }
        exposures.requireCovered(next);
        return Optional.of(next);
    }

    private void timesOut(SystemState next, int at) {
        var message = (Message.Exchanged) model.message(next.message(at));
        next.spend(Budget.TIMEOUTS);
        next.remove(at);
        if (!(message instanceof Message.Answer)) {
            next.add(model.id(message.abandoned()));
        }
        switch (message) {
            case Message.OfRunner request -> report(next, request.vm(), new RunnerInput.TimedOut(request.request()));
            case Message.OfPlacer request -> placement.replied(next, request.placer(), Optional.empty());
            case Message.ToPlacer reply -> placement.replied(next, reply.placer(), Optional.empty());
        }
    }

    private void pass(SystemState next, Budget budget, int seconds) {
        next.spend(budget);
        next.clock(next.clock() + seconds);
        placement.pass(next);
        for (int vm = 0; vm < Setup.VMS; vm++) {
            report(next, vm, new RunnerInput.Woken());
        }
    }

    private void reclaim(SystemState next, int vm) {
        var owner = ClaimVm.reclaimer(Integer.toString(next.left(Budget.RECLAIMS)));
        next.spend(Budget.RECLAIMS);
        var claimed = model.vm(next, vm).claimed(owner);
        next.vm(vm, model.id(claimed));
        long session = model.node(next, Model.nodeOf(claimed.node()))
                .reservations()
                .find(claimed.pod())
                .map(reservation -> reservation.session().session())
                .orElse(Reclaim.ANY_SESSION);
        var read = new Reclaim(claimed.node(), claimed.pod(), claimed.inUse(), session);
        next.add(model.id(new Message.Observed(claimed.node(), new LedgerCommand.ReclaimReservation(read))));
    }

    /** Delivers a message; returns whether it had an effect. */
    private boolean arrives(SystemState before, SystemState next, Message message) {
        switch (message) {
            case Message.ToLedger toLedger -> {
                var reply = ledger.run(next, toLedger.command());
                if (toLedger.awaited()) {
                    next.add(model.id(new Message.Reply(
                            toLedger.vm(), toLedger.life(), toLedger.request(), reply, toLedger.sentAt())));
                    exposures.requireRoom(before, next, toLedger.vm());
                }
                return toLedger.awaited() || !ledger.isSame(before, next);
            }
            case Message.Observed(var node, var command) -> {
                ledger.run(next, Model.nodeOf(node), command);
                return !ledger.isSame(before, next);
            }
            case Message.ToClaim claim -> {
                var claimed = model.vm(before, claim.vm()).claimed(claim.claim().runner());
                next.vm(claim.vm(), model.id(claimed));
                reply(next, claim, claimed.claim());
                return claim.awaited() || next.vm(claim.vm()) != before.vm(claim.vm());
            }
            case Message.ToPatch patch -> {
                var object = model.vm(before, patch.vm());
                boolean lets = object.lets(patch.patch());
                if (lets) {
                    next.vm(patch.vm(), model.id(object.patched(patch.patch())));
                }
                reply(next, patch, lets ? new PatchReply.Patched(object.version() + 1) : object.refusal(patch.patch()));
                return patch.awaited() || lets;
            }
            case Message.OfPlacer request -> {
                return placement.arrives(before, next, request);
            }
            case Message.ToPlacer reply -> {
                placement.replied(next, reply.placer(), Optional.of(reply.content()));
                return true;
            }
            case Message.Reply reply -> {
                report(next, reply.vm(), new RunnerInput.Replied(reply.request(), reply.content()));
                return true;
            }
        }
    }

    private void reply(SystemState next, Message.OfRunner to, Object content) {
        if (to.awaited()) {
            next.add(model.id(new Message.Reply(to.vm(), to.life(), to.request(), content, 0)));
        }
    }

    /**
     * Passes an input to a runner and adds the messages that it sends. Messages that it does not await any more are
     * marked so.
     */
    void report(SystemState next, int vm, RunnerInput input) {
        var reaction = model.runners().on(next.runner(vm), input, next.clock());
        next.runner(vm, reaction.runner());
        var snapshot = model.runner(next, vm);
        for (int at = next.messages() - 1; at >= 0; at--) {
            if (model.message(next.message(at)) instanceof Message.OfRunner message
                    && message.vm() == vm
                    && message.awaited()
                    && !snapshot.awaits(message)) {
                next.remove(at);
                if (!(message instanceof Message.Reply)) {
                    next.add(model.id(message.abandoned()));
                }
                at = next.messages();
            }
        }
        reaction.sent().forEach(sent -> next.add(model.id(sent)));
    }

    /** The state in which all histories begin. */
    SystemState first() {
        var setup = model.setup();
        var state = SystemState.blank();
        state.copies(ALL_COPIES);
        ledger.blank(state);
        placement.begin(state);
        for (int vm = 0; vm < Setup.VMS; vm++) {
            state.runner(vm, model.runners().beginning(vm));
        }
        for (int node = 0; node < Setup.NODES.size(); node++) {
            asAtFirst(state, setup, node);
        }
        for (int node = Setup.NODES.size() - 1; node >= 0; node--) {
            asAtFirst(state, setup, node);
            ledger.apply(state, new Step(Step.Kind.FULL_LIST_BEGINS, node));
            boolean lost = node == 0 && setup.beginning() == Setup.Beginning.LOST;
            state = lost ? started(state, node) : settled(started(settled(state), node));
        }
        state.budgets(setup);
        requireServing(state, setup);
        return state;
    }

    /** Fails if a runner does not scale its VM at the start: such a setup explores nothing. */
    private void requireServing(SystemState state, Setup setup) {
        for (int vm = 0; vm < Setup.VMS; vm++) {
            boolean begins = setup.beginning() == Setup.Beginning.LOST
                    && Model.nodeOf(model.vm(state, vm).node()) == 0;
            boolean scales = model.runner(state, vm).scaling().isPresent();
            if (!begins && !scales) {
                throw new IllegalStateException(model.vm(state, vm) + " has no runner that scales it at the start");
            }
        }
    }

    /** Resets the VMs of a node to their start, as drivers may have worked already. */
    private void asAtFirst(SystemState state, Setup setup, int node) {
        for (int vm = 0; vm < Setup.VMS; vm++) {
            var object = setup.vms().get(vm);
            if (Model.nodeOf(object.node()) == node) {
                state.vm(vm, model.id(object));
            }
        }
    }

    private SystemState started(SystemState state, int node) {
        for (int vm = 0; vm < Setup.VMS; vm++) {
            var object = model.vm(state, vm);
            if (Model.nodeOf(object.node()) == node) {
                report(state, vm, new RunnerInput.Started(object.observed()));
            }
        }
        return state;
    }

    /** Delivers all messages until none is under way. */
    private SystemState settled(SystemState state) {
        var next = state;
        boolean moved = true;
        while (moved) {
            moved = false;
            for (var step : of(next)) {
                boolean quiet = step.kind() == Step.Kind.ARRIVES
                        || step.kind() == Step.Kind.DRIVER_WORKS
                        || step.kind() == Step.Kind.LEDGER_OBSERVES
                        || step.kind() == Step.Kind.RUNNER_OBSERVES;
                var after = quiet ? after(next, step) : Optional.<SystemState>empty();
                if (after.isPresent()) {
                    next = after.get();
                    moved = true;
                    break;
                }
            }
        }
        return next;
    }
}
