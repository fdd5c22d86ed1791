package io.sluice.gateway;

import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.gateway.core.Admission;
import io.sluice.gateway.core.AdmittedRequest;
import io.sluice.gateway.core.AgentAnswers;
import io.sluice.gateway.core.AgentRequest.Speaker;
import io.sluice.gateway.core.ConcurrencyLimiter;
import io.sluice.gateway.core.EventLoopLag;
import io.sluice.gateway.core.HttpAnswer;
import io.sluice.gateway.core.PodIndex;
import io.sluice.gateway.core.RateLimiter;
import io.sluice.gateway.core.SessionRegistry;
import io.sluice.gateway.core.SessionRegistryAction;
import io.sluice.gateway.core.SessionRegistryEvent;
import io.sluice.gateway.core.identity.IdentityResult;
import io.sluice.gateway.listener.ListenerSpec;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Shell;
import io.sluice.trace.CurrentSpan;
import io.sluice.trace.TraceSpan;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
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

/** The agent API: agents request permits over HTTP with POST on any path. All of it runs on one event loop. */
final class AgentApi {
    private static final Logger LOG = LoggerFactory.getLogger(AgentApi.class);
    private static final Duration BODY_WITHIN = Duration.ofSeconds(5);
    private static final String TRACED = "agent.request";
    private static final Duration LAG_PACE = Duration.ofMillis(50);

    private final Bus bus;
    private final AgentListenerConfig config;
    private final Shell shell;
    private final PodIndex pods;
    private final Optional<AgentIdentity> identity;
    private final RateLimiter rate;
    private final SessionRegistry registry;
    private final Map<Long, Exchange> tickets = new HashMap<>();
    private long lastTicket;
    private final AgentApiMetrics meters;
    private final Map<Exchange, Instant> awaited = new LinkedHashMap<>();
    private final ConcurrencyLimiter limiter;
    private final EventLoopLag lag;

