package io.sluice.simulation.exhaustive;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.state.LedgerView;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.messages.vm.BindPod;
import io.sluice.messages.vm.PodBinding;
import io.sluice.messages.vm.TouchPod;
import io.sluice.placement.core.LeftOverHolds;
import io.sluice.placement.core.PlacementAttempt;
import io.sluice.simulation.exhaustive.Setup.Budget;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The steps of pods that are placed, with the real attempts and the real rule for holds that are left over. Processes
 * choose any node, so that the ledger alone decides; a hold may be left over at any time.
 */
final class PlacementSteps {
    /** Two processes place pods, and one ends holds that were left over. */
    static final int PLACERS = 3;

    private static final int RELEASER = PLACERS - 1;
    private static final int NODES = Setup.NODES.size();

    private final Model model;
    private final Exposures exposures;
    private final LedgerSteps ledger;
    private final int pods;

    PlacementSteps(Model model, Exposures exposures, LedgerSteps ledger) {
        this.model = model;
        this.exposures = exposures;
        this.ledger = ledger;
        pods = model.setup().pods().size();
    }

    void begin(SystemState state) {
        for (int pod = 0; pod < pods; pod++) {
            state.pod(pod, model.id(model.setup().pods().get(pod)));
        }
        for (int placer = 0; placer < PLACERS; placer++) {
            state.placer(placer, model.id(Placer.IDLE));
        }
    }

    void of(SystemState state, List<Step> steps) {
        if (pods == 0) {
            return;
        }
        for (int pod = 0; pod < pods; pod++) {
            ofPod(state, pod, steps);
        }
        for (int placer = 0; placer < RELEASER; placer++) {
            boolean idle = model.placer(state, placer).isIdle();
            Steps.add(steps, Step.Kind.PLACER_CRASHES, placer, !idle && state.may(Budget.CRASHES));
        }
    }

    private void ofPod(SystemState state, int pod, List<Step> steps) {
        var object = model.pod(state, pod);
        boolean idle = IntStream.range(0, RELEASER)
                .anyMatch(placer -> model.placer(state, placer).isIdle());
        for (int node = 0; node < NODES; node++) {
            boolean begins = idle && object.there() && state.may(Budget.ATTEMPTS);
            Steps.add(steps, Step.Kind.ATTEMPT_BEGINS, of(pod, node), begins);
            boolean leftOver = model.placer(state, RELEASER).isIdle()
                    && state.may(Budget.LEFT_OVERS)
                    && isHeld(state, object, node);
            Steps.add(steps, Step.Kind.HOLD_IS_LEFT_OVER, of(pod, node), leftOver);
        }
        Steps.add(steps, Step.Kind.LEDGER_OBSERVES_POD, pod, isNews(state, object));
        Steps.add(steps, Step.Kind.POD_ENDS, pod, object.there() && state.may(Budget.POD_ENDS));
    }

    private int of(int pod, int node) {
        return pod * NODES + node;
    }

    /** Whether the ledger has not observed that the pod is bound, or that it has ended. */
    private boolean isNews(SystemState state, PodState pod) {
        if (pod.node().isEmpty()) {
            return false;
        }
        var node = model.node(state, Model.nodeOf(pod.node()));
        var known = node.reservations().find(pod.name());
        boolean observed = known.filter(
                        reservation -> reservation.observations().pod().isPresent())
                .isPresent();
        return pod.there() ? !observed : !node.gone().hold(pod.name());
    }

    private boolean isHeld(SystemState state, PodState pod, int node) {
        return model.node(state, node)
                .reservations()
                .find(pod.name())
                .filter(reservation -> reservation.status().held())
                .isPresent();
    }

    /** The attempt whose hold of that pod is found as left over there. */
    private Optional<PlacementAttempt> leftOver(SystemState state, int pod, int node) {
        var ledgers = List.of(LedgerView.full(model.node(state, node), 0));
        var rule = new LeftOverHolds();
        rule.observed(ledgers, Instant.EPOCH);
        return rule.observed(ledgers, Instant.EPOCH.plus(LeftOverHolds.LEFT_OVER_AFTER)).stream()
                .filter(attempt ->
                        attempt.pod().pod().uid().equals(model.pod(state, pod).name()))
                .findFirst();
    }

