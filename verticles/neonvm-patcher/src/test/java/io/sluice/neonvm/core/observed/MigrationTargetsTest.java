package io.sluice.neonvm.core.observed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.neonvm.core.ClusterConfig;
import io.sluice.neonvm.core.objects.Samples;
import io.sluice.neonvm.core.objects.VmReader;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What target pods of migrations count at. */
class MigrationTargetsTest {
    private static final long GIB = 1L << 30;
    private static final Resources OWN = new Resources(500, 2 * GIB);
    private static final Resources RESERVED = new Resources(1500, 6 * GIB);
    private static final Resources MAXIMUM = new Resources(4000, 16 * GIB);
    private static final ReservationLookup REQUEST = new ReservationLookup("target", "n1", "source", "m1");
    private static final String MIGRATION = "schedplugin-db-0";

    private final ClusterModel model = new ClusterModel();

    @Test
    void publishesATargetOnlyOnceTheVmsReservationWhereItLeavesIsKnown() {
        aVmThatMoves();

        var observed = model.changed(target(10));

        assertThat(observed.observations()).isEmpty();
        assertThat(observed.requests()).containsExactly(REQUEST);
        assertThat(model.answered("target", Optional.of(RESERVED)))
                .containsExactly(new Observation.PodCame(target(10, RESERVED)));
    }

    @Test
    void countsTheVmsMaximumWhereTheLookupFindsNothing() {
        aVmThatMoves();
        model.changed(target(10));

        assertThat(model.answered("target", Optional.empty()))
                .containsExactly(new Observation.PodCame(target(10, MAXIMUM)));
    }

    @Test
    void neverCountsLessThanTheTargetsOwnUse() {
        aVmThatMoves();
        model.changed(target(10));

        assertThat(model.answered("target", Optional.of(new Resources(100, 8 * GIB))))
                .containsExactly(new Observation.PodCame(target(10, new Resources(500, 8 * GIB))));
    }

    @Test
    void looksUpOnceAndPublishesTheNewestOfWhatCameMeanwhile() {
        aVmThatMoves();
        model.changed(target(10));

        assertThat(model.changed(target(11))).isEqualTo(ClusterModel.Step.NOTHING);
        assertThat(model.answered("target", Optional.of(RESERVED)))
                .containsExactly(new Observation.PodCame(target(11, RESERVED)));
        assertThat(model.answered("target", Optional.of(MAXIMUM))).isEmpty();
    }

    @Test
    void keepsTheAmountThroughRepeatsAndFullListsAsLongAsThePodIsATarget() {
        aVmThatMoves();
        model.changed(target(10));
        model.answered("target", Optional.of(RESERVED));

        assertThat(model.changed(target(12)).observations())
                .containsExactly(new Observation.PodCame(target(12, RESERVED)));
        var fullList = fullList(target(12), Optional.of(migration(MigrationPhase.RUNNING, 13)));
        assertThat(model.listed(fullList).observations()).contains(new Observation.PodCame(target(12, RESERVED)));
        assertThat(model.loads(fullList).getLast().pods()).containsExactly(target(12, RESERVED));

        var arrived = pod("target", "db-1", "n2", 20, OWN, "");
        assertThat(model.changed(arrived).observations()).containsExactly(new Observation.PodCame(arrived));
    }

    @Test
    void loadsWhatIsStillAwaitedAtTheVmsMaximum() {
        aVmThatMoves();
        model.changed(target(10));

        var fullList = fullList(target(10), Optional.of(migration(MigrationPhase.PENDING, 9)));

        assertThat(model.listed(fullList).requests()).isEmpty();
        assertThat(model.loads(fullList).getLast().pods()).containsExactly(target(10, MAXIMUM));
    }