    /** @param identity identifies agents by their tokens; empty if every client may request permits for any pod */
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
        registry = new SessionRegistry(OpenSession.gateway(process), config.waitMax());
        meters = new AgentApiMetrics(shell.meters());
        limiter = new ConcurrencyLimiter(config.inFlightMax());
        lag = new EventLoopLag(LAG_PACE, config.lagMax(), now());
        vertx.setPeriodic(LAG_PACE.toMillis(), timer -> lag.ticked(now()));
        meters.watch(pods, limiter);
    }

    /** Returns the specification of its listener. */
    ListenerSpec spec() {
        var spec = ListenerSpec.of(AgentListenerConfig.SECTION, new AgentRoute(this)::addTo)
                .expecting(ListenerSpec.Kind.PRIVATE)
                .named(config.names())
                .keeping(config.connectionsMax(), config.connectionsPerAddressMax());
        return identity.isPresent() ? spec.reviewingTokens() : spec;
    }

    /** Drops requests that have waited too long; to be called a few times a second. */
    void tick() {
        reply(new SessionRegistryEvent.Ticked());
        rate.tidy(now());
        identity.ifPresent(AgentIdentity::tidy);
        giveUpLateBodies(now());
    }

    /** Removes the state kept for a pod. */
    void forget(String pod) {
        reply(new SessionRegistryEvent.PodRemoved(pod));
        rate.forget(pod);
    }

    /** Takes a request; empty if it has its reply, because it cannot be served now. */
    Optional<Exchange> admit(HttpServerRequest request) {
        var exchange = new Exchange(request);
        exchange.whenOver(code -> meters.ended(exchange, code));
        var peer = request.remoteAddress().host();
        if (!request.method().equals(HttpMethod.POST)) {
            exchange.answer(AgentAnswers.MUST_BE_POST);
        } else if (lag.isTooLate(now())) {
            exchange.answer(AgentAnswers.TOO_MANY);
        } else {
            switch (limiter.enter(peer)) {
                case FULL -> exchange.answer(AgentAnswers.TOO_MANY);
                case GREEDY -> exchange.answer(AgentAnswers.TOO_MANY_OF_YOURS);
                case ADMITTED -> {
                    awaited.put(exchange, now());
                    exchange.onceOver(() -> {
                        limiter.left(peer);
                        awaited.remove(exchange);
                    });
                    return Optional.of(exchange);
                }
            }
        }
        return Optional.empty();
    }

    /** Identifies the client; does not complete if it gets a refusal. */
    Future<Void> identify(Exchange exchange) {
        if (identity.isEmpty()) {
            return Future.succeededFuture();
        }
        var known = Promise.<Void>promise();
        identity.get().of(exchange.request()).onSuccess(found -> {
            switch (found) {
                case IdentityResult.Agent(var caller) -> {
                    exchange.identified(caller);
                    known.complete();
                }
                case IdentityResult.Stranger(var _, var answer, var _) -> exchange.answer(answer);
                case IdentityResult.Unknown(var answer) -> exchange.answer(answer);
            }
        });
        return known.future();
    }

    /** The oldest entries come first. One timer for all of them is cheaper than one for each. */
    private void giveUpLateBodies(Instant now) {
        var end = now.minus(BODY_WITHIN);
        var late = awaited.entrySet().stream()
                .takeWhile(waiting -> !waiting.getValue().isAfter(end))
                .map(Map.Entry::getKey)
                .toList();
        late.forEach(exchange -> exchange.answer(AgentAnswers.BODY_LATE));
    }

    /** Serves a request whose client is identified. */
    void serve(Exchange exchange, Buffer body) {
        awaited.remove(exchange);
        if (exchange.isOver()) {
            return;
        }
        var caller = exchange.caller();
        switch (Admission.of(body.getBytes(), pods, caller)) {
            case Admission.Turned(var answer, var node) -> {
                node.ifPresent(exchange::understood);
                exchange.answer(answer);
            }
            case Admission.Elsewhere(var callersNode, var pod) -> {
                exchange.understood(pod.node());
                identity.ifPresent(requesting -> requesting.elsewhere(caller, pod));
                exchange.answer(AgentAnswers.elsewhere(callersNode, pod));
            }
            case Admission.Admitted(var request) -> {
                exchange.understood(request.pod().node());
                trace(exchange, request);
                rate.pass(request.pod().uid(), now())
                        .map(AgentAnswers::tooOften)
                        .ifPresentOrElse(
                                exchange::answer,
                                () -> CurrentSpan.during(exchange.span(), () -> request(exchange, request)));
            }
        }
    }

    /** A request of an agent that records no traces begins one here. */
    private void trace(Exchange exchange, AdmittedRequest request) {
        var tracer = bus.tracer();
        if (!tracer.isOn()) {
            return;
        }
        var header = exchange.request().getHeader(TraceSpan.HEADER);
        var span = header == null
                ? tracer.begin(TRACED, TraceSpan.Kind.SERVER, Duration.ZERO)
                : tracer.continued(header, TRACED, TraceSpan.Kind.SERVER);
        if (span.isRecorded()) {
            exchange.traced(span.of(request.pod().vm()).on(request.pod().node()));
        }
    }

    private void request(Exchange exchange, AdmittedRequest request) {
        switch (request.speaker()) {
            case Speaker.InSession(var runner, long session, long seq) ->
                answer(
                        exchange,
                        bus.request(LedgerAddresses.PERMIT, request.inSession(runner, session, seq))
                                .map(reply -> AgentAnswers.of(request, reply)));
            case Speaker.Opening(var runner, long lastSession) ->
                answer(
                        exchange,
                        bus.request(LedgerAddresses.OPEN, request.opening(runner, lastSession))
                                .map(reply -> AgentAnswers.of(request, reply)));
            case Speaker.WithoutSession() -> queue(exchange, request);
        }
    }

    private static void answer(Exchange exchange, Future<HttpAnswer> answer) {
        answer.onSuccess(exchange::answer).onFailure(lost -> exchange.answer(AgentAnswers.NO_ANSWER));
    }

    private void queue(Exchange exchange, AdmittedRequest request) {
        long ticket = ++lastTicket;
        tickets.put(ticket, exchange);
        exchange.whenOver(code -> {
            meters.ended(exchange, code);
            if (tickets.remove(ticket) != null) {
                reply(new SessionRegistryEvent.Left(request.pod().uid(), ticket));
            }
        });
        reply(new SessionRegistryEvent.Requested(ticket, request));
    }

    private void reply(SessionRegistryEvent event) {
        registry.on(event, now()).forEach(this::perform);
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
                CurrentSpan.during(span(ticket), () -> bus.request(LedgerAddresses.PERMIT, request))
                        .onSuccess(reply -> reply(new SessionRegistryEvent.Replied(request.pod(), ticket, reply)))
                        .onFailure(lost -> reply(new SessionRegistryEvent.PermitFailed(request.pod(), ticket)));
            case SessionRegistryAction.Open open -> open(open);
        }
    }

    private TraceSpan span(long ticket) {
        var exchange = tickets.get(ticket);
        return exchange == null ? TraceSpan.NONE : exchange.span();
    }

    private void open(SessionRegistryAction.Open open) {
        String pod = open.opening().pod();
        String runner = open.opening().runner();
        bus.request(LedgerAddresses.OPEN, open.opening())
                .onSuccess(reply -> {
                    recordOpened(open, reply);
                    reply(new SessionRegistryEvent.Opened(pod, runner, reply));
                })
                .onFailure(lost -> reply(new SessionRegistryEvent.OpenFailed(pod, runner)));
    }

    /**
     * The former session of the VM is superseded by this one; the log lets an operator who runs two agents find the
     * cause.
     */
    private void recordOpened(SessionRegistryAction.Open open, OpenReply reply) {
        if (reply instanceof OpenReply.Opened) {
            meters.opened();
            var level = open.pod().claimed() ? LOG.atWarn() : LOG.atInfo();
            level.addKeyValue(LogKeys.VM, open.pod().vm())
                    .addKeyValue(LogKeys.POD, open.pod().pod())
                    .addKeyValue(LogKeys.NODE, open.pod().node())
                    .log(
                            open.pod().claimed()
                                    ? "An agent without sessions has a session for a VM with a runner's fence."
                                    : "An agent without sessions has a session for a VM.");
        }
    }

    private Instant now() {
        return shell.clock().instant();
    }
}