    void apply(SystemState next, Step step) {
        int pod = step.of() / NODES;
        int node = step.of() % NODES;
        switch (step.kind()) {
            case ATTEMPT_BEGINS -> {
                var id = "attempt-" + next.left(Budget.ATTEMPTS);
                next.spend(Budget.ATTEMPTS);
                var attempt =
                        new PlacementAttempt(model.pod(next, pod).toPlace(), Setup.NODES.get(node), Optional.of(id));
                takes(next, idle(next), attempt, attempt.begin());
            }
            case HOLD_IS_LEFT_OVER -> {
                var attempt = leftOver(next, pod, node).orElseThrow();
                next.spend(Budget.LEFT_OVERS);
                takes(next, RELEASER, attempt, attempt.touch());
            }
            case PLACER_CRASHES -> {
                next.spend(Budget.CRASHES);
                abandon(next, step.of());
                next.placer(step.of(), model.id(Placer.IDLE));
            }
            case LEDGER_OBSERVES_POD -> {
                var object = model.pod(next, step.of());
                ledger.run(
                        next,
                        Model.nodeOf(object.node()),
                        object.there()
                                ? new LedgerCommand.ObservePod(object.observed())
                                : new LedgerCommand.LosePod(object.gone()));
            }
            case POD_ENDS -> {
                next.spend(Budget.POD_ENDS);
                next.pod(step.of(), model.id(model.pod(next, step.of()).ended()));
            }
            default -> throw new IllegalArgumentException("not of placement: " + step);
        }
    }

    private int idle(SystemState state) {
        return IntStream.range(0, RELEASER)
                .filter(placer -> model.placer(state, placer).isIdle())
                .findFirst()
                .orElseThrow();
    }

    /** A process does what its attempt decided. */
    private void takes(SystemState next, int placer, PlacementAttempt attempt, PlacementAttempt.Step step) {
        if (step instanceof PlacementAttempt.End end) {
            next.placer(placer, model.id(Placer.IDLE));
            end.release().ifPresent(hold -> release(next, hold));
            return;
        }
        next.placer(placer, model.id(Placer.at(attempt, step)));
        var request = switch (step) {
            case PlacementAttempt.Hold(var hold) -> hold;
            case PlacementAttempt.Bind(var bind) -> bind;
            case PlacementAttempt.Touch(var touch) -> touch;
            case PlacementAttempt.End end -> throw new IllegalStateException("has no request: " + end);
        };
        next.add(model.id(new Message.OfPlacer(placer, request, true)));
    }

    private void release(SystemState next, ReleaseHold hold) {
        next.add(model.id(new Message.Observed(hold.node(), new LedgerCommand.Release(hold))));
    }

    /** Delivers a message; returns whether it had an effect. */
    boolean arrives(SystemState before, SystemState next, Message.OfPlacer message) {
        Object reply = switch (message.request()) {
            case HoldRoom hold -> ledger.run(next, Model.nodeOf(hold.node()), new LedgerCommand.Hold(hold));
            case BindPod bind -> binds(next, bind);
            case TouchPod touch -> touches(next, touch);
            default -> throw new IllegalArgumentException("not played here: " + message);
        };
        if (message.awaited()) {
            next.add(model.id(new Message.ToPlacer(message.placer(), reply)));
            if (reply instanceof HoldReply) {
                exposures.requireRoom(before, next, ((HoldRoom) message.request()).node());
            }
        }
        return message.awaited() || !next.isLikeWithoutMessages(before);
    }

    private PodBinding binds(SystemState next, BindPod bind) {
        int pod = named(next, bind.uid());
        var object = model.pod(next, pod);
        if (!object.lets(bind)) {
            return new PodBinding.InDoubt("conflict");
        }
        next.pod(pod, model.id(object.bound(bind.node(), model.freshVersion(next))));
        return new PodBinding.Bound(bind.node());
    }

    private PodBinding touches(SystemState next, TouchPod touch) {
        int pod = named(next, touch.uid());
        var object = model.pod(next, pod);
        if (object.waits()) {
            next.pod(pod, model.id(object.touched(model.freshVersion(next))));
        }
        return object.shown();
    }

    private int named(SystemState state, String uid) {
        return IntStream.range(0, pods)
                .filter(pod -> model.pod(state, pod).name().equals(uid))
                .findFirst()
                .orElseThrow();
    }

    /** A reply arrives at its process; there is none where it gave up. */
    void replied(SystemState next, int placer, Optional<Object> reply) {
        var process = model.placer(next, placer);
        takes(next, placer, process.attempt().orElseThrow(), process.next(reply));
    }

    /** Marks what a process has under way as not awaited any more. */
    private void abandon(SystemState next, int placer) {
        for (int at = next.messages() - 1; at >= 0; at--) {
            switch (model.message(next.message(at))) {
                case Message.OfPlacer request
                when request.placer() == placer && request.awaited() -> {
                    next.remove(at);
                    next.add(model.id(request.abandoned()));
                    return;
                }
                case Message.ToPlacer reply
                when reply.placer() == placer -> {
                    next.remove(at);
                    return;
                }
                default -> {}
            }
        }
    }

    /** Holds may end with time. */
    void pass(SystemState next) {
        for (int node = 0; pods > 0 && node < NODES; node++) {
            ledger.run(next, node, new LedgerCommand.Tick());
        }
    }
}