    @Test
    void looksUpTheReservationForATargetThatAFullListShowsFirst() {
        var fullList = fullList(target(10), Optional.of(migration(MigrationPhase.PENDING, 9)));

        var listed = model.listed(fullList);

        assertThat(listed.requests()).containsExactly(REQUEST);
        assertThat(listed.observations())
                .noneMatch(observation -> observation instanceof Observation.PodCame(var pod) && pod.migrationTarget());
        model.answered("target", Optional.of(RESERVED));
        assertThat(model.loads(fullList).getLast().pods()).containsExactly(target(10, RESERVED));
    }

    @Test
    void looksUpNothingWhereAFullListMissesTheMigration() {
        var listed = model.listed(fullList(target(10), Optional.empty()));

        assertThat(listed.requests()).isEmpty();
        assertThat(listed.observations()).contains(new Observation.PodCame(target(10, MAXIMUM)));
    }

    @ParameterizedTest
    @EnumSource(
            value = MigrationPhase.class,
            names = {"SUCCEEDED", "FAILED"})
    void looksUpNothingOnceTheMigrationIsOver(MigrationPhase phase) {
        aVmThatMoves();
        model.changed(migration(phase, 8));

        assertThat(model.changed(target(10)).observations())
                .containsExactly(new Observation.PodCame(target(10, MAXIMUM)));
        assertThat(model.moving()).isEmpty();
    }

    @Test
    void looksUpWhatTheMigrationNamesAsLeftOnceTheVmRunsInTheTarget() {
        aVmThatMoves();
        model.changed(migration(MigrationPhase.RUNNING, 8));
        model.changed(vm("db-1", 9));

        assertThat(model.changed(target(10)).requests()).containsExactly(REQUEST);
        assertThat(model.answered("target", Optional.of(RESERVED)))
                .containsExactly(
                        new Observation.PodCame(target(10, RESERVED)),
                        new Observation.VmCame(VmReader.inPod(vm("db-1", 9), "target", "n2")));
    }

    /** As after a start, when pods may be observed before VMs: the pod's own amounts may be less than its VM uses. */
    @Test
    void publishesNoTargetOfAVmThatWasNotObserved() {
        model.changed(migration(MigrationPhase.PENDING, 9));
        assertThat(model.changed(target(10))).isEqualTo(ClusterModel.Step.NOTHING);
        assertThat(model.changed(target(11))).isEqualTo(ClusterModel.Step.NOTHING);

        assertThat(model.changed(vm("db-0", 12))).contains(new Observation.PodCame(target(11, MAXIMUM)));
    }

    @Test
    void looksUpTheReservationOnceAFullListHasTheTargetAndItsVm() {
        model.changed(target(10));

        assertThat(model.listed(fullList(target(10), Optional.of(migration(MigrationPhase.RUNNING, 9))))
                        .requests())
                .containsExactly(REQUEST);
    }

    @Test
    void marksAgainWhatIsStillMoving() {
        aVmThatMoves();
        model.changed(target(10));
        assertThat(model.moving()).isEmpty();

        model.answered("target", Optional.empty());
        model.changed(migration(MigrationPhase.RUNNING, 11));

        assertThat(model.moving()).containsExactly(REQUEST);
    }

    @Test
    void forgetsATargetThatWentBeforeTheAnswer() {
        aVmThatMoves();
        model.changed(target(10));
        model.podGone("target", 11);

        assertThat(model.answered("target", Optional.of(RESERVED))).isEmpty();
    }

