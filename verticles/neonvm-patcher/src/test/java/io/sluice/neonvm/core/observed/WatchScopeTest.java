package io.sluice.neonvm.core.observed;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.neonvm.core.ClusterConfig;
import io.sluice.neonvm.core.objects.Samples;
import io.sluice.neonvm.core.objects.VmReader;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is published and kept of a Kubernetes cluster if only the node n1 is in scope. */
class WatchScopeTest {
    private final ClusterModel model = new ClusterModel(WatchScope.ofNode("n1"));

    @Test
    void isConcernedWithWhatRunsThereAndWithWhatRanThere() {
        assertThat(model.concerns("v1", "ns", "db-0", "n1")).isTrue();
        assertThat(model.concerns("v1", "ns", "db-0", "n2")).isFalse();
        assertThat(model.concerns("v1", "ns", "", "")).isFalse();

        model.changed(vm("n1", 1));
        assertThat(model.concerns("v1", "ns", "db-0", "n2")).isTrue();
        assertThat(model.concerns("v1", "ns", "", "")).isTrue();
    }

    @Test
    void isConcernedWithAVmWhenItsPodIsThereBeforeItReportsSo() {
        model.changed(new PodObserved("p1", "ns", "db-0", "n1", "db", 1, Resources.NONE, 0));

        assertThat(model.concerns("v1", "ns", "db-0", "n2")).isTrue();
        model.changed(vm("n2", 2));
        assertThat(model.vms()).as("its pod has its node").hasSize(1);
    }

    @Test
    void reportsWhereAVmWentAndForgetsIt() {
        model.changed(vm("n1", 1));

        assertThat(model.changed(vm("n2", 2))).containsExactly(new Observation.VmCame(vm("n2", 2)));
        assertThat(model.vms()).isEmpty();
        assertThat(model.concerns("v1", "ns", "db-0", "n2")).isFalse();
    }

    @Test
    void reportsAVmThatCameBack() {
        model.changed(vm("n1", 1));
        model.changed(vm("n2", 2));

        assertThat(model.changed(vm("n1", 1))).as("an older one").isEmpty();
        assertThat(model.changed(vm("n1", 3))).containsExactly(new Observation.VmCame(vm("n1", 3)));
        assertThat(model.vms()).hasSize(1);
    }

    @Test
    void keepsAVmThatIsNowhereForAMoment() {
        model.changed(vm("n1", 1));
        model.changed(vm("", 2));

        assertThat(model.vms()).hasSize(1);
    }

    @Test
    void aFullListReportsWhatLeftMeanwhileAndWhatIsGone() {
        model.changed(vm("n1", 1));

        assertThat(model.listed(fullList(5, List.of(vm("n2", 4)))).observations())
                .containsExactly(new Observation.VmCame(vm("n2", 4)));
        assertThat(model.vms()).isEmpty();

        model.changed(vm("n1", 6));
        assertThat(model.listed(fullList(7, List.of())).observations())
                .containsExactly(new Observation.VmWent(new VmGone(vm("n1", 6).vm(), 7)));
    }

    private static FullList fullList(long version, List<VmObserved> vms) {
        return FullList.of(
                new FullList.Part<>(version, List.of()),
                new FullList.Part<>(version, List.of()),
                new FullList.Part<>(version, vms),
                Optional.empty());
    }

    private static VmObserved vm(String node, long version) {
        var object = Samples.vm();
        object.withObject("/metadata").put("uid", "v1").put("resourceVersion", Long.toString(version));
        object.withObject("/status").put("node", node);
        return new VmReader(ClusterConfig.DEFAULTS).read(object).observed();
    }
}
