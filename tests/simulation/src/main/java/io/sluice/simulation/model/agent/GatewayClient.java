package io.sluice.simulation.model.agent;

import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.gateway.core.AdmittedRequest;
import io.sluice.gateway.core.AgentPod;
import io.sluice.gateway.core.AgentRequest;
import io.sluice.gateway.core.SessionRegistry;
import io.sluice.gateway.core.SessionRegistryAction;
import io.sluice.gateway.core.SessionRegistryEvent;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.permit.KindDecision;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The HTTP connection of an agent of the reference, and the gateway's real core at its other end, which opens a session
 * for the agent.
 */
public final class GatewayClient {
    private static final long NO_SESSION = 1L << 62;
    private static final Duration UNLIMITED = Duration.ofHours(1);

    private static final int OK = 200;

    /** What the gateway awaits from the ledger. */
    public enum Awaits {
        /** No reply. */
        NOTHING,
        /** A reply with a session. */
        SESSION,
        /** A reply with a permit. */
        PERMIT
    }

    private final SessionRegistry registry;
    private final boolean namesPermit;
    private final List<LedgerCommand<?>> commands = new ArrayList<>();
    private final List<RunnerEvent> answers = new ArrayList<>();
    private Optional<PermitRequest> requested = Optional.empty();
    private Optional<Resources> permitted = Optional.empty();
    private boolean moving;
    private Awaits underWay = Awaits.NOTHING;
    private String pod = "";
    private String opener = "";
    private long number;
    private long ticket;
    private long requesting;
    private long copies;

    /**
     * A connection to that gateway.
     *
     * @param waitMax the gateway drops a request that waited that long for its turn
     * @param namesPermit whether the agent reports its last permit
     */
    public GatewayClient(String gateway, Duration waitMax, boolean namesPermit) {
        registry = new SessionRegistry(gateway, waitMax);
        this.namesPermit = namesPermit;
    }

    /**
     * The event of an opened session. An agent of the reference opens no session, and uses the observed size of its VM.
     */
    public static RunnerEvent opened(long number, VmObserved observed) {
        return new RunnerEvent.SessionAnswered(
                number, new OpenReply.Opened(NO_SESSION, observed.sizes().inUse(), false));
    }

    /** The event of a claimed fence. An agent of the reference writes no fence. */
    public static RunnerEvent claimed(long number, ClaimVm claim, VmObserved observed) {
        return new RunnerEvent.ClaimAnswered(
                number, new ClaimReply.Claimed(claim.runner() + "/0", observed.sizes(), true, Optional.empty()));
    }

    /** Sends a request of the agent. */
    public void request(long requestNumber, PermitRequest request, Instant now) {
        requested = Optional.of(request);
        number = requestNumber;
        ticket++;
        pod = request.pod();
        perform(registry.on(new SessionRegistryEvent.Requested(ticket, request(request)), now));
    }

    /** Sends the same request on another connection; the reply is not read. */
    void requestAgain(PermitRequest request, Instant now) {
        copies++;
        perform(registry.on(new SessionRegistryEvent.Requested(-copies, request(request)), now));
    }

    private AdmittedRequest request(PermitRequest request) {
        var of = new AgentPod(request.pod(), request.node(), request.pod(), request.pod(), 1, false);
        return new AdmittedRequest(
                of,
                request.computeUnit(),
                request.target(),
                request.lastPermit().filter(permit -> namesPermit),
                request.load1(),
                new AgentRequest.Speaker.WithoutSession(),
                false,
                Optional.empty());
    }

    /** Closes the connection of the agent if it still waits. */
    public void hangUp(Instant now) {
        if (requested.isPresent()) {
            perform(registry.on(new SessionRegistryEvent.Left(pod, ticket), now));
            lost();
        }
    }

    /** Advances the gateway's core to that time. */
    public void tick(Instant now) {
        perform(registry.on(new SessionRegistryEvent.Ticked(), now));
    }

    /** Passes a reply of the ledger to the gateway. */
    public void replied(Object content, Instant now) {
        underWay = Awaits.NOTHING;
        switch (content) {
            case OpenReply reply -> perform(registry.on(new SessionRegistryEvent.Opened(pod, opener, reply), now));
            case PermitReply reply -> {
                moving = reply instanceof PermitReply.Ruled ruled && ruled.migrating();
                permitted = switch (reply) {
                    case PermitReply.Ruled ruled -> Optional.of(ruled.permit());
                    case PermitReply.Late late -> Optional.of(late.permit());
                    default -> Optional.empty();
                };
                perform(registry.on(new SessionRegistryEvent.Replied(pod, requesting, reply), now));
                permitted = Optional.empty();
            }
            default -> throw new IllegalArgumentException("no reply of the ledger: " + content);
        }
    }

    /** Passes a time-out of the ledger to the gateway. */
    public void timedOut(Instant now) {
        var request = underWay;
        underWay = Awaits.NOTHING;
        perform(registry.on(
                request == Awaits.SESSION
                        ? new SessionRegistryEvent.OpenFailed(pod, opener)
                        : new SessionRegistryEvent.PermitFailed(pod, requesting),
                now));
    }

    private void perform(List<SessionRegistryAction> actions) {
        for (var action : actions) {
            switch (action) {
                case SessionRegistryAction.Open(var _, var opening) -> {
                    opener = opening.runner();
                    underWay = Awaits.SESSION;
                    commands.add(new LedgerCommand.Open(opening));
                }
                case SessionRegistryAction.Request(var of, var request) -> {
                    requesting = of;
                    underWay = Awaits.PERMIT;
                    commands.add(new LedgerCommand.RequestPermit(request));
                }
                case SessionRegistryAction.Reply(long to, var answer) -> answered(to, answer.status());
            }
        }
    }

    /** The outcome that an agent derives from a reply that has only a permit. */
    private static KindDecision ruling(long requested, long permit) {
        var outcome = permit < requested ? KindDecision.Rule.CUT_TO_ROOM : KindDecision.Rule.GRANTED;
        return new KindDecision(outcome, 0, requested, permit, 0, 0, 0);
    }

    private void answered(long to, int status) {
        if (requested.isEmpty() || to != ticket) {
            return;
        }
        if (status == OK && permitted.isPresent()) {
            var request = requested.get();
            requested = Optional.empty();
            answers.add(new RunnerEvent.PermitAnswered(
                    number,
                    new PermitReply.Ruled(
                            request.session(),
                            request.seq(),
                            permitted.get(),
                            UNLIMITED,
                            moving,
                            ruling(request.target().milliCpu(), permitted.get().milliCpu()),
                            ruling(
                                    request.target().memoryBytes(),
                                    permitted.get().memoryBytes()))));
        } else {
            lost();
        }
    }

    private void lost() {
        requested = Optional.empty();
        answers.add(new RunnerEvent.RequestFailed(number, "no permit"));
    }

    /** The commands that the gateway sends to the ledger since the last call. */
    public List<LedgerCommand<?>> takeCommands() {
        var taken = List.copyOf(commands);
        commands.clear();
        return taken;
    }

    /** The replies that the agent receives since the last call. */
    public List<RunnerEvent> takeAnswers() {
        var taken = List.copyOf(answers);
        answers.clear();
        return taken;
    }

    /** Whether the agent awaits a reply. */
    public boolean awaited() {
        return requested.isPresent();
    }

    /** Whether the agent awaits the permit that the gateway awaits, and not a later one. */
    boolean isNewest() {
        return requested.isPresent() && requesting == ticket && underWay == Awaits.PERMIT;
    }

    /** What the gateway awaits from the ledger. */
    public Awaits awaits() {
        return underWay;
    }
}
