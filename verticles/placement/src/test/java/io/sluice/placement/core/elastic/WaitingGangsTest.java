package io.sluice.placement.core.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.placement.GangState;
import io.sluice.messages.placement.GangState.Member;
import io.sluice.messages.placement.GangState.Step;
import io.sluice.placement.core.Given;
import io.sluice.units.FixedAmounts;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Jobs shrink for gangs that wait. One node has 8 CPUs, of which a job with a minimum of 2 members takes all. */
class WaitingGangsTest {
    private static final String GANG = "/gang ns/g";
    private static final Duration KEPT = Duration.ofSeconds(120);

    private WaitingGangs gangs = new WaitingGangs(10, KEPT);
    private ElasticJob job = job(8, 8);
    private Instant now = Instant.EPOCH.plusSeconds(1_000);

    private static ElasticJob job(int target, int running) {
        return new ElasticJob(
                "ns",
                "job",
                Instant.EPOCH,
                0,
                2,
                8,
                target,
                new ElasticMemberRequest(Given.cpus(1), FixedAmounts.NONE),
                Collections.nCopies(running, "n1"),
                Optional.empty(),
                Optional.empty());
    }

    @BeforeEach
    void threeMembersWait() {
        waits(3, 0, "GANG_NO_ROOM(0/3): 0/1 nodes are available");
    }

    private void waits(int minMember, int priority, String reason) {
        var members = IntStream.range(0, 3)
                .mapToObj(i -> new Member("uid-" + i, "p" + i, "", Step.PENDING))
                .toList();
        members.forEach(member -> gangs.received(
                new PodObserved(member.uid(), "ns", member.name(), "", "", 1, Given.cpus(1), 0, "", priority)));
        gangs.received(new GangState("", "ns", "g", "", 0, minMember, "", reason, members), now);
    }

    private List<ElasticPlan.Change> plan(int free) {
        var room = LedgerRoom.of(List.of(Given.free("n1", Given.cpus(free), Map.of())));
        var all = Stream.concat(Stream.of(job), gangs.jobs(List.of(job), now).stream())
                .toList();
        var plan = ElasticPlanner.plan(ElasticRules.DEFAULTS, room, new ElasticQuota(Map.of()), all, now);
        gangs.decided(plan, now);
        return plan.changes();
    }

    @Test
    @DisplayName("A job gives a gang what it lacks of its minimum, and no other job grows into that room")
    void shrinksForAGang() {
        assertThat(plan(0))
                .contains(new ElasticPlan.Shrink("ns/job", 5, GANG))
                .anyMatch(change ->
                        change instanceof ElasticPlan.Await await && await.job().equals(GANG));
        assertThat(gangs.awaits()).isTrue();

        job = job(5, 7);
        assertThat(plan(1)).as("two more are to leave").isEmpty();
        job = job(5, 5);
        assertThat(plan(3)).containsExactly(new ElasticPlan.Begin(GANG, 3));
        assertThat(gangs.awaits()).isFalse();
        assertThat(plan(3)).as("until it starts").containsExactly(new ElasticPlan.Begin(GANG, 3));
    }

    @Test
    void nothingShrinksForAGangThatWouldNotFitOrThatWaitsForSomethingElse() {
        waits(3, -1, "GANG_NO_ROOM(0/3): 0/1 nodes are available");
        assertThat(plan(0)).as("of a lower priority").noneMatch(ElasticPlan.Shrink.class::isInstance);
        waits(3, 0, "GANG_PRIORITY(p1 0, others 7)");
        assertThat(plan(0)).isEmpty();
    }

    @Test
    void aSuccessorDoesNotMakeJobsShrinkTwice() {
        plan(0);
        job = job(5, 8);
        gangs.forget();
        assertThat(plan(0)).isEmpty();
        assertThat(gangs.awaits()).isTrue();
    }

    @Test
    void aGangThatDoesNotStartThoughThereIsRoomKeepsJobsFromGrowingForAWhileAlone() {
        job = job(5, 5);
        assertThat(plan(3)).containsExactly(new ElasticPlan.Begin(GANG, 3));
        now = now.plus(KEPT).plusSeconds(1);
        threeMembersWait();
        assertThat(plan(3)).containsExactly(new ElasticPlan.Grow("ns/job", 8));
    }

    @Test
    void aGangWithoutNewsWaitsNoMore() {
        now = now.plusSeconds(16);
        assertThat(gangs.jobs(List.of(job), now)).isEmpty();
    }
}
