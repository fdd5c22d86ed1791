package io.sluice.placement.core.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.placement.core.elastic.ElasticPlan.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Seeded histories: jobs come and end, members come and leave late or never, other pods come; plans keep their rules.
 */
class ElasticHistoriesTest {
    private static final int QUOTA = 20;

    private final Map<String, Integer> counts = new HashMap<>();
    private ElasticWorld world;
    private Random random;
    private int made;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 20261126})
    void keepsItsRulesUnderAnyHistory(long seed) {
        random = new Random(seed);
        for (int history = 0; history < 60; history++) {
            world = new ElasticWorld(1 + random.nextInt(5), 1 + random.nextInt(8), QUOTA);
            for (int step = 0; step < 120; step++) {
                step("seed %d history %d step %d".formatted(seed, history, step));
            }
        }
        assertThat(counts.keySet())
                .as("what happened")
                .contains("Begin", "Grow", "Shrink", "Await", "GiveBack", "Wait", "minimal");
    }

    private void step(String at) {
        switch (random.nextInt(8)) {
            case 0 -> newJob();
            case 1 -> {
                if (random.nextInt(4) == 0) {
                    any().ifPresent(job -> world.end(job.name()));
                }
            }
            case 2, 3 -> world.membersLeave(random.nextInt(4));
            case 4, 5 -> world.membersCome(random.nextInt(4));
            default -> {
                world.later(Duration.ofSeconds(random.nextInt(40)));
                tick(at);
            }
        }
        for (var node : world.nodes()) {
            assertThat(world.used(node)).as(at).isLessThanOrEqualTo(world.slots(node));
        }
    }

    private void newJob() {
        if (world.jobs.size() < 6) {
            int min = 1 + random.nextInt(4);
            world.add("j" + made++, random.nextInt(3), min, min + random.nextInt(6), 1 + random.nextInt(2));
        }
    }

    private Optional<ElasticJob> any() {
        var all = new ArrayList<>(world.jobs.values());
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
    }

    private void tick(String at) {
        var before = Map.copyOf(world.jobs);
        var shrunkBefore = Map.copyOf(world.shrunkAt);
        var room = world.room();
        var changes = world.tick();
        changes.forEach(change -> counts.merge(change.getClass().getSimpleName(), 1, Integer::sum));

        world.jobs.values().forEach(job -> {
            assertThat(job.target()).as("%s: max of %s", at, job.id()).isLessThanOrEqualTo(job.max());
            if (before.get(job.id()).target() > 0) {
                assertThat(job.target()).as("%s: min of %s", at, job.id()).isGreaterThanOrEqualTo(job.min());
            }
        });
        changes.forEach(change -> noFlapping(at, change, changes, shrunkBefore));
        changes.forEach(change -> nothingInVain(at, change, changes, before, room));
        long used = world.jobs.values().stream()
                .mapToLong(job -> Math.max(job.target(), job.nodes().size())
                        * job.member().fixed().of(ElasticWorld.GPU))
                .sum();
        assertThat(used).as("%s: quota", at).isLessThanOrEqualTo(QUOTA);
    }

    private void noFlapping(String at, Change change, List<Change> changes, Map<String, Instant> shrunkBefore) {
        if (change instanceof ElasticPlan.Grow(var job, var target)) {
            Optional.ofNullable(shrunkBefore.get(job))
                    .ifPresent(shrunk -> assertThat(Duration.between(shrunk, world.now))
                            .as("%s: %s grows to %d", at, job, target)
                            .isGreaterThanOrEqualTo(Duration.ofSeconds(60)));
            assertThat(changes)
                    .as(at)
                    .noneMatch(other -> other instanceof ElasticPlan.Shrink shrink
                            && shrink.job().equals(job));
        }
    }

    /** With what the givers give the newcomer fits, and with one member less of any it does not. */
    private void nothingInVain(
            String at, Change change, List<Change> changes, Map<String, ElasticJob> before, LedgerRoom room) {
        if (!(change instanceof ElasticPlan.Await(var id, var handover))) {
            return;
        }
        var newcomer = before.get(id);
        assertThat(fits(room, newcomer, handover.givers(), before))
                .as("%s: %s gets %s", at, id, handover.givers())
                .isTrue();
        handover.givers().forEach((giver, members) -> {
            assertThat(before.get(giver).priority())
                    .as("%s: priority of %s", at, giver)
                    .isLessThanOrEqualTo(newcomer.priority());
            var fewer = new HashMap<>(handover.givers());
            fewer.merge(giver, -1, Integer::sum);
            if (noOtherJobClaimsRoom(changes, before)) {
                counts.merge("minimal", 1, Integer::sum);
                assertThat(fits(room, newcomer, fewer, before))
                        .as("%s: %s gives one less of %s", at, giver, handover.givers())
                        .isFalse();
            }
        });
    }

    /** Otherwise room that is free is meant for others. */
    private static boolean noOtherJobClaimsRoom(List<Change> changes, Map<String, ElasticJob> before) {
        return before.values().stream()
                        .allMatch(job -> job.coming() == 0 && job.handover().isEmpty())
                && changes.stream().filter(ElasticPlan.Await.class::isInstance).count() == 1
                && changes.stream().noneMatch(ElasticPlan.Begin.class::isInstance);
    }

    private static boolean fits(
            LedgerRoom room, ElasticJob newcomer, Map<String, Integer> given, Map<String, ElasticJob> jobs) {
        var after = room.copy();
        given.forEach((giver, members) -> after.release(jobs.get(giver), members));
        return after.fits(newcomer, newcomer.lacking()) >= newcomer.lacking();
    }
}
