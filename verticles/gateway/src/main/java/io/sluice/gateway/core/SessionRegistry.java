package io.sluice.gateway.core;

import io.sluice.gateway.core.SessionRegistryAction.Open;
import io.sluice.gateway.core.SessionRegistryAction.Reply;
import io.sluice.gateway.core.SessionRegistryAction.Request;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The sessions for agents that have none of their own, with one request under way for each pod: requests of such an
 * agent go to the ledger in the order of arrival, or not at all.
 *
 * <p>Every ticket gets exactly one reply, unless its connection closed first.
 */
public final class SessionRegistry {
    static final int WAITING_MAX = 8;
    private static final Duration ASIDE_LEAST = Duration.ofSeconds(5);
    private static final Duration ASIDE_MOST = Duration.ofSeconds(60);

    private final String gateway;
    private final Duration waitMax;
    private final Map<String, Line> lines = new HashMap<>();
    private long runners;

    /**
     * Creates a registry.
     *
     * @param gateway names this process in the ledger; unique among all processes, former ones too
     * @param waitMax how long a request may wait for its turn; then it is dropped
     */
    public SessionRegistry(String gateway, Duration waitMax) {
        this.gateway = gateway;
        this.waitMax = waitMax;
    }

    /** Takes an event and returns the actions to execute. */
    public List<SessionRegistryAction> on(SessionRegistryEvent event, Instant now) {
        var actions = new ArrayList<SessionRegistryAction>();
        switch (event) {
            case SessionRegistryEvent.Requested(long ticket, var request) ->
                requested(new Waiting(ticket, request, now), now, actions);
            case SessionRegistryEvent.Left(var pod, long ticket) -> line(pod).ifPresent(line -> left(line, ticket));
            case SessionRegistryEvent.Opened(var pod, var runner, var reply) ->
                opening(pod, runner).ifPresent(line -> opened(line, runner, reply, now, actions));
            case SessionRegistryEvent.OpenFailed(var pod, var runner) ->
                opening(pod, runner).ifPresent(line -> finish(line, AgentAnswers.NO_ANSWER, now, actions));
            case SessionRegistryEvent.Replied(var pod, long ticket, var reply) ->
                requesting(pod, ticket).ifPresent(line -> ruled(line, reply, now, actions));
            case SessionRegistryEvent.PermitFailed(var pod, long ticket) ->
                requesting(pod, ticket).ifPresent(line -> finish(line, AgentAnswers.NO_ANSWER, now, actions));
            case SessionRegistryEvent.PodRemoved(var pod) -> line(pod).ifPresent(line -> close(pod, line, actions));
            case SessionRegistryEvent.Ticked() -> lines.values().forEach(line -> dropExpired(line, now, actions));
        }
        return actions;
    }

    private void requested(Waiting request, Instant now, List<SessionRegistryAction> actions) {
        var line = lines.computeIfAbsent(request.request.pod().uid(), uid -> new Line(shut(0, 0)));
        if (line.current.isPresent()) {
            if (line.waiting.size() >= WAITING_MAX) {
                actions.add(new Reply(request.ticket, AgentAnswers.tooManyWaiting()));
            } else {
                line.waiting.add(request);
            }
            return;
        }
        start(line, request, now, actions);
    }

    private void start(Line line, Waiting request, Instant now, List<SessionRegistryAction> actions) {
        switch (line.session) {
            case ProxySession.SteppedAside aside
            when now.isBefore(aside.until()) -> {
                var left = Duration.between(now, aside.until());
                actions.add(new Reply(request.ticket, AgentAnswers.superseded(left)));
            }
            case ProxySession.SteppedAside aside -> {
                line.session = shut(aside.lastSession(), aside.takenOver());
                start(line, request, now, actions);
            }
            case ProxySession.Shut(var runner, long lastSession, int _) -> {
                line.current = Optional.of(request);
                actions.add(new Open(request.request.pod(), request.request.opening(runner, lastSession)));
            }
            case ProxySession.Open(var runner, long session, long seq, var since, int takenOver) -> {
                line.current = Optional.of(request);
                line.session = new ProxySession.Open(runner, session, seq + 1, since, takenOver);
                actions.add(new Request(request.ticket, request.request.inSession(runner, session, seq + 1)));
            }
        }
    }

    private static void left(Line line, long ticket) {
        line.waiting.removeIf(waiting -> waiting.ticket == ticket);
        line.currentLeft |=
                line.current.filter(request -> request.ticket == ticket).isPresent();
    }

    private void opened(Line line, String runner, OpenReply reply, Instant now, List<SessionRegistryAction> actions) {
        var request = line.current.orElseThrow();
        switch (reply) {
            case OpenReply.Opened(long session, var _, boolean _) -> {
                line.session = new ProxySession.Open(runner, session, 0, now, line.session.takenOver());
                if (line.currentLeft || request.waited(waitMax, now)) {
                    finish(line, AgentAnswers.waitedTooLong(), now, actions);
                } else {
                    start(line, request, now, actions);
                }
            }
            case OpenReply.NotReady _, OpenReply.Refused _ ->
                finish(line, AgentAnswers.of(request.request, reply), now, actions);
        }
    }

