package io.sluice.placement.core.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.placement.core.elastic.ElasticJob.Handover;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ElasticPlannerTest {
    private static final int ALL = Integer.MAX_VALUE;

    private ElasticWorld world = new ElasticWorld(1, 8, 100);

    private int target(String job) {
        return world.job(job).target();
    }

    @Test
    @DisplayName("AT-E1: a job begins as large as there is room")
    void beginsAsLargeAsThereIsRoom() {
        world.running("j1", 5, 5, 5);
        world.add("j2", 0, 2, 5, 1);

        assertThat(world.tick()).containsExactly(new ElasticPlan.Begin("ns/j2", 3));
    }

    private void twoGiveToAThird() {
        world.running("j1", 5, 2, 5);
        world.running("j2", 3, 2, 5);
        world.add("j3", 0, 4, 6, 1);
        world.tick();
    }

    @Test
    @DisplayName("AT-E2: others shrink, and the newcomer begins only once their slots are free")
    void beginsOnlyOnceTheSlotsOfOthersAreFree() {
        twoGiveToAThird();
        assertThat(target("j1")).isEqualTo(2);
        assertThat(target("j2")).isEqualTo(2);
        assertThat(target("j3")).isZero();
        for (int left = 0; left < 3; left++) {
            assertThat(world.tick()).as("%d slots are free", left).isEmpty();
            world.membersLeave(1);
        }
        assertThat(world.tick()).isEmpty();
        world.membersLeave(1);

        assertThat(world.tick()).containsExactly(new ElasticPlan.Begin("ns/j3", 4));
        assertThat(world.job("j3").handover()).isEmpty();
    }

    @Test
    @DisplayName("AT-E3 no over-preempt: one slot is enough, so one is given")
    void givesNoMoreThanIsNeeded() {
        world.running("j1", 8, 2, 8);
        world.add("j3", 0, 1, 3, 1);
        world.tick();
        world.membersLeave(ALL);
        world.tick();

        assertThat(target("j1")).isEqualTo(7);
        assertThat(target("j3")).isEqualTo(1);
    }

    @Test
    @DisplayName("AT-E4 no useless preempt: nothing shrinks where it would not suffice")
    void shrinksNothingInVain() {
        world.running("j1", 3, 2, 3);
        world.use("n0", 5);
        world.add("j3", 0, 4, 4, 1);

        assertThat(world.tick())
                .containsExactly(new ElasticPlan.Wait(
                        "ns/j3",
                        "there is room for 0 of the 4 members that it lacks, "
                                + "and jobs of no higher priority cannot give enough"));
    }

    @Test
    @DisplayName("AT-E5 grow back: jobs grow 60 s after they shrank, and not before")
    void growsBackAMinuteAfterItShrank() {
        twoGiveToAThird();
        world.membersLeave(ALL);
        world.tick();
        world.membersCome(ALL);
        world.end("j3");
        for (int seconds = 0; seconds < 60; seconds += 10) {
            assertThat(world.tick()).as("after %d s", seconds).isEmpty();
            world.later(Duration.ofSeconds(10));
        }

        assertThat(world.tick())
                .containsExactlyInAnyOrder(new ElasticPlan.Grow("ns/j1", 4), new ElasticPlan.Grow("ns/j2", 4));
    }

    @Test
    @DisplayName("AT-E6 shape: a member that fits no node is not placed, though slots are free")
    void placesNoMemberThatFitsNoNode() {
        world = new ElasticWorld(4, 2, 100);
        world.nodes().forEach(node -> world.use(node, 1));
        world.add("wide", 0, 1, 3, 2);

        assertThat(world.tick()).singleElement().isInstanceOf(ElasticPlan.Wait.class);
    }

    /** The first members of the giver to leave are on a node where they do not help. */
    @Test
    void onlyMembersThatHelpLeave() {
        world = new ElasticWorld(2, 2, 100);
        world.use("n1", 1);
        world.running("large", 2, 1, 3);
        world.add("other", 0, 1, 1, 1);
        world.tick();
        world.membersCome(ALL);
        world.add("wide", 0, 1, 1, 2);

        assertThat(world.tick())
                .as("both members on n0 would have to leave")
                .singleElement()
                .isInstanceOf(ElasticPlan.Wait.class);
    }

    @Test
    void jobsOfAHigherPriorityGiveNothing() {
        world.add("high", 5, 2, 8, 1);
        world.tick();
        world.membersCome(ALL);
        world.add("low", 0, 1, 1, 1);
        assertThat(world.tick()).singleElement().isInstanceOf(ElasticPlan.Wait.class);

        world.add("equal", 5, 1, 1, 1);
        assertThat(world.tick())
                .contains(
                        new ElasticPlan.Shrink("ns/high", 7, "ns/equal"),
                        new ElasticPlan.Await("ns/equal", new Handover(world.now, Map.of("ns/high", 1))));
    }

    @Test
    void theFreedRoomStaysKeptForTheNewcomer() {
        twoGiveToAThird();
        world.membersLeave(2);
        world.later(Duration.ofSeconds(61));
        world.add("late", 0, 1, 8, 1);

        assertThat(world.tick())
                .as("neither grows nor begins in it")
                .allSatisfy(change -> assertThat(change).isInstanceOf(ElasticPlan.Wait.class));
    }

    @Test
    void whatDidNotComeInTimeIsGivenBack() {
        twoGiveToAThird();
        world.membersLeave(1);
        world.later(Duration.ofSeconds(119));
        assertThat(world.tick()).isEmpty();
        world.later(Duration.ofSeconds(1));

        assertThat(world.tick()).contains(new ElasticPlan.Grow("ns/j1", 4), new ElasticPlan.Grow("ns/j2", 3));
        world.later(Duration.ofSeconds(30));
        assertThat(world.tick())
                .as("nobody shrinks for it again for a while")
                .noneMatch(ElasticPlan.Shrink.class::isInstance);
        world.later(Duration.ofSeconds(120));
        assertThat(world.tick()).anyMatch(ElasticPlan.Shrink.class::isInstance);
    }

    /** A plan is made again from its inputs, so its order is that of names in each process. */
    @Test
    void whatDidNotComeInTimeIsGivenBackInTheOrderOfNames() {
        world = new ElasticWorld(1, 20, 100);
        var names = List.of("alder", "birch", "cedar", "elm", "fir", "hazel", "maple", "oak", "pine", "yew");
        names.forEach(name -> world.running(name, 2, 1, 2));
        world.add("newcomer", 0, 10, 10, 1);
        world.tick();
        world.later(Duration.ofSeconds(120));

        assertThat(world.tick())
                .filteredOn(ElasticPlan.Grow.class::isInstance)
                .extracting(ElasticPlan.Change::job)
                .containsExactlyElementsOf(
                        names.stream().map(name -> "ns/" + name).toList());
    }

    @Test
    void neverGrowsBeyondTheQuota() {
        world = new ElasticWorld(1, 8, 5);
        world.running("j1", 2, 2, 8);
        world.add("j2", 0, 2, 8, 1);

        assertThat(world.tick()).containsExactly(new ElasticPlan.Begin("ns/j2", 3));
        world.membersCome(ALL);
        world.later(Duration.ofSeconds(100));
        assertThat(world.tick()).isEmpty();

        world.add("j3", 0, 1, 1, 1);
        assertThat(world.tick())
                .as("shrinking makes no quota at once, and nothing shrinks in vain")
                .containsExactly(new ElasticPlan.Wait("ns/j3", "the quota of its namespace does not allow 1 members"));
    }

    @Test
    void shrinksToALowerMaximumAndGrowsToAHigherMinimum() {
        world.running("j1", 5, 2, 5);
        var job = world.job("j1");
        world.put(new ElasticJob(
                "ns", "j1", job.createdAt(), 0, 1, 3, 5, job.member(), job.nodes(), job.shrunkAt(), job.handover()));
        assertThat(world.tick()).containsExactly(new ElasticPlan.Shrink("ns/j1", 3, ""));

        world = new ElasticWorld(1, 8, 100);
        world.running("j1", 2, 2, 5);
        var low = world.job("j1");
        world.put(new ElasticJob(
                "ns", "j1", low.createdAt(), 0, 4, 4, 2, low.member(), low.nodes(), low.shrunkAt(), low.handover()));
        assertThat(world.tick()).containsExactly(new ElasticPlan.Begin("ns/j1", 4));
    }
}
