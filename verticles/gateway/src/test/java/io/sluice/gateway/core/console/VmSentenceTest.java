package io.sluice.gateway.core.console;

import static io.sluice.gateway.core.console.fleet.ConsoleFeed.NOW;
import static io.sluice.gateway.core.console.fleet.ConsoleFeed.cu;
import static io.sluice.gateway.core.console.fleet.ConsoleFeed.id;
import static io.sluice.gateway.core.console.fleet.ConsoleFeed.node;
import static io.sluice.gateway.core.console.fleet.ConsoleFeed.status;
import static io.sluice.gateway.core.console.fleet.ConsoleFeed.vm;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.core.console.fleet.ConsoleFeed;
import io.sluice.gateway.core.console.fleet.MigrationEntry;
import io.sluice.gateway.core.console.fleet.VmStatus;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each cause is named with its numbers. */
class VmSentenceTest {
    private static final Optional<NodeLedgerView> FULL = Optional.of(node("node-c", 40));

    static Stream<Arguments> causes() {
        return Stream.of(
                Arguments.of(
                        Waiting.ROOM,
                        12,
                        "",
                        "goal 2750m/11Gi, has 2500m/10Gi: short by 250m CPU and 1Gi memory on node-c"
                                + " (10000m of 10000m and 40Gi of 40Gi reserved) for 12 s"),
                Arguments.of(
                        Waiting.RETRY,
                        3,
                        "the ledger did not answer within 1s",
                        "its runner has waited for 3 s to try again: the ledger did not answer within 1s;"
                                + " goal 2750m/11Gi, has 2500m/10Gi"),
                Arguments.of(
                        Waiting.DENIED_DOWNSCALE,
                        80,
                        "refused to shrink to 1/4Gi: threshold would be 785.4 MiB",
                        "its monitor has denied the downscale for 1 min 20 s: refused to shrink to 1/4Gi:"
                                + " threshold would be 785.4 MiB; goal 2750m/11Gi, has 2500m/10Gi"),
                Arguments.of(
                        Waiting.DRIVER,
                        75,
                        "",
                        "its spec has 2500m/10Gi and its status shows 1/4Gi: the driver has not applied the size, and"
                                + " the runner has counted as stuck for 1 min 15 s"),
                Arguments.of(
                        Waiting.PERMIT_LAPSED,
                        4,
                        "the permit for 2750m/11Gi lapsed 0.2 s ago",
                        "its permits have lapsed unused for 4 s: the permit for 2750m/11Gi lapsed 0.2 s ago;"
                                + " goal 2750m/11Gi, has 2500m/10Gi"),
                Arguments.of(
                        Waiting.SUPERSEDED,
                        7_500,
                        "runner b opened session 4",
                        "superseded 2 h 5 min ago: another runner serves it: runner b opened session 4"),
                Arguments.of(
                        Waiting.MAX,
                        60,
                        "",
                        "its load needs 11 CU = 2750m/11Gi, its maximum is 2/8Gi"
                                + " (load1 0.60, load5 1.57, 1205 MiB in use)"),
                Arguments.of(
                        Waiting.NODE,
                        5,
                        "",
                        "the node's ledger has been incomplete for 5 s: no full list of pods on node-c arrived, so"
                                + " it grants nothing; goal 2750m/11Gi, has 2500m/10Gi"),
                Arguments.of(
                        Waiting.METRICS,
                        40,
                        "connection refused",
                        "its metrics have not been enough for a goal for 40 s: connection refused;"
                                + " it keeps 2500m/10Gi"),
                Arguments.of(
                        Waiting.MIGRATION,
                        20,
                        "",
                        "is being moved by the migration m from node-c to node-a (running) for 20 s: nothing more is"
                                + " granted meanwhile; goal 2750m/11Gi, has 2500m/10Gi"),
                Arguments.of(
                        Waiting.CLAIM,
                        2,
                        "API server away",
                        "its runner has been claiming it for 2 s: API server away"),
                Arguments.of(Waiting.SESSION, 2, "", "the ledger has not opened a session for it for 2 s"),
                Arguments.of(
                        Waiting.PERMIT, 1, "", "goal 2750m/11Gi, has 2500m/10Gi: has waited for the ledger for 1 s"),
                Arguments.of(
                        Waiting.PATCH, 1, "", "goal 2750m/11Gi, has 2500m/10Gi: its patch has been under way for 1 s"),
                Arguments.of(
                        Waiting.MONITOR,
                        1,
                        "not connected",
                        "goal 2750m/11Gi, has 2500m/10Gi: has waited for its monitor for 1 s: not connected"),
                Arguments.of(
                        Waiting.STOPPED,
                        1,
                        "it is not labelled any more",
                        "it is not scaled here: its runner stopped 1 s ago: it is not labelled any more"),
                Arguments.of(
                        Waiting.NOTHING,
                        1,
                        "",
                        "has what its load needs: 2500m/10Gi (load1 0.60, load5 1.57, 1205 MiB in use)"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("causes")
    void namesTheCauseWithItsNumbers(Waiting waiting, long seconds, String reason, String sentence) {
        assertThat(sentence(known(status("a", waiting, seconds, reason)), FULL)).isEqualTo(sentence);
    }

    @ParameterizedTest
    @EnumSource(Waiting.class)
    void hasARowForEachCause(Waiting waiting) {
        assertThat(causes().map(row -> row.get()[0])).contains(waiting);
    }

    @Test
    void namesOnlyTheKindThatIsShort() {
        var status = room(new Resources(2_750, cu(10).memoryBytes()));
        assertThat(sentence(known(status), FULL))
                .isEqualTo("goal 2750m/10Gi, has 2500m/10Gi: short by 250m CPU on node-c (10000m of 10000m reserved)"
                        + " for 12 s");
    }

    @Test
    void reportsThatTheNodeHasRoomByNow() {
        assertThat(sentence(known(status("a", Waiting.ROOM, 12, "")), Optional.of(node("node-c", 30))))
                .endsWith("(7500m of 10000m and 30Gi of 40Gi reserved) for 12 s; the node has room by now,"
                        + " and the permit is requested again");
    }

    @Test
    void leavesTheNumbersOfANodeWithoutLedgerStateToTheRunner() {
        assertThat(sentence(known(status("a", Waiting.ROOM, 12, "node node-c has 0m left")), Optional.empty()))
                .isEqualTo("goal 2750m/11Gi, has 2500m/10Gi: short by 250m CPU and 1Gi memory on node-c for 12 s:"
                        + " node node-c has 0m left");
    }

    @Test
    void namesTheMaximumWithoutTheSizeOfAUnitThatWasNotReported() {
        var status = new VmStatus(
                "default/a",
                Optional.of(vm("a", "node-c", 1)),
                Optional.of(status("a", Waiting.MAX, 1, "")),
                NOW,
                Optional.empty(),
                Optional.empty(),
                VmStatus.Source.RUNNER);
        assertThat(sentence(status, FULL)).startsWith("its load needs 11 CU, its maximum is 2/8Gi");
    }

    static Stream<Arguments> ofReferenceAgents() {
        var none = "; the ledger reports this, as its agent is not part of Sluice";
        return Stream.of(
                Arguments.of(Waiting.NOTHING, 4, 4, "its agent requested 1/4Gi and was permitted all of it" + none),
                Arguments.of(
                        Waiting.NOTHING,
                        6,
                        6,
                        "its agent requested 1500m/6Gi and was permitted all of it, has 1/4Gi" + none),
                Arguments.of(
                        Waiting.ROOM,
                        6,
                        4,
                        "goal 1500m/6Gi, has 1/4Gi: short by 500m CPU and 2Gi memory on node-c"
                                + " (10000m of 10000m and 40Gi of 40Gi reserved) for 12 s" + none),
                Arguments.of(
                        Waiting.MAX,
                        12,
                        8,
                        "its agent requested 3/12Gi and was permitted 2/8Gi, has 1/4Gi: cpu: why" + none),
                Arguments.of(
                        Waiting.NODE,
                        6,
                        4,
                        "its agent requested 1500m/6Gi and was permitted 1/4Gi: no growth for 12 s: cpu: why" + none),
                Arguments.of(
                        Waiting.MIGRATION,
                        6,
                        4,
                        "is being moved by the migration m from node-c to node-a (running) for 12 s: nothing more is"
                                + " granted meanwhile; its agent requested 1500m/6Gi and was permitted 1/4Gi" + none));
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @MethodSource("ofReferenceAgents")
    void showsWhatTheLedgerReportsOfAnAgentThatIsNotOneOfOurs(
            Waiting waiting, int requested, int permitted, String sentence) {
        var status = new RunnerStatus(
                id("a"),
                "node-c",
                "pod-a",
                cu(4),
                Optional.of(cu(requested)),
                Optional.of(cu(permitted)),
                waiting,
                Duration.ofSeconds(12),
                GoalBasis.NONE,
                requested > permitted ? "cpu: why" : "",
                Optional.empty());
        assertThat(sentence(known(status, VmStatus.Source.LEDGER), FULL)).isEqualTo(sentence);
    }

    @Test
    void reportsThatTheNodeOfAVmWithoutRunnerGrantsNothing() {
        var lost = node("node-c", cu(8), Resources.NONE, Resources.NONE, false, false);
        var status = new VmStatus(
                "default/a",
                Optional.of(vm("a", "node-c", 1)),
                Optional.empty(),
                NOW,
                Optional.empty(),
                Optional.empty(),
                VmStatus.Source.RUNNER);
        assertThat(sentence(status, Optional.of(lost)))
                .isEqualTo("no runner has reported on it for 0 s, its size is 1/4Gi; the node's ledger is"
                        + " incomplete, so it grants nothing");
    }

    static Stream<Arguments> withoutRunner() {
        return Stream.of(
                Arguments.of(VmPhase.RUNNING, true, "no runner has reported on it for 0 s, its size is 1/4Gi"),
                Arguments.of(
                        VmPhase.RUNNING,
                        false,
                        "it is not scaled: it is not labelled for autoscaling, its size is 1/4Gi"),
                Arguments.of(VmPhase.PENDING, true, "it is not started yet"),
                Arguments.of(VmPhase.ENDED, true, "it has ended"),
                Arguments.of(
                        VmPhase.MIGRATING,
                        true,
                        "is being moved by the migration m from node-c to node-a (running) for 0 s, its size is"
                                + " 1/4Gi"));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("withoutRunner")
    void reportsWhyNoRunnerScalesIt(VmPhase phase, boolean autoscaled, String sentence) {
        var observed = ConsoleFeed.vm(id("a"), "node-c", 1, phase, cu(4));
        var labelled = new VmObserved(
                observed.vm(),
                observed.version(),
                observed.pod(),
                observed.podName(),
                observed.node(),
                phase,
                autoscaled,
                observed.migratable(),
                observed.alwaysMigrate(),
                observed.sizes(),
                observed.overcommit(),
                observed.overrides(),
                observed.currentRevision(),
                observed.approved(),
                observed.fence(),
                observed.metrics(),
                observed.fileCache(),
                observed.monitor(),
                observed.traits());
        var status = new VmStatus(
                "default/a",
                Optional.of(labelled),
                Optional.empty(),
                NOW,
                Optional.empty(),
                Optional.empty(),
                VmStatus.Source.RUNNER);
        var migration = phase == VmPhase.MIGRATING ? moving() : Optional.<MigrationEntry>empty();
        assertThat(VmSentence.of(status, FULL, migration, NOW)).isEqualTo(sentence);
    }

    private static RunnerStatus room(Resources goal) {
        return new RunnerStatus(
                id("a"),
                "node-c",
                "pod-a",
                cu(10),
                Optional.of(goal),
                Optional.of(cu(10)),
                Waiting.ROOM,
                Duration.ofSeconds(12),
                GoalBasis.NONE,
                "",
                Optional.empty());
    }

    private static VmStatus known(RunnerStatus status) {
        return known(status, VmStatus.Source.RUNNER);
    }

    private static VmStatus known(RunnerStatus status, VmStatus.Source source) {
        return new VmStatus(
                "default/a",
                Optional.of(vm("a", "node-c", 1)),
                Optional.of(status),
                NOW.minus(status.since()),
                Optional.of(cu(1)),
                Optional.empty(),
                source);
    }

    private static Optional<MigrationEntry> moving() {
        return Optional.of(new MigrationEntry("m", "default/a", MigrationPhase.RUNNING, "node-c", "node-a", NOW, true));
    }

    private static String sentence(VmStatus vm, Optional<NodeLedgerView> ledger) {
        var migration = vm.waiting() == Waiting.MIGRATION ? moving() : Optional.<MigrationEntry>empty();
        return VmSentence.of(vm, ledger, migration, NOW);
    }
}
