package io.sluice.gateway;

import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.gateway.core.Admission;
import io.sluice.gateway.core.AgentAnswers;
import io.sluice.gateway.core.AgentRequest.Speaker;
import io.sluice.gateway.core.Caller;
import io.sluice.gateway.core.Crowd;
import io.sluice.gateway.core.DeskAction;
import io.sluice.gateway.core.DeskEvent;
import io.sluice.gateway.core.HttpAnswer;
import io.sluice.gateway.core.Identified;
import io.sluice.gateway.core.Lag;
import io.sluice.gateway.core.PodBook;
import io.sluice.gateway.core.Question;
import io.sluice.gateway.core.RateGate;
import io.sluice.gateway.core.SessionDesk;
import io.sluice.gateway.door.Doorway;
import io.sluice.messages.ledger.OpenReply;
import io.sluice.messages.ledger.OpenSession;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where agents ask for permits over HTTP: any path, always POST. All of it runs on one event loop. */
final class AgentDoor {
    private static final Logger LOG = LoggerFactory.getLogger(AgentDoor.class);
    private static final Duration BODY_WITHIN = Duration.ofSeconds(5);
    private static final Duration LAG_PACE = Duration.ofMillis(50);
    private static final Future<Identified> ANYBODY = Future.succeededFuture(Identified.ANYBODY);

    private final Bus bus;
    private final AgentDoorConfig config;
    private final Shell shell;
    private final PodBook pods;
    private final Optional<AgentIdentity> identity;
    private final RateGate rate;
    private final SessionDesk desk;
    private final Map<Long, Exchange> tickets = new HashMap<>();
    private long lastTicket;
    private final AgentMeters meters;
    private final Map<Exchange, Instant> awaited = new LinkedHashMap<>();
    private final Crowd crowd;
    private final Lag lag;

    /** @param identity who tells agents from others; empty where everybody may ask for any pod */
    AgentDoor(
            Vertx vertx, Bus bus, AgentDoorConfig config, Shell shell, PodBook pods, Optional<AgentIdentity> identity) {
        this.bus = bus;
        this.config = config;
        this.shell = shell;
        this.pods = pods;
        this.identity = identity;
        rate = new RateGate(config.ratePerPod(), config.burstPerPod());
        String process = HexFormat.of().toHexDigits(shell.random().nextLong());
        desk = new SessionDesk(OpenSession.gateway(process), config.waitMax());
        meters = new AgentMeters(shell.meters());
        crowd = new Crowd(config.inFlightMax());
        lag = new Lag(LAG_PACE, config.lagMax(), now());
        vertx.setPeriodic(LAG_PACE.toMillis(), timer -> lag.ticked(now()));
        meters.watch(pods, crowd);
    }

    /** What stands behind its door. */
    Doorway doorway() {
        var doorway = Doorway.of(AgentDoorConfig.SECTION, this::handle)
                .expecting(Doorway.Kind.PRIVATE)
                .named(config.names())
                .keeping(config.connectionsMax(), config.connectionsPerAddressMax());
        return identity.isPresent() ? doorway.reviewingTokens() : doorway;
    }

    /** To be called a few times a second: drops questions that waited too long. */
    void tick() {
        tell(new DeskEvent.Ticked());
        rate.tidy(now());
        identity.ifPresent(AgentIdentity::tidy);
        giveUpLateBodies(now());
    }

    /** Forgets a pod. */
    void forget(String member) {
        tell(new DeskEvent.MemberGone(member));
        rate.forget(member);
    }

    /** Whoever cannot be served is told so before anything of the request is read. */
    private void handle(HttpServerRequest request) {
        var exchange = new Exchange(request, Admission.BODY_BYTES_MAX);
        exchange.whenOver(code -> meters.ended(exchange, code));
        if (!request.method().equals(HttpMethod.POST)) {
            exchange.answer(AgentAnswers.MUST_BE_POST);
            return;
        }
        if (lag.isTooLate()) {
            exchange.answer(AgentAnswers.TOO_MANY);
            return;
        }
        var peer = request.remoteAddress().host();
        switch (crowd.enter(peer)) {
            case FULL -> exchange.answer(AgentAnswers.TOO_MANY);
            case GREEDY -> exchange.answer(AgentAnswers.TOO_MANY_OF_YOURS);
            case ADMITTED -> {
                exchange.onceOver(() -> crowd.left(peer));
                await(exchange, identity.map(asking -> asking.of(request)).orElse(ANYBODY));
            }
        }
    }

    /** Who it is, is asked while the body is on its way; whoever is turned away is so at once. */
    private void await(Exchange exchange, Future<Identified> who) {
        who.onSuccess(found -> turnAway(exchange, found));
        awaited.put(exchange, now());
        exchange.body()
                .onComplete(settled -> awaited.remove(exchange))
                .onFailure(late -> exchange.answer(AgentAnswers.BODY_LATE))
                .onSuccess(body -> who.onSuccess(found -> guarded(exchange, found, body)));
    }

