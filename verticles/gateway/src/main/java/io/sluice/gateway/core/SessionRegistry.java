package io.sluice.gateway.core;

import io.sluice.gateway.core.SessionRegistryAction.Open;
import io.sluice.gateway.core.SessionRegistryAction.Reply;
import io.sluice.gateway.core.SessionRegistryAction.Request;
import io.sluice.messages.ledger.OpenReply;
import io.sluice.messages.ledger.OpenSession;
import io.sluice.messages.ledger.PermitReply;
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
 * Holds sessions in the name of agents that know none, with one question in flight for each member, so that what such
 * an agent sends is put to the ledger in the order in which it came, or not at all.
 *
 * <p>Every ticket is answered exactly once, unless its connection closed first.
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
     * A desk.
     *
     * @param gateway names this process in the ledger, unlike any other that ever was
     * @param waitMax a question that waited so long for its turn is dropped
     */
    public SessionRegistry(String gateway, Duration waitMax) {
        this.gateway = gateway;
        this.waitMax = waitMax;
    }

    /** Hears what happened and says what is to be done. */
    public List<SessionRegistryAction> on(SessionRegistryEvent event, Instant now) {
        var actions = new ArrayList<SessionRegistryAction>();
        switch (event) {
            case SessionRegistryEvent.Asked(long ticket, var question) ->
                asked(new Waiting(ticket, question, now), now, actions);
            case SessionRegistryEvent.Left(var member, long ticket) ->
                line(member).ifPresent(line -> left(line, ticket));
            case SessionRegistryEvent.Opened(var member, var runner, var reply) ->
                opening(member, runner).ifPresent(line -> opened(line, runner, reply, now, actions));
            case SessionRegistryEvent.OpenFailed(var member, var runner) ->
                opening(member, runner).ifPresent(line -> finish(line, AgentAnswers.NO_ANSWER, now, actions));
            case SessionRegistryEvent.Ruled(var member, long ticket, var reply) ->
                asking(member, ticket).ifPresent(line -> ruled(line, reply, now, actions));
            case SessionRegistryEvent.PermitFailed(var member, long ticket) ->
                asking(member, ticket).ifPresent(line -> finish(line, AgentAnswers.NO_ANSWER, now, actions));
            case SessionRegistryEvent.PodRemoved(var member) ->
                line(member).ifPresent(line -> close(member, line, actions));
            case SessionRegistryEvent.Ticked() -> lines.values().forEach(line -> dropExpired(line, now, actions));
        }
        return actions;
    }

    private void asked(Waiting asked, Instant now, List<SessionRegistryAction> actions) {
        var line = lines.computeIfAbsent(asked.question.member().uid(), uid -> new Line(shut(0, 0)));
        if (line.current.isPresent()) {
            if (line.waiting.size() >= WAITING_MAX) {
                actions.add(new Reply(asked.ticket, AgentAnswers.tooManyWaiting()));
            } else {
                line.waiting.add(asked);
            }
            return;
        }
        start(line, asked, now, actions);
    }

    private void start(Line line, Waiting asked, Instant now, List<SessionRegistryAction> actions) {
        switch (line.standing) {
            case ProxySession.SteppedAside aside
            when now.isBefore(aside.until()) -> {
                var left = Duration.between(now, aside.until());
                actions.add(new Reply(asked.ticket, AgentAnswers.superseded(left)));
            }
            case ProxySession.SteppedAside aside -> {
                line.standing = shut(aside.lastSession(), aside.takenOver());
                start(line, asked, now, actions);
            }
            case ProxySession.Shut(var runner, long lastSession, int _) -> {
                line.current = Optional.of(asked);
                actions.add(new Open(asked.question.member(), asked.question.opening(runner, lastSession)));
            }
            case ProxySession.Open(var runner, long session, long seq, var since, int takenOver) -> {
                line.current = Optional.of(asked);
                line.standing = new ProxySession.Open(runner, session, seq + 1, since, takenOver);
                actions.add(new Request(asked.ticket, asked.question.inSession(runner, session, seq + 1)));
            }
        }
    }

    private static void left(Line line, long ticket) {
        line.waiting.removeIf(waiting -> waiting.ticket == ticket);
        line.currentLeft |= line.current.filter(asked -> asked.ticket == ticket).isPresent();
    }

    private void opened(Line line, String runner, OpenReply reply, Instant now, List<SessionRegistryAction> actions) {
        var asked = line.current.orElseThrow();
        switch (reply) {
            case OpenReply.Opened(long session, var _, boolean _) -> {
                line.standing = new ProxySession.Open(runner, session, 0, now, line.standing.takenOver());
                if (line.currentLeft || asked.waited(waitMax, now)) {
                    finish(line, AgentAnswers.waitedTooLong(), now, actions);
                } else {
                    start(line, asked, now, actions);
                }
            }
            case OpenReply.NotReady _, OpenReply.Refused _ ->
                finish(line, AgentAnswers.of(asked.question, reply), now, actions);
        }
    }

    private void ruled(Line line, PermitReply reply, Instant now, List<SessionRegistryAction> actions) {
        var asked = line.current.orElseThrow();
        switch (reply) {
            case PermitReply.OpenAgain(long current) -> openAgain(line, asked, current, now, actions);
            // The agent went to another gateway, and is back.
            case PermitReply.Superseded(long current, var runner)
            when OpenSession.byGateway(runner) -> openAgain(line, asked, current, now, actions);
            case PermitReply.Superseded(long current, var _) -> {
                var aside = stepAside(line.standing, current, now);
                line.standing = aside;
                finish(line, AgentAnswers.superseded(Duration.between(now, aside.until())), now, actions);
            }
            case PermitReply.Ruled _,
                    PermitReply.Late _,
                    PermitReply.SeqReused _,
                    PermitReply.NotReady _,
                    PermitReply.Refused _ -> finish(line, AgentAnswers.of(asked.question, reply), now, actions);
        }
    }

    /** Once for each request. */
    private void openAgain(Line line, Waiting asked, long current, Instant now, List<SessionRegistryAction> actions) {
        line.standing = shut(Math.max(current, line.standing.lastSession()), line.standing.takenOver());
        if (asked.again) {
            finish(line, AgentAnswers.NO_ANSWER, now, actions);
        } else {
            start(line, asked.repeated(), now, actions);
        }
    }

    /** A take-over soon after the last one doubles the wait, as there is somebody who wants the member as much. */
    private static ProxySession.SteppedAside stepAside(ProxySession standing, long current, Instant now) {
        boolean soon = standing instanceof ProxySession.Open open
                && Duration.between(open.since(), now).compareTo(ASIDE_MOST) < 0;
        int takenOver = soon ? Math.min(standing.takenOver() + 1, Integer.SIZE) : 1;
        var wait = ASIDE_LEAST.multipliedBy(1L << (takenOver - 1));
        var bounded = wait.compareTo(ASIDE_MOST) > 0 ? ASIDE_MOST : wait;
        return new ProxySession.SteppedAside(Math.max(current, standing.lastSession()), now.plus(bounded), takenOver);
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

    private void close(String member, Line line, List<SessionRegistryAction> actions) {
        var gone = HttpAnswer.refusal(404, "pod not found");
        line.current.ifPresent(asked -> actions.add(new Reply(asked.ticket, gone)));
        line.waiting.forEach(waiting -> actions.add(new Reply(waiting.ticket, gone)));
        lines.remove(member);
    }

    private ProxySession.Shut shut(long lastSession, int takenOver) {
        runners++;
        return new ProxySession.Shut(gateway + "-" + runners, lastSession, takenOver);
    }

    private Optional<Line> line(String member) {
        return Optional.ofNullable(lines.get(member));
    }

    private Optional<Line> opening(String member, String runner) {
        return line(member)
                .filter(line -> line.current.isPresent())
                .filter(line -> line.standing instanceof ProxySession.Shut shut
                        && shut.runner().equals(runner));
    }

    private Optional<Line> asking(String member, long ticket) {
        return line(member)
                .filter(line ->
                        line.current.filter(asked -> asked.ticket == ticket).isPresent())
                .filter(line -> line.standing instanceof ProxySession.Open);
    }

    /** A question in the line of its member. */
    private record Waiting(long ticket, AdmittedRequest question, Instant since, boolean again) {
        Waiting(long ticket, AdmittedRequest question, Instant since) {
            this(ticket, question, since, false);
        }

        boolean waited(Duration waitMax, Instant now) {
            return !now.isBefore(since.plus(waitMax));
        }

        Waiting repeated() {
            return new Waiting(ticket, question, since, true);
        }
    }

    /** One member: what is being asked for it, and what waits behind that. */
    private static final class Line {
        private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
        private ProxySession standing;
        private Optional<Waiting> current = Optional.empty();
        private boolean currentLeft;

        Line(ProxySession standing) {
            this.standing = standing;
        }
    }
}
