package io.sluice.pressure.core.observed;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.placement.GangState;
import io.sluice.messages.placement.GangState.Member;
import io.sluice.messages.placement.GangState.Step;
import io.sluice.pressure.core.choice.KnownGang;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** When members of a gang may leave their nodes. */
class GangMembersTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_790_000_000);

    private final GangMembers gangs = new GangMembers(2);

    private static GangState gang(Step first, Step second) {
        var members = List.of(new Member("uid-a", "a", "n1", first), new Member("uid-b", "b", "n2", second));
        return new GangState("", "ns", "g", "", 0, 2, "", "", members);
    }

    private Optional<String> against(Set<String> leaving) {
        return gangs.of("uid-a", leaving).flatMap(KnownGang::against);
    }

    @Test
    @DisplayName("G10: no member leaves while others are held or being bound")
    void staysWhileItsGangIsPlaced() {
        for (var step : List.of(Step.HELD, Step.BINDING)) {
            gangs.received(gang(Step.RUNNING, step), NOW);
            assertThat(against(Set.of()))
                    .contains("is a member of gang ns/g, which is being placed: 1 of its members are held or being"
                            + " bound");
        }
        gangs.received(gang(Step.RUNNING, Step.BOUND), NOW);
        assertThat(against(Set.of())).isEmpty();
    }

    @Test
    @DisplayName("G10: one member leaves at a time")
    void leavesAlone() {
        gangs.received(gang(Step.RUNNING, Step.RUNNING), NOW);
        assertThat(against(Set.of("uid-b", "uid-of-another")))
                .contains("is a member of gang ns/g, of which b is leaving, and one leaves at a time");
        assertThat(against(Set.of("uid-of-another"))).isEmpty();
    }

    @Test
    void aGangWithoutNewsKeepsNoMember() {
        gangs.received(gang(Step.RUNNING, Step.HELD), NOW);
        gangs.prune(NOW.plusSeconds(60));
        assertThat(against(Set.of())).isPresent();
        gangs.prune(NOW.plusSeconds(61));
        assertThat(gangs.of("uid-a", Set.of())).isEmpty();
    }

    @Test
    void membersBeyondTheLimitAreReported() {
        assertThat(gangs.received(gang(Step.RUNNING, Step.RUNNING), NOW)).isTrue();
        var third = new GangState("", "ns", "h", "", 0, 1, "", "", List.of(new Member("uid-c", "c", "", Step.HELD)));
        assertThat(gangs.received(third, NOW)).isFalse();
        assertThat(gangs.of("uid-c", Set.of())).isEmpty();
    }
}
