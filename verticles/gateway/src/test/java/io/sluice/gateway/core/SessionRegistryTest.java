package io.sluice.gateway.core;

import static io.sluice.gateway.core.PodObservations.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.ledger.permit.NotReadyCause;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SessionRegistryTest {
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
    private static final PermitReply GRANTED = AgentAnswersTest.ruled(PodObservations.UNIT.times(2), false);
    private static final HttpAnswer OK = AgentAnswers.of(request("a", 2), GRANTED);

    private final SessionRegistry registry = new SessionRegistry("gw", Duration.ofSeconds(2));
    private final List<SessionRegistryAction> done = new ArrayList<>();
    private final Map<Long, String> openers = new HashMap<>();

    @Test
    void opensASessionOnceAndCountsItsRequests() {
        at(0, requested(1, 2));
        expect(open("gw-1", 0));
        at(0, opened("gw-1", 3));
        expect(send(1, 2, 3, 1));
        at(0, ruled(1, GRANTED));
        expect(reply(1, OK));
        at(1, requested(2, 3));
        expect(send(2, 3, 3, 2));
        at(1, requested(3, 4), ruled(2, GRANTED));
        expect(reply(2, OK), send(3, 4, 3, 3));
    }

    @Test
    void keepsOneRequestInFlightAndTheOthersInTheirOrder() {
        inSession();
        at(0, requested(1, 2), requested(2, 3), requested(3, 4));
        expect(send(1, 2, 3, 1));
        at(1, ruled(1, GRANTED));
        expect(reply(1, OK), send(2, 3, 3, 2));
        at(1, new SessionRegistryEvent.PermitFailed("pod-a", 2));
        expect(reply(2, AgentAnswers.NO_ANSWER), send(3, 4, 3, 3));
    }

    @Test
    void dropsARequestIfItsConnectionHasClosed() {
        inSession();
        at(0, requested(1, 2), requested(2, 3), requested(3, 4), new SessionRegistryEvent.Left("pod-a", 2));
        expect(send(1, 2, 3, 1));
        at(0, ruled(1, GRANTED));
        expect(reply(1, OK), send(3, 4, 3, 2));
    }

    @Test
    void dropsARequestIfItsConnectionClosedWhileTheSessionWasBeingOpened() {
        at(0, requested(1, 2), new SessionRegistryEvent.Left("pod-a", 1));
        expect(open("gw-1", 0));
        at(0, opened("gw-1", 3));
        expect(reply(1, AgentAnswers.waitedTooLong()));
        at(0, requested(2, 3));
        expect(send(2, 3, 3, 1));
    }

    @Test
    void dropsARequestThatHasWaitedTwoSeconds() {
        inSession();
        at(0, requested(1, 2), requested(2, 3));
        at(1, requested(3, 4), new SessionRegistryEvent.Ticked());
        expect(send(1, 2, 3, 1));
        at(2, new SessionRegistryEvent.Ticked());
        expect(reply(2, AgentAnswers.waitedTooLong()));
        at(2, ruled(1, GRANTED));
        expect(reply(1, OK), send(3, 4, 3, 2));
    }

    @Test
    void turnsAwayWhatIsBeyondTheQueue() {
        inSession();
        for (int i = 0; i <= SessionRegistry.WAITING_MAX; i++) {
            at(0, requested(i, 2));
        }
        expect(send(0, 2, 3, 1));
        at(0, requested(99, 2));
        expect(reply(99, AgentAnswers.tooManyWaiting()));
    }

    @Test
    void repeatsALostOpeningUnderTheSameName() {
        at(0, requested(1, 2), new SessionRegistryEvent.OpenFailed("pod-a", "gw-1"));
        expect(open("gw-1", 0), reply(1, AgentAnswers.NO_ANSWER));
        at(1, requested(2, 2));
        expect(open("gw-1", 0));
    }

    @Test
    void passesOnThatTheLedgerIsNotReady() {
        var notReady = new OpenReply.NotReady(NotReadyCause.NODE_INCOMPLETE, Duration.ofSeconds(1));
        at(0, requested(1, 2), new SessionRegistryEvent.Opened("pod-a", "gw-1", notReady));
        expect(open("gw-1", 0), reply(1, AgentAnswers.of(request("a", 2), notReady)));
    }

    @Test
    void opensAgainWhenTheLedgerStateWasLostButOnlyOncePerRequest() {
        inSession();
        at(0, requested(1, 2), ruled(1, new PermitReply.OpenAgain(1)));
        expect(send(1, 2, 3, 1), open("gw-2", 3));
        at(0, opened("gw-2", 4), ruled(1, new PermitReply.OpenAgain(5)));
        expect(send(1, 2, 4, 1), reply(1, AgentAnswers.NO_ANSWER));
        at(0, requested(2, 2));
        expect(open("gw-3", 5));
    }

    @Test
    void stepsAsideForASessionThatSupersedesIt() {
        inSession();
        at(1, requested(1, 2), requested(2, 2), ruled(1, new PermitReply.Superseded(4, "A")));
        expect(
                send(1, 2, 3, 1),
                reply(1, AgentAnswers.superseded(Duration.ofSeconds(5))),
                reply(2, AgentAnswers.superseded(Duration.ofSeconds(5))));
        at(5, requested(3, 2));
        expect(reply(3, AgentAnswers.superseded(Duration.ofSeconds(1))));
        at(6, requested(4, 2));
        expect(open("gw-2", 4));
        at(6, opened("gw-2", 5), ruled(4, new PermitReply.Superseded(6, "A")));
        expect(send(4, 2, 5, 1), reply(4, AgentAnswers.superseded(Duration.ofSeconds(10))));
        at(16, requested(5, 2), opened("gw-3", 7));
        at(200, ruled(5, new PermitReply.Superseded(8, "A")));
        expect(open("gw-3", 6), send(5, 2, 7, 1), reply(5, AgentAnswers.superseded(Duration.ofSeconds(5))));
    }

    @Test
    void takesItsAgentBackFromAnotherGateway() {
        inSession();
        at(1, requested(1, 2), ruled(1, new PermitReply.Superseded(4, "gateway-2-1")));
        expect(send(1, 2, 3, 1), open("gw-2", 4));
        at(1, opened("gw-2", 5), ruled(1, new PermitReply.Superseded(6, "gateway-2-2")));
        expect(send(1, 2, 5, 1), reply(1, AgentAnswers.NO_ANSWER));
        at(1, requested(2, 2));
        expect(open("gw-3", 6));
    }

    @Test
    void answersEveryoneWhenThePodGoes() {
        inSession();
        at(0, requested(1, 2), requested(2, 3), new SessionRegistryEvent.PodRemoved("pod-a"));
        var gone = HttpAnswer.refusal(404, "pod not found");
        expect(send(1, 2, 3, 1), reply(1, gone), reply(2, gone));
        at(0, ruled(1, GRANTED));
        expect();
    }

    @Test
    void ignoresRepliesToWhatItNoLongerRequests() {
        inSession();
        at(0, requested(1, 2), ruled(7, GRANTED), opened("gw-9", 9), new SessionRegistryEvent.PermitFailed("pod-b", 1));
        expect(send(1, 2, 3, 1));
    }

    /** Session 3 is open, and the next request in it has sequence number 1. */
    private void inSession() {
        at(0, requested(1000, 1), new SessionRegistryEvent.Left("pod-a", 1000), opened("gw-1", 3));
        done.clear();
    }

    private void at(int second, SessionRegistryEvent... events) {
        for (var event : events) {
            done.addAll(registry.on(event, NOW.plusSeconds(second)));
        }
    }

    private void expect(SessionRegistryAction... actions) {
        assertThat(done).containsExactly(actions);
        done.clear();
    }

    private static SessionRegistryEvent requested(long ticket, long units) {
        return new SessionRegistryEvent.Requested(ticket, request("a", units));
    }

    private SessionRegistryEvent opened(String runner, long session) {
        openers.put(session, runner);
        return new SessionRegistryEvent.Opened(
                "pod-a", runner, new OpenReply.Opened(session, PodObservations.UNIT, false));
    }

    private static SessionRegistryEvent ruled(long ticket, PermitReply reply) {
        return new SessionRegistryEvent.Replied("pod-a", ticket, reply);
    }

    private static SessionRegistryAction open(String runner, long lastSession) {
        return new SessionRegistryAction.Open(
                PodObservations.reservation("a"), new OpenSession("n1", "pod-a", runner, lastSession));
    }

    private SessionRegistryAction send(long ticket, long units, long session, long seq) {
        return new SessionRegistryAction.Request(
                ticket, request("a", units).inSession(openers.get(session), session, seq));
    }

    private static SessionRegistryAction reply(long ticket, HttpAnswer answer) {
        return new SessionRegistryAction.Reply(ticket, answer);
    }
}
