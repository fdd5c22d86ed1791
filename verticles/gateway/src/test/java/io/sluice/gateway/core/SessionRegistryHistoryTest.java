package io.sluice.gateway.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.ledger.OpenReply;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
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
 * Goal: whatever the ledger answers, loses or is late with, each ticket is answered once, one question of a member is
 * in flight at a time, and no question overtakes an earlier one. Method: seeded histories with a ledger that does all
 * of it.
 */
class SessionRegistryHistoryTest {
    private static final Instant START = Instant.parse("2026-11-21T10:00:00Z");
    private static final List<String> VMS = List.of("a", "b", "c");

    private final SessionRegistry desk = new SessionRegistry("gw", Duration.ofSeconds(2));
    private final List<SessionRegistryEvent> owed = new ArrayList<>();
    private final Map<Long, String> unanswered = new TreeMap<>();
    private final Set<Long> left = new HashSet<>();
    private final Map<String, Long> inFlight = new HashMap<>();
    private final Map<String, Long> newestTicket = new HashMap<>();
    private final Map<String, PermitRequest> newestAsk = new HashMap<>();
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
        return new SessionRegistryEvent.Asked(step, PodObservations.question(vm, 1 + random.nextInt(5)));
    }

    private void step(SessionRegistryEvent event, Instant now, Random random, String where) {
        if (event instanceof SessionRegistryEvent.Ruled(var member, long _, var _)) {
            inFlight.remove(member);
        }
        if (event instanceof SessionRegistryEvent.PermitFailed(var member, long _)) {
            inFlight.remove(member);
        }
        for (var action : desk.on(event, now)) {
            switch (action) {
                case SessionRegistryAction.Reply(long ticket, var _) ->
                    assertThat(unanswered.remove(ticket)).as(where).isNotNull();
                case SessionRegistryAction.Open open -> owed.add(opened(open, random));
                case SessionRegistryAction.Request(long ticket, var request) -> asked(ticket, request, random, where);
            }
        }
    }

    private void asked(long ticket, PermitRequest request, Random random, String where) {
        assertThat(inFlight.put(request.member(), ticket)).as(where).isNull();
        assertThat(left).as(where).doesNotContain(ticket);
        assertThat(newestTicket.getOrDefault(request.member(), -1L)).as(where).isLessThanOrEqualTo(ticket);
        newestTicket.put(request.member(), ticket);
        var before = newestAsk.put(request.member(), request);
        if (before != null) {
            assertThat(request.session()).as(where).isGreaterThanOrEqualTo(before.session());
            if (before.session() == request.session()) {
                assertThat(request.seq()).as(where).isEqualTo(before.seq() + 1);
            }
        }
        owed.add(ruled(ticket, request, random));
    }

    private SessionRegistryEvent opened(SessionRegistryAction.Open open, Random random) {
        String member = open.member().uid();
        return random.nextInt(5) == 0
                ? new SessionRegistryEvent.OpenFailed(member, open.opening().runner())
                : new SessionRegistryEvent.Opened(
                        member, open.opening().runner(), new OpenReply.Opened(++sessions, PodObservations.UNIT, false));
    }

    private SessionRegistryEvent ruled(long ticket, PermitRequest request, Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> new SessionRegistryEvent.PermitFailed(request.member(), ticket);
            case 1 ->
                new SessionRegistryEvent.Ruled(request.member(), ticket, new PermitReply.Superseded(++sessions, "A"));
            case 2 -> new SessionRegistryEvent.Ruled(request.member(), ticket, new PermitReply.OpenAgain(0));
            default ->
                new SessionRegistryEvent.Ruled(
                        request.member(), ticket, AgentAnswersTest.ruled(request.target(), false));
        };
    }
}
