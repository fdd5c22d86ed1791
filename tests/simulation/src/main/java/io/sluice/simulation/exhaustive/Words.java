package io.sluice.simulation.exhaustive;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.vm.BindPod;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.TouchPod;
import io.sluice.units.Resources;
import java.util.ArrayList;

/** Describes steps in words, with sizes in compute units. */
final class Words {
    private final Model model;

    Words(Model model) {
        this.model = model;
    }

    String state(SystemState state) {
        var parts = new ArrayList<String>();
        for (int vm = 0; vm < Setup.VMS; vm++) {
            var object = model.vm(state, vm);
            parts.add(object + " (" + reserved(state, object) + ")");
        }
        for (int at = 0; at < state.messages(); at++) {
            parts.add("under way: " + message(state, at));
        }
        return String.join("; ", parts);
    }

    private String reserved(SystemState state, VmState object) {
        return model.node(state, Model.nodeOf(object.node()))
                .reservations()
                .find(object.pod())
                .map(reservation ->
                        "reserved " + VmState.text(reservation.amounts().reserved()))
                .orElse("not reserved");
    }

    String step(SystemState state, Step step) {
        int of = step.of();
        return switch (step.kind()) {
            case ARRIVES -> message(state, of) + " arrives" + outcome(state, of);
            case ARRIVES_AND_STAYS -> message(state, of) + " arrives, and will again" + outcome(state, of);
            case TIMES_OUT -> message(state, of) + " is given up on; it may still arrive";
            case HANGS_UP -> name(state, of) + "'s agent gives up on the gateway";
            case DRIVER_WORKS ->
                model.vm(state, of).work().isEmpty()
                        ? "the driver begins to apply " + name(state, of) + "'s size "
                                + VmState.text(model.vm(state, of).spec())
                        : "the driver is done: " + model.vm(state, of).driven();
            case LEDGER_OBSERVES -> "the ledger observes " + model.vm(state, of);
            case RUNNER_OBSERVES -> "its runner observes " + model.vm(state, of);
            case OBSERVATION_WAITS -> "an observation of " + model.vm(state, of) + " is delayed";
            case LOAD_FALLS -> name(state, of) + "'s load falls";
            case LOAD_RISES -> name(state, of) + "'s load rises";
            case RUNNER_CRASHES -> name(state, of) + "'s runner crashes";
            case RUNNER_STARTS -> "a runner starts for " + name(state, of);
            case IS_SWITCHED_OFF -> "a user switches " + name(state, of) + "'s autoscaling off";
            case RECLAIM_BEGINS -> "the fence of " + name(state, of) + " is claimed to reclaim what it does not use";
            case FULL_LIST_BEGINS -> "a full list of " + Setup.NODES.get(of) + " is taken";
            case SHORT_TIME_PASSES -> Timing.SHORT_STEP + " s pass";
            case LONG_TIME_PASSES -> Timing.LONG_STEP + " s pass: no permit lives that long";
            case STATE_IS_LOST -> "all ledger processes lose their state";
            case LEDGER_DIES -> "a ledger process dies";
            case LEDGER_IS_CUT_OFF -> "a ledger process is cut off, and keeps its state";
            case LEDGER_COPIES -> "all ledger processes have the newest state again";
            case STALE_LEDGER_RETURNS -> "the one that was cut off returns, and its state is taken over";
            case ATTEMPT_BEGINS -> "a process begins to place " + pod(state, of) + " on " + nodeOfPod(of);
            case HOLD_IS_LEFT_OVER -> "the hold for " + pod(state, of) + " on " + nodeOfPod(of) + " is left over";
            case PLACER_CRASHES -> "process " + (of + 1) + " crashes, which places pods";
            case LEDGER_OBSERVES_POD -> "the ledger observes " + model.pod(state, of);
            case POD_ENDS -> "pod " + model.pod(state, of).name() + " ends";
        };
    }

    private String pod(SystemState state, int of) {
        return "pod " + model.pod(state, of / Setup.NODES.size()).name();
    }

    private static String nodeOfPod(int of) {
        return Setup.NODES.get(of % Setup.NODES.size());
    }

