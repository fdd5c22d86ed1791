package io.sluice.gateway.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: whatever the ledger replies, loses or delays, each ticket gets one reply, one request of a pod is under way at
 * a time, and no request overtakes an earlier one. Method: seeded histories with a ledger that does all of it.
 */
class SessionRegistryHistoryTest {
    private static final Instant START = Instant.parse("2026-11-21T10:00:00Z");
    private static final List<String> VMS = List.of("a", "b", "c");

    private final SessionRegistry registry = new SessionRegistry("gw", Duration.ofSeconds(2));
    private final List<SessionRegistryEvent> owed = new ArrayList<>();
    private final Map<Long, String> unanswered = new TreeMap<>();
    private final Set<Long> left = new HashSet<>();
    private final Map<String, Long> inFlight = new HashMap<>();
    private final Map<String, Long> newestTicket = new HashMap<>();
    private final Map<String, PermitRequest> newestRequest = new HashMap<>();
    private long sessions;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 20261121})
    void keepsItsPromisesUnderAnyHistory(long seed) {
        var random = new Random(seed);
        var now = START;
        for (int i = 0; i < 20_000; i++) {
            now = now.plusMillis(random.nextInt(300));
            step(anyEvent(random, i), now, random, "seed " + seed + " step " + i);
        }
        while (!owed.isEmpty()) {
            step(owed.removeFirst(), now, random, "seed " + seed + " at the end");
        }
        unanswered.keySet().removeAll(left);
        assertThat(unanswered).as("seed %d", seed).isEmpty();
    }

    private SessionRegistryEvent anyEvent(Random random, long step) {
        int draw = random.nextInt(10);
        if (draw < 4 && !owed.isEmpty()) {
            return owed.remove(random.nextInt(owed.size()));
        }
        if (draw == 4) {
            return new SessionRegistryEvent.Ticked();
        }
        if (draw == 5 && !unanswered.isEmpty()) {
            var tickets = List.copyOf(unanswered.keySet());
            long ticket = tickets.get(random.nextInt(tickets.size()));
            left.add(ticket);
            return new SessionRegistryEvent.Left(unanswered.get(ticket), ticket);
        }
        String vm = VMS.get(random.nextInt(VMS.size()));
        unanswered.put(step, "pod-" + vm);
        return new SessionRegistryEvent.Requested(step, PodObservations.request(vm, 1 + random.nextInt(5)));
    }

    private void step(SessionRegistryEvent event, Instant now, Random random, String where) {
        if (event instanceof SessionRegistryEvent.Replied(var pod, long _, var _)) {
            inFlight.remove(pod);
        }
        if (event instanceof SessionRegistryEvent.PermitFailed(var pod, long _)) {
            inFlight.remove(pod);
        }
        for (var action : registry.on(event, now)) {
            switch (action) {
                case SessionRegistryAction.Reply(long ticket, var _) ->
                    assertThat(unanswered.remove(ticket)).as(where).isNotNull();
                case SessionRegistryAction.Open open -> owed.add(opened(open, random));
                case SessionRegistryAction.Request(long ticket, var request) ->
                    requested(ticket, request, random, where);
            }
        }
    }

    private void requested(long ticket, PermitRequest request, Random random, String where) {
        assertThat(inFlight.put(request.pod(), ticket)).as(where).isNull();
        assertThat(left).as(where).doesNotContain(ticket);
        assertThat(newestTicket.getOrDefault(request.pod(), -1L)).as(where).isLessThanOrEqualTo(ticket);
        newestTicket.put(request.pod(), ticket);
        var before = newestRequest.put(request.pod(), request);
        if (before != null) {
            assertThat(request.session()).as(where).isGreaterThanOrEqualTo(before.session());
            if (before.session() == request.session()) {
                assertThat(request.seq()).as(where).isEqualTo(before.seq() + 1);
            }
        }
        owed.add(ruled(ticket, request, random));
    }

    private SessionRegistryEvent opened(SessionRegistryAction.Open open, Random random) {
        String pod = open.pod().uid();
        return random.nextInt(5) == 0
                ? new SessionRegistryEvent.OpenFailed(pod, open.opening().runner())
                : new SessionRegistryEvent.Opened(
                        pod, open.opening().runner(), new OpenReply.Opened(++sessions, PodObservations.UNIT, false));
    }

    private SessionRegistryEvent ruled(long ticket, PermitRequest request, Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> new SessionRegistryEvent.PermitFailed(request.pod(), ticket);
            case 1 ->
                new SessionRegistryEvent.Replied(request.pod(), ticket, new PermitReply.Superseded(++sessions, "A"));
            case 2 -> new SessionRegistryEvent.Replied(request.pod(), ticket, new PermitReply.OpenAgain(0));
            default ->
                new SessionRegistryEvent.Replied(
                        request.pod(), ticket, AgentAnswersTest.ruled(request.target(), false));
        };
    }
}
