package io.sluice.neonvm.core.observed;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.devices.NodeZones;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.neonvm.core.ClusterConfig;
import io.sluice.neonvm.core.objects.Samples;
import io.sluice.neonvm.core.objects.VmReader;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterModelTest {
    private static final Resources SOME = new Resources(100, 100);

    private final ClusterModel model = new ClusterModel();

    @Test
    void joinsAVmToItsPodWheneverThatIsKnown() {
        assertThat(model.changed(vm("v1", "db-0", 1))).containsExactly(new Observation.VmCame(vm("v1", "db-0", 1)));

        assertThat(model.changed(pod("p1", "db-0", 2)).observations())
                .hasSize(2)
                .endsWith(new Observation.VmCame(VmReader.inPod(vm("v1", "db-0", 1), "p1", "n1")));
        assertThat(model.vmInPod("p1")).isPresent();
    }

    @Test
    void aPodThatIsNewCountsAtNoLessThanTheVmInItUntilThatIsPublishedToo() {
        var vm = vm("v1", "db-0", 1);
        model.changed(vm);

        var observations = model.changed(new PodObserved("p1", "ns", "db-0", "n1", "db", 2, Resources.NONE, 0))
                .observations();

        assertThat(vm.sizes().inUse()).isNotEqualTo(Resources.NONE);
        assertThat(observations.getFirst())
                .isInstanceOfSatisfying(
                        Observation.PodCame.class,
                        came -> assertThat(came.observed().amounts())
                                .isEqualTo(vm.sizes().inUse()));
        assertThat(model.changed(new PodObserved("p1", "ns", "db-0", "n1", "db", 3, Resources.NONE, 0))
                        .observations())
                .as("by then the VM counts for itself")
                .containsExactly(
                        new Observation.PodCame(new PodObserved("p1", "ns", "db-0", "n1", "db", 3, Resources.NONE, 0)));
    }

    /** Nodes and reports of zones are watched apart, so either may arrive first. */
    @Test
    void neitherAReportOfZonesNorANodeIsLostThatArrivesAfterTheOther() {
        var node = new NodeObserved("n1", 5, SOME);
        model.changed(node);
        var zoned = node.with(NodeZones.none(3));
        assertThat(model.changed(zoned)).containsExactly(new Observation.NodeCame(zoned));
        assertThat(model.changed(zoned)).isEmpty();
        assertThat(model.changed(node)).as("an older report").isEmpty();

        model.changed(node.with(NodeZones.none(9)));
        var changed = new NodeObserved("n1", 7, Resources.NONE).with(NodeZones.none(9));
        assertThat(model.changed(changed)).containsExactly(new Observation.NodeCame(changed));
    }

    @Test
    void aVmThatIsNotAutoscaledIsPublishedAgainWithEachChangeOfItsPod() {
        var object = Samples.vm();
        object.withObject("/metadata").remove("labels");
        var vm = new VmReader(ClusterConfig.DEFAULTS).read(object).observed();
        model.changed(vm);
        model.changed(pod("p1", vm.podName(), 1_000));

        assertThat(model.changed(pod("p1", vm.podName(), 1_001)).observations())
                .endsWith(new Observation.VmCame(VmReader.inPod(vm, "p1", "n1")));
    }

    @Test
    void aMigrationsTargetCountsAtItsOwnUseWhereAFullListHasNoVmOfIt() {
        var target = new PodObserved("p1", "ns", "db-1", "n1", "db", 2, SOME, 0, "move");
        assertThat(model.changed(target)).isEqualTo(ClusterModel.Step.NOTHING);

        var fullList = FullList.of(
                new FullList.Part<>(3, List.of()),
                new FullList.Part<>(3, List.of(target)),
                new FullList.Part<>(3, List.of()),
                Optional.empty());
        assertThat(model.listed(fullList).observations()).contains(new Observation.PodCame(target));
    }

    @Test
    void aVmIsWhereItsPodIsThoughItsOwnNodeIsStillTheOneItLeft() {
        var moved = new PodObserved("p2", "ns", "db-1", "n2", "db", 3, SOME, 0);
        model.changed(pod("p1", "db-0", 1));
        model.changed(vm("v1", "db-0", 2));
        model.changed(moved);

        assertThat(model.changed(vm("v1", "db-1", 4)))
                .singleElement()
                .isInstanceOfSatisfying(Observation.VmCame.class, came -> {
                    assertThat(came.observed().pod()).isEqualTo("p2");
                    assertThat(came.observed().node()).isEqualTo("n2");
                });
    }

    @Test
    void aVmIsWhereItsPodIsThoughItNamesTheNodeAlreadyThatItGoesTo() {
        model.changed(pod("p1", "db-0", 1));
        model.changed(new PodObserved("p2", "ns", "db-1", "n2", "db", 2, SOME, 0));
        var early = VmReader.inPod(vm("v1", "db-0", 3), "", "n2");

        assertThat(model.changed(early)).singleElement().isInstanceOfSatisfying(Observation.VmCame.class, came -> {
            assertThat(came.observed().pod()).isEqualTo("p1");
            assertThat(came.observed().node()).isEqualTo("n1");
        });
    }

    @Test
    void aVmWithAnUnknownPodIsWhereItsOwnObservationPlacesIt() {
        assertThat(model.changed(vm("v1", "db-1", 4)))
                .singleElement()
                .isInstanceOfSatisfying(Observation.VmCame.class, came -> {
                    assertThat(came.observed().pod()).isEmpty();
                    assertThat(came.observed().node()).isEqualTo("n1");
                });
    }

    @Test
    void reportsThatAVmLostItsPod() {
        model.changed(pod("p1", "db-0", 1));
        model.changed(vm("v1", "db-0", 2));

        assertThat(model.podGone("p1", 3)).hasSize(2).last().isEqualTo(new Observation.VmCame(vm("v1", "db-0", 2)));
    }

    @Test
    void ignoresWhatIsOlderThanWhatItHas() {
        model.changed(pod("p1", "db-0", 5));

        assertThat(model.changed(pod("p1", "db-0", 4))).isEqualTo(ClusterModel.Step.NOTHING);
        assertThat(model.changed(pod("p1", "db-0", 5))).isEqualTo(ClusterModel.Step.NOTHING);
        assertThat(model.podGone("p1", 4)).isEmpty();
    }

    @Test
    void bringsNothingBackThatAFullListShowedToBeGone() {
        model.changed(pod("p1", "db-0", 5));

        var listed = model.listed(fullList(10, part(10), part(10)));

        assertThat(listed.observations()).singleElement().isInstanceOf(Observation.PodWent.class);
        assertThat(model.changed(pod("p1", "db-0", 6))).isEqualTo(ClusterModel.Step.NOTHING);
    }

    @Test
    void bringsNothingBackThatWasDeletedWhileAFullListWasOnItsWay() {
        model.changed(pod("p1", "db-0", 5));
        model.podGone("p1", 12);

        var listed = model.listed(fullList(10, part(10, pod("p1", "db-0", 5)), part(10)));

        assertThat(listed.observations()).isEmpty();
    }

    @Test
    void keepsWhatIsNewerThanTheFullList() {
        model.changed(pod("p1", "db-0", 11));

        assertThat(model.listed(fullList(10, part(10), part(10))).observations())
                .containsExactly(new Observation.PodCame(pod("p1", "db-0", 11)));
    }

    @Test
    void loadsEachNodeWithItsPodsAndTheVmsInThem() {
        var node = new NodeObserved("n1", 1, SOME);
        var empty = new NodeObserved("n2", 1, SOME);

        var fullList = FullList.of(
                new FullList.Part<>(10, List.of(node, empty)),
                part(11, pod("p1", "db-0", 5)),
                part(12, vm("v1", "db-0", 6)),
                Optional.empty());
        model.listed(fullList);
        var loads = model.loads(fullList);

        assertThat(loads).hasSize(2);
        assertThat(loads.getFirst().version()).isEqualTo(11);
        assertThat(loads.getFirst().pods()).containsExactly(pod("p1", "db-0", 5));
        assertThat(loads.getFirst().vms()).containsExactly(VmReader.inPod(vm("v1", "db-0", 6), "p1", "n1"));
        assertThat(loads.getLast().pods()).isEmpty();
    }

    /** Whatever is lost, repeated or out of order, a consumer has what exists once a full list was taken. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 20261121})
    void endsWithWhatIsThereAfterAnyHistory(long seed) {
        var random = new Random(seed);
        for (int history = 0; history < 300; history++) {
            var truth = new HashMap<String, Long>();
            var dead = new HashSet<String>();
            var changes = changes(random, truth, dead);
            var consumer = new Consumer();
            var fresh = new ClusterModel();
            Collections.shuffle(changes, random);
            int fullListAt = random.nextInt(changes.size() + 1);
            for (int i = 0; i <= changes.size(); i++) {
                if (i == fullListAt) {
                    var pods = truth.entrySet().stream().map(pod -> pod(pod.getKey(), pod.getKey(), pod.getValue()));
                    var part = new FullList.Part<>(1000, pods.toList());
                    fresh.listed(fullList(1000, part, part(1000)))
                            .observations()
                            .forEach(consumer::receive);
                }
                if (i < changes.size() && random.nextInt(4) > 0) {
                    for (int repeat = 0; repeat <= random.nextInt(2); repeat++) {
                        changes.get(i).applyTo(fresh).forEach(consumer::receive);
                    }
                }
            }
            assertThat(consumer.pods).as("seed %d history %d", seed, history).isEqualTo(truth);
        }
    }

    private record Change(String uid, long version, boolean gone) {
        List<Observation> applyTo(ClusterModel model) {
            return gone
                    ? model.podGone(uid, version)
                    : model.changed(pod(uid, uid, version)).observations();
        }
    }

    private static List<Change> changes(Random random, Map<String, Long> truth, Set<String> dead) {
        var changes = new ArrayList<Change>();
        for (long version = 1; version <= 40; version++) {
            var uid = "p" + random.nextInt(6);
            if (dead.contains(uid)) {
                continue;
            }
            boolean gone = truth.containsKey(uid) && random.nextInt(4) == 0;
            changes.add(new Change(uid, version, gone));
            if (gone) {
                truth.remove(uid);
                dead.add(uid);
            } else {
                truth.put(uid, version);
            }
        }
        return changes;
    }

    /** Processes every observation as it arrives: "gone" is final for a uid. */
    private static final class Consumer {
        private final Map<String, Long> pods = new HashMap<>();
        private final Set<String> gone = new HashSet<>();

        void receive(Observation observation) {
            switch (observation) {
                case Observation.PodCame(var observed)
                when !gone.contains(observed.uid()) -> pods.merge(observed.uid(), observed.version(), Math::max);
                case Observation.PodWent(var lost) -> {
                    gone.add(lost.uid());
                    pods.remove(lost.uid());
                }
                case Observation.PodCame ignored -> {}
                case Observation.PodWaits ignored -> {}
                case Observation.NodeCame ignored -> {}
                case Observation.NodeWent ignored -> {}
                case Observation.VmCame ignored -> {}
                case Observation.VmWent ignored -> {}
                case Observation.MigrationCame ignored -> {}
                case Observation.MigrationWent ignored -> {}
            }
        }
    }

    private static FullList fullList(long version, FullList.Part<PodObserved> pods, FullList.Part<VmObserved> vms) {
        return FullList.of(part(version), pods, vms, Optional.empty());
    }

    private static <T> FullList.Part<T> part(long version) {
        return new FullList.Part<>(version, List.of());
    }

    private static <T> FullList.Part<T> part(long version, T item) {
        return new FullList.Part<>(version, List.of(item));
    }

    private static PodObserved pod(String uid, String name, long version) {
        return new PodObserved(uid, "ns", name, "n1", "db", version, SOME, 0);
    }

    private static VmObserved vm(String uid, String podName, long version) {
        var object = Samples.vm();
        object.withObject("/metadata").put("uid", uid).put("resourceVersion", Long.toString(version));
        object.withObject("/status").put("podName", podName);
        return new VmReader(ClusterConfig.DEFAULTS).read(object).observed();
    }
}
