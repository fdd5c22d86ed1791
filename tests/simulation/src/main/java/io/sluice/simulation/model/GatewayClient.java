package io.sluice.simulation.model;

import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.gateway.core.AdmittedRequest;
import io.sluice.gateway.core.AgentPod;
import io.sluice.gateway.core.AgentRequest;
import io.sluice.gateway.core.SessionRegistry;
import io.sluice.gateway.core.SessionRegistryAction;
import io.sluice.gateway.core.SessionRegistryEvent;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.KindDecision;
import io.sluice.messages.ledger.OpenReply;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The HTTP connection of an agent without sessions, and the gateway's real core at its other end, which opens a session
 * in the agent's name.
 */
public final class GatewayClient {
    private static final long NO_SESSION = 1L << 62;
    private static final Duration UNLIMITED = Duration.ofHours(1);

    private static final int OK = 200;

    /** What the gateway awaits of the ledger. */
    public enum Awaits {
        /** Nothing. */
        NOTHING,
        /** A session. */
        SESSION,
        /** A permit. */
        PERMIT
    }

    private final SessionRegistry desk;
    private final boolean namesPermit;
    private final List<LedgerCommand<?>> commands = new ArrayList<>();
    private final List<RunnerEvent> answers = new ArrayList<>();
    private Optional<PermitRequest> asked = Optional.empty();
    private Optional<Resources> permitted = Optional.empty();
    private boolean moving;
    private Awaits underWay = Awaits.NOTHING;
    private String member = "";
    private String opener = "";
    private long number;
    private long ticket;
    private long asking;
    private long copies;

    /**
     * A connection to that gateway.
     *
     * @param waitMax the gateway drops a request that waited so long for its turn
     * @param namesPermit whether the agent names its last permit
     */
    public GatewayClient(String gateway, Duration waitMax, boolean namesPermit) {
        desk = new SessionRegistry(gateway, waitMax);
        this.namesPermit = namesPermit;
    }

    /** An agent of the reference opens no session, and believes its VM to be as it is shown. */
    public static RunnerEvent opened(long number, VmObserved seen) {
        return new RunnerEvent.SessionAnswered(
                number, new OpenReply.Opened(NO_SESSION, seen.sizes().inUse(), false));
    }

    /** Nor does it write a fence. */
    public static RunnerEvent claimed(long number, ClaimVm claim, VmObserved seen) {
        return new RunnerEvent.ClaimAnswered(
                number, new ClaimReply.Claimed(claim.runner() + "/0", seen.sizes(), true, Optional.empty()));
    }

    /** The agent makes a request. */
    public void ask(long requestNumber, PermitRequest request, Instant now) {
        asked = Optional.of(request);
        number = requestNumber;
        ticket++;
        member = request.member();
        perform(desk.on(new SessionRegistryEvent.Asked(ticket, question(request)), now));
    }

    /** The same request on another connection; the reply is not read. */
    void askAgain(PermitRequest request, Instant now) {
        copies++;
        perform(desk.on(new SessionRegistryEvent.Asked(-copies, question(request)), now));
    }

    private AdmittedRequest question(PermitRequest request) {
        var of = new AgentPod(request.member(), request.node(), request.member(), request.member(), 1, false);
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

    /** The agent closes the connection, where it still waits. */
    public void hangUp(Instant now) {
        if (asked.isPresent()) {
            perform(desk.on(new SessionRegistryEvent.Left(member, ticket), now));
            lost();
        }
    }

    /** Time has passed. */
    public void tick(Instant now) {
        perform(desk.on(new SessionRegistryEvent.Ticked(), now));
    }

    /** The ledger replied. */
    public void replied(Object content, Instant now) {
        underWay = Awaits.NOTHING;
        switch (content) {
            case OpenReply reply -> perform(desk.on(new SessionRegistryEvent.Opened(member, opener, reply), now));
            case PermitReply reply -> {
                moving = reply instanceof PermitReply.Ruled ruled && ruled.migrating();
                permitted = switch (reply) {
                    case PermitReply.Ruled ruled -> Optional.of(ruled.permit());
                    case PermitReply.Late late -> Optional.of(late.permit());
                    default -> Optional.empty();
                };
                perform(desk.on(new SessionRegistryEvent.Ruled(member, asking, reply), now));
                permitted = Optional.empty();
            }
            default -> throw new IllegalArgumentException("no reply of the ledger: " + content);
        }
    }

    /** The ledger did not reply in time. */
    public void timedOut(Instant now) {
        var request = underWay;
        underWay = Awaits.NOTHING;
        perform(desk.on(
                request == Awaits.SESSION
                        ? new SessionRegistryEvent.OpenFailed(member, opener)
                        : new SessionRegistryEvent.PermitFailed(member, asking),
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
                    asking = of;
                    underWay = Awaits.PERMIT;
                    commands.add(new LedgerCommand.RequestPermit(request));
                }
                case SessionRegistryAction.Reply(long to, var answer) -> answered(to, answer.status());
            }
        }
    }

    /** What an agent works out that is replied a permit alone. */
    private static KindDecision ruling(long asked, long permit) {
        var verdict = permit < asked ? KindDecision.Rule.CUT_TO_ROOM : KindDecision.Rule.GRANTED;
        return new KindDecision(verdict, 0, asked, permit, 0, 0, 0);
    }

    private void answered(long to, int status) {
        if (asked.isEmpty() || to != ticket) {
            return;
        }
        if (status == OK && permitted.isPresent()) {
            var request = asked.get();
            asked = Optional.empty();
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
        asked = Optional.empty();
        answers.add(new RunnerEvent.RequestFailed(number, "no permit"));
    }

    /** What the gateway sends to the ledger. */
    public List<LedgerCommand<?>> takeCommands() {
        var taken = List.copyOf(commands);
        commands.clear();
        return taken;
    }

    /** What the agent gets. */
    public List<RunnerEvent> takeAnswers() {
        var taken = List.copyOf(answers);
        answers.clear();
        return taken;
    }

    /** Whether the agent waits for it. */
    public boolean awaited() {
        return asked.isPresent();
    }

    /** Whether the agent waits for the permit that the gateway awaits, and not for a later one. */
    boolean isNewest() {
        return asked.isPresent() && asking == ticket && underWay == Awaits.PERMIT;
    }

    /** What it awaits of the ledger. */
    public Awaits awaits() {
        return underWay;
    }
}