    private static void turnAway(Exchange exchange, Identified found) {
        switch (found) {
            case Identified.Agent _ -> {}
            case Identified.Stranger(var _, var answer, var _) -> exchange.answer(answer);
            case Identified.Unknown(var answer) -> exchange.answer(answer);
        }
    }

    /** The oldest come first. One timer for all of them is cheaper than one for each. */
    private void giveUpLateBodies(Instant now) {
        var end = now.minus(BODY_WITHIN);
        var late = awaited.entrySet().stream()
                .takeWhile(waiting -> !waiting.getValue().isAfter(end))
                .map(Map.Entry::getKey)
                .toList();
        late.forEach(exchange -> exchange.bodyLate(BODY_WITHIN));
    }

    /** A defect met by one request must not leave it open, nor go unheard. */
    private void guarded(Exchange exchange, Identified found, byte[] body) {
        try {
            if (found instanceof Identified.Agent(var caller)) {
                admit(exchange, caller, body);
            }
        } catch (RuntimeException defect) {
            LOG.atError().setCause(defect).log("A request met a defect of the program.");
            exchange.answer(AgentAnswers.DEFECT);
        }
    }

    private void admit(Exchange exchange, Caller caller, byte[] body) {
        if (exchange.isOver()) {
            return;
        }
        switch (Admission.of(body, pods, caller)) {
            case Admission.Turned(var answer, var node) -> {
                node.ifPresent(exchange::understood);
                exchange.answer(answer);
            }
            case Admission.Elsewhere(var callersNode, var member) -> {
                exchange.understood(member.node());
                identity.ifPresent(asking -> asking.elsewhere(caller, member));
                exchange.answer(AgentAnswers.elsewhere(callersNode, member));
            }
            case Admission.Admitted(var question) -> {
                exchange.understood(question.member().node());
                rate.pass(question.member().uid(), now())
                        .map(AgentAnswers::tooOften)
                        .ifPresentOrElse(exchange::answer, () -> ask(exchange, question));
            }
        }
    }

    private void ask(Exchange exchange, Question question) {
        switch (question.speaker()) {
            case Speaker.InSession(var runner, long session, long seq) ->
                answer(
                        exchange,
                        bus.request(LedgerAddresses.PERMIT, question.inSession(runner, session, seq))
                                .map(reply -> AgentAnswers.of(question, reply)));
            case Speaker.Opening(var runner, long lastSession) ->
                answer(
                        exchange,
                        bus.request(LedgerAddresses.OPEN, question.opening(runner, lastSession))
                                .map(reply -> AgentAnswers.of(question, reply)));
            case Speaker.WithoutSession() -> queue(exchange, question);
        }
    }

    private static void answer(Exchange exchange, Future<HttpAnswer> answer) {
        answer.onSuccess(exchange::answer).onFailure(lost -> exchange.answer(AgentAnswers.NO_ANSWER));
    }

    private void queue(Exchange exchange, Question question) {
        long ticket = ++lastTicket;
        tickets.put(ticket, exchange);
        exchange.whenOver(code -> {
            meters.ended(exchange, code);
            if (tickets.remove(ticket) != null) {
                tell(new DeskEvent.Left(question.member().uid(), ticket));
            }
        });
        tell(new DeskEvent.Asked(ticket, question));
    }

    private void tell(DeskEvent event) {
        desk.on(event, now()).forEach(this::perform);
    }

    private void perform(DeskAction action) {
        switch (action) {
            case DeskAction.Reply(long ticket, var answer) -> {
                var exchange = tickets.remove(ticket);
                if (exchange != null) {
                    exchange.answer(answer);
                }
            }
            case DeskAction.Ask(long ticket, var request) ->
                bus.request(LedgerAddresses.PERMIT, request)
                        .onSuccess(reply -> tell(new DeskEvent.Ruled(request.member(), ticket, reply)))
                        .onFailure(lost -> tell(new DeskEvent.RulingLost(request.member(), ticket)));
            case DeskAction.Open open -> open(open);
        }
    }

    private void open(DeskAction.Open open) {
        String member = open.opening().member();
        String runner = open.opening().runner();
        bus.request(LedgerAddresses.OPEN, open.opening())
                .onSuccess(reply -> {
                    noteOpened(open, reply);
                    tell(new DeskEvent.Opened(member, runner, reply));
                })
                .onFailure(lost -> tell(new DeskEvent.OpenLost(member, runner)));
    }

    /** Whoever spoke for the VM before is superseded by this; an operator who runs two agents should find out why. */
    private void noteOpened(DeskAction.Open open, OpenReply reply) {
        if (reply instanceof OpenReply.Opened) {
            meters.opened();
            var level = open.member().claimed() ? LOG.atWarn() : LOG.atInfo();
            level.addKeyValue(LogKeys.VM, open.member().vm())
                    .addKeyValue(LogKeys.POD, open.member().pod())
                    .addKeyValue(LogKeys.NODE, open.member().node())
                    .log(
                            open.member().claimed()
                                    ? "An agent without sessions speaks for a VM that bears a runner's fence."
                                    : "An agent without sessions speaks for a VM.");
        }
    }

    private Instant now() {
        return shell.clock().instant();
    }
}
