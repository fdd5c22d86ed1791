package io.sluice.gateway.core.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.member.MemberStatus;
import io.sluice.shell.Peer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PeerWatchTest {
    private static final Instant START = Instant.parse("2026-11-21T03:00:00Z");
    private static final Map<String, Set<String>> NEEDS = Map.of(
            "agent", Set.of("ledger", "monitor", "vm"),
            "pressure", Set.of("ledger"),
            "gateway", Set.of());
    private static final Peer LEDGER = peer("1f3a", "ledger", "monitor");
    private static final Peer OTHER_LEDGER = peer("2b4c", "ledger");
    private static final Peer PATCHER = peer("3c5d", "vm");

    static Stream<Arguments> missing() {
        return Stream.of(
                Arguments.of("no role needs anything", Set.of("gateway"), List.of(), List.of(), List.of()),
                Arguments.of(
                        "its own role needs no other process",
                        Set.of("agent", "ledger", "monitor", "vm"),
                        List.of(),
                        List.of(),
                        List.of()),
                Arguments.of(
                        "a missing role is reported in one sentence with all roles that need it",
                        Set.of("agent", "pressure"),
                        List.of(PATCHER),
                        List.of(PATCHER),
                        List.of(
                                "no process with the role ledger exists (agent and pressure need it)",
                                "no process with the role monitor exists (agent needs it)")),
                Arguments.of(
                        "one that answers is enough",
                        Set.of("pressure"),
                        List.of(LEDGER, OTHER_LEDGER),
                        List.of(LEDGER),
                        List.of()),
                Arguments.of(
                        "if no process replies, each is named once",
                        Set.of("agent"),
                        List.of(LEDGER, OTHER_LEDGER, PATCHER),
                        List.of(PATCHER),
                        List.of(
                                "the process 1f3a (ledger, monitor; 10.0.0.2:5701) has not replied over the bus for 4"
                                        + " s (agent needs ledger and agent needs monitor)",
                                "the process 2b4c (ledger; 10.0.0.2:5701) has not replied over the bus for 4 s"
                                        + " (agent needs ledger)")),
                Arguments.of(
                        "one that is not needed may be silent",
                        Set.of("pressure"),
                        List.of(LEDGER, PATCHER),
                        List.of(LEDGER),
                        List.of()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void missing(String name, Set<String> own, List<Peer> there, List<Peer> answering, List<String> sentences) {
        var watch = new PeerWatch(own, NEEDS);
        round(watch, there, there, 0);
        for (int second = 1; second <= 5; second++) {
            round(watch, there, answering, second);
        }

        assertThat(watch.missing(at(5))).isEqualTo(sentences);
        assertThat(watch.count()).isEqualTo(there.size());
        assertThat(watch.answering(at(5))).isEqualTo(answering.size());
    }

    @Test
    void aProcessThatHasJustComeCountsFromItsFirstReplyOn() {
        var watch = new PeerWatch(Set.of("pressure"), NEEDS);
        watch.members(List.of(LEDGER), at(0));

        assertThat(watch.missing(at(2)))
                .containsExactly("the process 1f3a (ledger, monitor; 10.0.0.2:5701) has not replied over the bus yet,"
                        + " for 2 s (pressure needs ledger)");
        watch.request(at(2));
        watch.answered("1f3a", status("1f3a"), at(2));
        assertThat(watch.missing(at(2))).isEmpty();
    }

    @Test
    void aLostRequestOrTwoAreNoSilence() {
        var watch = new PeerWatch(Set.of("pressure"), NEEDS);
        round(watch, List.of(LEDGER), List.of(LEDGER), 0);
        round(watch, List.of(LEDGER), List.of(), 1);
        round(watch, List.of(LEDGER), List.of(), 2);

        assertThat(watch.missing(at(3))).isEmpty();
        assertThat(watch.missing(at(4))).hasSize(1);
        assertThat(watch.views(at(4)).getFirst().silentSince()).contains(at(1));
        assertThat(watch.views(at(4)).getFirst().reason()).isEqualTo("lost");
        round(watch, List.of(LEDGER), List.of(LEDGER), 4);
        assertThat(watch.missing(at(4))).isEmpty();
    }

    @Test
    void requestsFromNoProcessThatOwesAReplyAndForgetsThoseThatLeft() {
        var watch = new PeerWatch(Set.of(), NEEDS);
        watch.members(List.of(LEDGER, PATCHER), at(0));

        assertThat(watch.request(at(0))).containsExactly("1f3a", "3c5d");
        watch.answered("3c5d", status("3c5d"), at(0).plusMillis(20));
        assertThat(watch.request(at(1))).containsExactly("3c5d");
        assertThat(watch.views(at(1)).getLast().roundTrip()).contains(Duration.ofMillis(20));

        watch.members(List.of(PATCHER), at(1));
        watch.answered("1f3a", status("1f3a"), at(1));
        watch.lost("1f3a", "late", at(1));
        assertThat(watch.views(at(1))).extracting(view -> view.peer().id()).containsExactly("3c5d");
    }

    @Test
    void namesSomeAndCountsTheRest() {
        var watch = new PeerWatch(Set.of("pressure"), NEEDS);
        watch.members(
                IntStream.range(0, 9).mapToObj(i -> peer("p-" + i, "ledger")).toList(), at(0));

        assertThat(watch.missing(at(1))).hasSize(5).last().isEqualTo("and 5 more");
    }

    @Test
    void aSentenceChangesSeldomOnceItIsOld() {
        var watch = new PeerWatch(Set.of("pressure"), NEEDS);
        watch.members(List.of(LEDGER), at(0));

        var sentences = IntStream.range(0, 3_600)
                .mapToObj(second -> watch.missing(at(second)))
                .distinct();
        assertThat(sentences).hasSizeLessThan(80);
    }

    /**
     * Every existing process gets a request; those that reply do so at once, the requests of the others are lost at
     * once.
     */
    private static void round(PeerWatch watch, List<Peer> there, List<Peer> answering, int second) {
        watch.members(there, at(second));
        for (var id : watch.request(at(second))) {
            if (answering.stream().anyMatch(peer -> peer.id().equals(id))) {
                watch.answered(id, status(id), at(second));
            } else {
                watch.lost(id, "lost", at(second));
            }
        }
    }

    private static MemberStatus status(String id) {
        return new MemberStatus(id, "1", List.of(), Duration.ZERO, true, List.of(), List.of());
    }

    private static Peer peer(String id, String... roles) {
        return new Peer(id, Set.of(roles), "10.0.0.2:5701");
    }

    private static Instant at(int second) {
        return START.plusSeconds(second);
    }
}
