package io.sluice.gateway;

import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.gateway.core.Admission;
import io.sluice.gateway.core.AdmittedRequest;
import io.sluice.gateway.core.AgentAnswers;
import io.sluice.gateway.core.AgentRequest.Speaker;
import io.sluice.gateway.core.Caller;
import io.sluice.gateway.core.ConcurrencyLimiter;
import io.sluice.gateway.core.EventLoopLag;
import io.sluice.gateway.core.HttpAnswer;
import io.sluice.gateway.core.IdentityResult;
import io.sluice.gateway.core.PodIndex;
import io.sluice.gateway.core.RateLimiter;
import io.sluice.gateway.core.SessionRegistry;
import io.sluice.gateway.core.SessionRegistryAction;
import io.sluice.gateway.core.SessionRegistryEvent;
import io.sluice.gateway.listener.ListenerSpec;
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
final class AgentApi {
    private static final Logger LOG = LoggerFactory.getLogger(AgentApi.class);
    private static final Duration BODY_WITHIN = Duration.ofSeconds(5);
    private static final Duration LAG_PACE = Duration.ofMillis(50);
    private static final Future<IdentityResult> ANYBODY = Future.succeededFuture(IdentityResult.ANYBODY);

    private final Bus bus;
    private final AgentListenerConfig config;
    private final Shell shell;
    private final PodIndex pods;
    private final Optional<AgentIdentity> identity;
    private final RateLimiter rate;
    private final SessionRegistry desk;
    private final Map<Long, Exchange> tickets = new HashMap<>();
    private long lastTicket;
    private final AgentApiMetrics meters;
    private final Map<Exchange, Instant> awaited = new LinkedHashMap<>();
    private final ConcurrencyLimiter crowd;
    private final EventLoopLag lag;

    /** @param identity who tells agents from others; empty where everybody may ask for any pod */
    AgentApi(
            Vertx vertx,
            Bus bus,
            AgentListenerConfig config,
            Shell shell,
            PodIndex pods,
            Optional<AgentIdentity> identity) {
        this.bus = bus;
        this.config = config;
        this.shell = shell;
        this.pods = pods;
        this.identity = identity;
        rate = new RateLimiter(config.ratePerPod(), config.burstPerPod());
        String process = HexFormat.of().toHexDigits(shell.random().nextLong());
        desk = new SessionRegistry(OpenSession.gateway(process), config.waitMax());
        meters = new AgentApiMetrics(shell.meters());
        crowd = new ConcurrencyLimiter(config.inFlightMax());
        lag = new EventLoopLag(LAG_PACE, config.lagMax(), now());
        vertx.setPeriodic(LAG_PACE.toMillis(), timer -> lag.ticked(now()));
        meters.watch(pods, crowd);
    }

    /** What stands behind its door. */
    ListenerSpec doorway() {
        var doorway = ListenerSpec.of(AgentListenerConfig.SECTION, this::handle)
                .expecting(ListenerSpec.Kind.PRIVATE)
                .named(config.names())
                .keeping(config.connectionsMax(), config.connectionsPerAddressMax());
        return identity.isPresent() ? doorway.reviewingTokens() : doorway;
    }

    /** To be called a few times a second: drops questions that waited too long. */
    void tick() {
        tell(new SessionRegistryEvent.Ticked());
        rate.tidy(now());
        identity.ifPresent(AgentIdentity::tidy);
        giveUpLateBodies(now());
    }

    /** Forgets a pod. */
    void forget(String member) {
        tell(new SessionRegistryEvent.PodRemoved(member));
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
    private void await(Exchange exchange, Future<IdentityResult> who) {
        who.onSuccess(found -> turnAway(exchange, found));
        awaited.put(exchange, now());
        exchange.body()
                .onComplete(settled -> awaited.remove(exchange))
                .onFailure(late -> exchange.answer(AgentAnswers.BODY_LATE))
                .onSuccess(body -> who.onSuccess(found -> guarded(exchange, found, body)));
    }

    private static void turnAway(Exchange exchange, IdentityResult found) {
        switch (found) {
            case IdentityResult.Agent _ -> {}
            case IdentityResult.Stranger(var _, var answer, var _) -> exchange.answer(answer);
            case IdentityResult.Unknown(var answer) -> exchange.answer(answer);
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
    private void guarded(Exchange exchange, IdentityResult found, byte[] body) {
        try {
            if (found instanceof IdentityResult.Agent(var caller)) {
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

    private void ask(Exchange exchange, AdmittedRequest question) {
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

    private void queue(Exchange exchange, AdmittedRequest question) {
        long ticket = ++lastTicket;
        tickets.put(ticket, exchange);
        exchange.whenOver(code -> {
            meters.ended(exchange, code);
            if (tickets.remove(ticket) != null) {
                tell(new SessionRegistryEvent.Left(question.member().uid(), ticket));
            }
        });
        tell(new SessionRegistryEvent.Asked(ticket, question));
    }

    private void tell(SessionRegistryEvent event) {
        desk.on(event, now()).forEach(this::perform);
    }

    private void perform(SessionRegistryAction action) {
        switch (action) {
            case SessionRegistryAction.Reply(long ticket, var answer) -> {
                var exchange = tickets.remove(ticket);
                if (exchange != null) {
                    exchange.answer(answer);
                }
            }
            case SessionRegistryAction.Request(long ticket, var request) ->
                bus.request(LedgerAddresses.PERMIT, request)
                        .onSuccess(reply -> tell(new SessionRegistryEvent.Ruled(request.member(), ticket, reply)))
                        .onFailure(lost -> tell(new SessionRegistryEvent.PermitFailed(request.member(), ticket)));
            case SessionRegistryAction.Open open -> open(open);
        }
    }

    private void open(SessionRegistryAction.Open open) {
        String member = open.opening().member();
        String runner = open.opening().runner();
        bus.request(LedgerAddresses.OPEN, open.opening())
                .onSuccess(reply -> {
                    noteOpened(open, reply);
                    tell(new SessionRegistryEvent.Opened(member, runner, reply));
                })
                .onFailure(lost -> tell(new SessionRegistryEvent.OpenFailed(member, runner)));
    }

    /** Whoever spoke for the VM before is superseded by this; an operator who runs two agents should find out why. */
    private void noteOpened(SessionRegistryAction.Open open, OpenReply reply) {
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