    private String outcome(SystemState state, int at) {
        var next = state.copy();
        var ledger = new LedgerSteps(model);
        var reply = switch (model.message(state.message(at))) {
            case Message.ToLedger toLedger -> ledger.run(next, toLedger.command());
            case Message.Observed(var node, var command) -> ledger.run(next, Model.nodeOf(node), command);
            case Message.OfPlacer(var _, HoldRoom hold, var _) ->
                ledger.run(next, Model.nodeOf(hold.node()), new LedgerCommand.Hold(hold));
            default -> null;
        };
        if (reply == null) {
            return "";
        }
        var text = new StringBuilder(": ").append(content(reply)).append("; reserved");
        for (int vm = 0; vm < Setup.VMS; vm++) {
            var object = model.vm(next, vm);
            model.node(next, Model.nodeOf(object.node()))
                    .reservations()
                    .find(object.pod())
                    .ifPresent(reservation -> text.append(' ')
                            .append(object.kind().name())
                            .append('=')
                            .append(VmState.text(reservation.amounts().reserved())));
        }
        for (int node = 0; node < Setup.NODES.size(); node++) {
            for (int pod = 0; pod < model.setup().pods().size(); pod++) {
                model.node(next, node)
                        .reservations()
                        .find(model.pod(next, pod).name())
                        .ifPresent(reservation -> text.append(' ')
                                .append(reservation.id())
                                .append('=')
                                .append(VmState.text(reservation.amounts().reserved())));
            }
        }
        return text.toString();
    }

    private String name(SystemState state, int vm) {
        return model.vm(state, vm).kind().name();
    }

    private String message(SystemState state, int at) {
        return switch (model.message(state.message(at))) {
            case Message.ToLedger toLedger -> late(toLedger) + command(toLedger.command());
            case Message.Observed observed -> command(observed.command());
            case Message.ToClaim claim ->
                late(claim) + "the claim of " + name(state, claim.vm()) + "'s fence by "
                        + claim.claim().runner();
            case Message.ToPatch patch ->
                late(patch) + "the patch of " + name(state, patch.vm()) + " to "
                        + VmState.text(patch.patch().target());
            case Message.OfPlacer request -> late(request) + request(request.request());
            case Message.ToPlacer reply ->
                "to process " + (reply.placer() + 1) + ", which places pods: " + content(reply.content());
            case Message.Reply reply -> "to " + name(state, reply.vm()) + "'s agent: " + content(reply.content());
        };
    }

    private static String late(Message.Exchanged message) {
        return message.awaited() ? "" : "(late) ";
    }

    private static String command(LedgerCommand<?> command) {
        return switch (command) {
            case LedgerCommand.Open(var request) -> request.runner() + " opens a session";
            case LedgerCommand.RequestPermit request -> request(request.request());
            case LedgerCommand.Load(var list) ->
                "the full list of " + list.node().node();
            case LedgerCommand.ReclaimReservation(var read) ->
                "the reclaiming of " + read.pod() + " down to " + VmState.text(read.amounts());
            case LedgerCommand.ObserveVm(var observed) ->
                "an observation of " + observed.podName() + " in use "
                        + VmState.text(observed.sizes().inUse());
            case LedgerCommand.Release release -> "the release of pod " + release.pod() + " by " + release.attempt();
            default -> command.toString();
        };
    }

    private static String request(Object request) {
        return switch (request) {
            case HoldRoom hold -> "the hold for pod " + hold.name() + " on " + hold.node() + " for " + hold.attempt();
            case BindPod bind -> "the Binding of pod " + bind.name() + " to " + bind.node();
            case TouchPod touch -> "the touch of pod " + touch.name();
            default -> request.toString();
        };
    }

    private static String request(PermitRequest request) {
        return request.runner() + " requests " + VmState.text(request.target()) + " (session " + request.session()
                + "." + request.seq() + ", last permit "
                + request.lastPermit().map(VmState::text).orElse("not named") + ")";
    }

    private static String content(Object content) {
        return switch (content) {
            case PermitReply.Ruled ruled -> "permit " + VmState.text(ruled.permit());
            case OpenReply.Opened opened ->
                "session " + opened.session() + ", reserved " + amount(opened.reserved())
                        + (opened.recovered() ? ", recovered" : "");
            case ClaimReply.Claimed claimed ->
                "the fence is claimed, the VM is " + (claimed.settled() ? "at its size" : "busy");
            default -> content.toString();
        };
    }

    private static String amount(Resources amount) {
        return VmState.text(amount);
    }
}