    /** Otherwise the VM would count nowhere until the reply. */
    @Test
    void publishesATargetBeforeTheEndOfThePodThatItsVmLeft() {
        aVmThatMoves();
        model.changed(target(10));

        assertThat(model.podGone("source", 11))
                .startsWith(
                        new Observation.PodCame(target(10, MAXIMUM)),
                        new Observation.PodWent(new PodGone("source", "n1", 11)));
        assertThat(model.answered("target", Optional.of(RESERVED))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void publishesATargetBeforeThatEndAlsoWhenAFullListShowsBoth(boolean knownBefore) {
        aVmThatMoves();
        if (knownBefore) {
            model.changed(target(10));
        }
        var migration = part(14, migration(MigrationPhase.RUNNING, 13));
        var listed = model.listed(
                FullList.of(part(14), part(14, target(10)), part(14, vm("db-0", 2)), Optional.of(migration)));

        assertThat(listed.observations())
                .containsSubsequence(
                        new Observation.PodCame(target(10, MAXIMUM)),
                        new Observation.PodWent(new PodGone("source", "n1", 14)));
    }

    /** The ledger state with the earlier reply was lost, and more may be reserved since. */
    @Test
    void raisesATargetWhereItsVmIsMarkedAgainAtMore() {
        aVmThatMoves();
        model.changed(target(10));
        assertThat(model.markedAgain("target", MAXIMUM)).isEmpty();
        model.answered("target", Optional.of(RESERVED));

        assertThat(model.markedAgain("target", OWN)).isEmpty();
        assertThat(model.markedAgain("target", MAXIMUM)).containsExactly(new Observation.PodCame(target(10, MAXIMUM)));
        assertThat(model.changed(target(11)).observations())
                .containsExactly(new Observation.PodCame(target(11, MAXIMUM)));
        assertThat(model.markedAgain("source", MAXIMUM)).isEmpty();
    }

    /** Another component than an agent may resize it during the migration. */
    @Test
    void raisesATargetWithItsVm() {
        aVmThatMoves();
        model.changed(target(10));
        model.answered("target", Optional.of(RESERVED));
        var grown = grown(11);

        assertThat(model.changed(grown))
                .containsExactly(
                        new Observation.PodCame(target(10, new Resources(2000, 6 * GIB))),
                        new Observation.VmCame(VmReader.inPod(grown, "source", "n1")));
    }

    @Test
    void neverCountsATargetAtLessThanItsVm() {
        aVmThatMoves();
        model.changed(grown(8));
        model.changed(target(10));

        assertThat(model.answered("target", Optional.of(RESERVED)))
                .containsExactly(new Observation.PodCame(target(10, new Resources(2000, 6 * GIB))));
    }

    @Test
    void publishesAVmAgainWhenItsNewPodIsNoTargetAnyMoreBeforeTheReply() {
        aVmThatMoves();
        model.changed(migration(MigrationPhase.RUNNING, 8));
        model.changed(target(10));
        model.changed(vm("db-1", 11));
        var arrived = pod("target", "db-1", "n2", 12, OWN, "");
        var use = OWN.max(vm("db-1", 11).sizes().inUse());

        assertThat(model.changed(arrived).observations())
                .containsExactly(
                        new Observation.PodCame(pod("target", "db-1", "n2", 12, use, "")),
                        new Observation.VmCame(VmReader.inPod(vm("db-1", 11), "target", "n2")));
    }

    /** The attempt for its mark is not known yet. */
    @Test
    void aTargetWaitsUntilItsMigrationIsObserved() {
        model.changed(source());
        model.changed(vm("db-0", 2));
        assertThat(model.changed(target(10))).isEqualTo(ClusterModel.Step.NOTHING);

        var received = model.changed(migration(MigrationPhase.PENDING, 9));

        assertThat(received.requests()).containsExactly(REQUEST);
        assertThat(model.answered("target", Optional.of(RESERVED)))
                .containsExactly(new Observation.PodCame(target(10, RESERVED)));
    }

    @Test
    void aTargetThatItsVmRunsInWaitsForNoMigration() {
        model.changed(source());
        model.changed(vm("db-0", 2));
        model.changed(target(10));

        assertThat(model.changed(vm("db-1", 11))).contains(new Observation.PodCame(target(10, MAXIMUM)));
    }

    /**
     * Whatever arrives in whatever order, a published target counts at no less than before, and each target is
     * published.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 20261121})
    void neverCountsATargetAtLessThanBefore(long seed) {
        var random = new Random(seed);
        for (int history = 0; history < 300; history++) {
            var fresh = new ClusterModel();
            var reported = Optional.<Resources>empty();
            fresh.changed(source());
            for (long version = 5; version < 40; version++) {
                var observations = anything(fresh, random, version);
                for (var observation : observations) {
                    if (observation instanceof Observation.PodCame(var pod)
                            && pod.uid().equals("target")) {
                        var before = reported.orElse(Resources.NONE);
                        assertThat(before.exceeds(pod.amounts()))
                                .as("seed %d history %d version %d", seed, history, version)
                                .isFalse();
                        reported = Optional.of(pod.amounts());
                    }
                }
            }
            boolean reportedAtLast = !fresh.answered("target", Optional.empty()).isEmpty();
            assertThat(reported.isPresent() || reportedAtLast)
                    .as("seed %d history %d", seed, history)
                    .isEqualTo(fresh.pod("target").isPresent());
        }
    }

    private List<Observation> anything(ClusterModel fresh, Random random, long version) {
        return switch (random.nextInt(6)) {
            case 0 -> fresh.changed(target(version)).observations();
            case 1 -> fresh.changed(vm(random.nextBoolean() ? "db-0" : "db-1", version));
            case 2 ->
                fresh.changed(migration(MigrationPhase.values()[random.nextInt(5)], version))
                        .observations();
            case 3 -> fresh.answered("target", random.nextBoolean() ? Optional.of(RESERVED) : Optional.empty());
            case 4 -> fresh.podGone("source", version);
            default ->
                fresh.listed(FullList.of(
                                part(version),
                                new FullList.Part<>(version, List.of(source(), target(version))),
                                new FullList.Part<>(version, List.of(vm("db-0", version))),
                                Optional.of(new FullList.Part<>(
                                        version, List.of(migration(MigrationPhase.PENDING, version))))))
                        .observations();
        };
    }

    private void aVmThatMoves() {
        model.changed(source());
        model.changed(vm("db-0", 2));
        model.changed(migration(MigrationPhase.PENDING, 3));
    }

    private static FullList fullList(PodObserved target, Optional<MigrationObserved> migration) {
        return FullList.of(
                new FullList.Part<>(
                        14, List.of(new NodeObserved("n1", 1, MAXIMUM), new NodeObserved("n2", 1, MAXIMUM))),
                new FullList.Part<>(14, List.of(source(), target)),
                new FullList.Part<>(14, List.of(vm("db-0", 2))),
                Optional.of(new FullList.Part<>(14, migration.stream().toList())));
    }

    private static <T> FullList.Part<T> part(long version) {
        return new FullList.Part<>(version, List.of());
    }

    private static <T> FullList.Part<T> part(long version, T only) {
        return new FullList.Part<>(version, List.of(only));
    }

    private static PodObserved source() {
        return pod("source", "db-0", "n1", 1, OWN, "");
    }

    private static PodObserved target(long version) {
        return target(version, OWN);
    }

    private static PodObserved target(long version, Resources amounts) {
        return pod("target", "db-1", "n2", version, amounts, MIGRATION);
    }

    private static PodObserved pod(
            String uid, String name, String node, long version, Resources amounts, String migration) {
        return new PodObserved(uid, "ns", name, node, "db", version, amounts, 0, migration);
    }

    private static MigrationObserved migration(MigrationPhase phase, long version) {
        return new MigrationObserved(
                "neonvm", "ns", MIGRATION, "m1", version, "db", phase, "db-0", "db-1", "n2", true, false, 0, "m1");
    }

    private static VmObserved grown(long version) {
        var object = Samples.vm();
        object.withObject("/metadata").put("resourceVersion", Long.toString(version));
        object.withObject("/spec/guest/cpus").put("use", 2);
        return read(object);
    }

    private static VmObserved vm(String podName, long version) {
        var object = Samples.vm();
        object.withObject("/metadata").put("resourceVersion", Long.toString(version));
        object.withObject("/status").put("podName", podName);
        return read(object);
    }

    private static VmObserved read(ObjectNode object) {
        return new VmReader(ClusterConfig.DEFAULTS).read(object).observed();
    }
}