    private void ruled(Line line, PermitReply reply, Instant now, List<SessionRegistryAction> actions) {
        var request = line.current.orElseThrow();
        switch (reply) {
            case PermitReply.OpenAgain(long current) -> openAgain(line, request, current, now, actions);
            // The agent used another gateway and has returned.
            case PermitReply.Superseded(long current, var runner)
            when OpenSession.byGateway(runner) -> openAgain(line, request, current, now, actions);
            case PermitReply.Superseded(long current, var _) -> {
                var aside = stepAside(line.session, current, now);
                line.session = aside;
                finish(line, AgentAnswers.superseded(Duration.between(now, aside.until())), now, actions);
            }
            case PermitReply.Ruled _,
                    PermitReply.Late _,
                    PermitReply.SeqReused _,
                    PermitReply.NotReady _,
                    PermitReply.Refused _ -> finish(line, AgentAnswers.of(request.request, reply), now, actions);
        }
    }

    /** Opens a session again, once for each request. */
    private void openAgain(Line line, Waiting request, long current, Instant now, List<SessionRegistryAction> actions) {
        line.session = shut(Math.max(current, line.session.lastSession()), line.session.takenOver());
        if (request.again) {
            finish(line, AgentAnswers.NO_ANSWER, now, actions);
        } else {
            start(line, request.repeated(), now, actions);
        }
    }

    /**
     * A take-over soon after the last one doubles the wait, as another client repeatedly opens sessions for the pod.
     */
    private static ProxySession.SteppedAside stepAside(ProxySession session, long current, Instant now) {
        boolean soon = session instanceof ProxySession.Open open
                && Duration.between(open.since(), now).compareTo(ASIDE_MOST) < 0;
        int takenOver = soon ? Math.min(session.takenOver() + 1, Integer.SIZE) : 1;
        var wait = ASIDE_LEAST.multipliedBy(1L << (takenOver - 1));
        var bounded = wait.compareTo(ASIDE_MOST) > 0 ? ASIDE_MOST : wait;
        return new ProxySession.SteppedAside(Math.max(current, session.lastSession()), now.plus(bounded), takenOver);
    }

    private void finish(Line line, HttpAnswer answer, Instant now, List<SessionRegistryAction> actions) {
        actions.add(new Reply(line.current.orElseThrow().ticket, answer));
        line.current = Optional.empty();
        line.currentLeft = false;
        dropExpired(line, now, actions);
        while (line.current.isEmpty() && !line.waiting.isEmpty()) {
            start(line, line.waiting.remove(), now, actions);
        }
    }

    private void dropExpired(Line line, Instant now, List<SessionRegistryAction> actions) {
        for (Iterator<Waiting> all = line.waiting.iterator(); all.hasNext(); ) {
            var waiting = all.next();
            if (waiting.waited(waitMax, now)) {
                all.remove();
                actions.add(new Reply(waiting.ticket, AgentAnswers.waitedTooLong()));
            }
        }
    }

    private void close(String pod, Line line, List<SessionRegistryAction> actions) {
        var gone = HttpAnswer.refusal(404, "pod not found");
        line.current.ifPresent(request -> actions.add(new Reply(request.ticket, gone)));
        line.waiting.forEach(waiting -> actions.add(new Reply(waiting.ticket, gone)));
        lines.remove(pod);
    }

    private ProxySession.Shut shut(long lastSession, int takenOver) {
        runners++;
        return new ProxySession.Shut(gateway + "-" + runners, lastSession, takenOver);
    }

    private Optional<Line> line(String pod) {
        return Optional.ofNullable(lines.get(pod));
    }

    private Optional<Line> opening(String pod, String runner) {
        return line(pod)
                .filter(line -> line.current.isPresent())
                .filter(line -> line.session instanceof ProxySession.Shut shut
                        && shut.runner().equals(runner));
    }

    private Optional<Line> requesting(String pod, long ticket) {
        return line(pod)
                .filter(line ->
                        line.current.filter(request -> request.ticket == ticket).isPresent())
                .filter(line -> line.session instanceof ProxySession.Open);
    }

    /** A request that waits for its turn. */
    private record Waiting(long ticket, AdmittedRequest request, Instant since, boolean again) {
        Waiting(long ticket, AdmittedRequest request, Instant since) {
            this(ticket, request, since, false);
        }

        boolean waited(Duration waitMax, Instant now) {
            return !now.isBefore(since.plus(waitMax));
        }

        Waiting repeated() {
            return new Waiting(ticket, request, since, true);
        }
    }

    /** One pod: its request under way, and the requests that wait. */
    private static final class Line {
        private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
        private ProxySession session;
        private Optional<Waiting> current = Optional.empty();
        private boolean currentLeft;

        Line(ProxySession session) {
            this.session = session;
        }
    }
}
