package io.sluice.cluster.roles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.sluice.cluster.process.Cut;
import io.sluice.cluster.process.Namespaces;
import io.sluice.cluster.process.Place;
import io.sluice.launcher.core.Role;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Goal: after a merge every process can be reached by its id again. Method: three processes in network namespaces, one
 * of which is cut off for long enough to form a Hazelcast cluster of its own.
 */
@OnlyWithFaults
@DisplayName("F9, F10: processes that were cut off work together after the merge")
class MergeTest {
    private static final Duration READY = Duration.ofSeconds(120);
    private static final Duration APART = Duration.ofSeconds(12);
    private static final Duration MERGED = Duration.ofSeconds(60);
    private static final Split SPLIT = new Split(List.of(
            Set.of(Role.LEDGER, Role.GATEWAY, Role.LAB, Role.CLUSTER, Role.VM, Role.AGENT, Role.MONITOR),
            Set.of(Role.LEDGER, Role.GATEWAY),
            Set.of(Role.LEDGER, Role.GATEWAY, Role.PRESSURE)));

    private static Namespaces ground;
    private static RoleCluster cluster;

    @BeforeAll
    static void start() {
        assumeThat(Namespaces.unavailable()).isEmpty();
        ground = Namespaces.make(SPLIT.processes().size());
        var places = List.of(ground.place(1), ground.place(2), ground.place(3));
        cluster = RoleCluster.at("merge", SPLIT, places, RoleCluster.tcp(SPLIT, places))
                .start();
        cluster.awaitReady(READY);
    }

    @AfterAll
    static void stop() {
        if (cluster != null) {
            cluster.close();
        }
        if (ground != null) {
            ground.close();
        }
    }

    /** The first process is the only one with most roles: none of its addresses may be missing afterwards. */
    @Test
    void aProcessThatWasCutOffIsReachedAgainFromAllSides() {
        cutOffAndHeal(cluster.processes().getFirst());

        cluster.awaitReady(MERGED);

        assertThat(cluster.processes()).allSatisfy(side -> {
            var status = side.requestStatus();
            assertThat(status.status())
                    .as("%s reports %s", side, status.output())
                    .isZero();
        });
    }

    @Test
    void allListTheSameIdsAndReceiveRepliesFromThem() {
        cutOffAndHeal(cluster.processes().getLast());

        cluster.awaitReady(MERGED);

        var ids = new TreeSet<>(cluster.processes().getFirst().console().ids());
        assertThat(ids).hasSameSizeAs(cluster.processes());
        assertThat(cluster.processes()).allSatisfy(side -> {
            assertThat(new TreeSet<>(side.console().ids())).as("from %s", side).isEqualTo(ids);
            ids.forEach(id -> assertThat(answers(side, id))
                    .as("%s requested by %s", id, side)
                    .isTrue());
        });
    }

    /** Whether the process with that id replies to a dump request of another process. */
    private static boolean answers(RoleProcess side, String id) {
        var dump = side.console().get("/dump?member=" + id);
        return !dump.isEmpty() && !dump.has("error");
    }

    private static void cutOffAndHeal(RoleProcess one) {
        var others =
                cluster.processes().stream().filter(process -> process != one).toList();
        ground.cut(List.of(one.place()), places(others), Cut.DROP);
        try {
            await().atMost(MERGED)
                    .during(APART)
                    .ignoreException(UncheckedIOException.class)
                    .until(() -> others.getFirst().console().ids().size() == others.size());
        } finally {
            ground.heal();
        }
    }

    private static List<Place> places(List<RoleProcess> some) {
        return some.stream().map(RoleProcess::place).toList();
    }
}
