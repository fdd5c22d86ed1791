package io.sluice.neonvm.core.observed;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.neonvm.core.ClusterConfig;
import io.sluice.neonvm.core.objects.Samples;
import io.sluice.neonvm.core.objects.VmReader;
import io.sluice.units.Resources;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelDumpTest {
    private static final Resources SOME = new Resources(1500, 6L << 30);

    private final ClusterModel model = new ClusterModel();

    @BeforeEach
    void observeOneOfEach() {
        model.changed(new NodeObserved("n1", 1, SOME));
        model.changed(new PodObserved("p1", "ns", "db-0", "n1", "db", 2, SOME, 0));
        var vm = Samples.annotated("autoscaling.sluice.io/metrics", "nowhere");
        model.changed(new VmReader(ClusterConfig.DEFAULTS).read(vm).observed());
        model.changed(new MigrationObserved(
                "neonvm",
                "ns",
                "m",
                "m1",
                4,
                "db",
                MigrationPhase.RUNNING,
                "db-0",
                "db-1",
                "n2",
                true,
                false,
                0,
                "m1"));
    }

    @Test
    void hasAKeyForEachObject() {
        assertThat(ModelDump.keys(model))
                .containsExactlyInAnyOrder("counts", "node/n1", "pod/ns/db-0/p1", "vm/ns/db/u1", "migration/ns/m/m1");
    }

    @ParameterizedTest
    @CsvSource({
        "counts,/migrations,1",
        "node/n1,/allocatable,1500m/6Gi",
        "pod/ns/db-0/p1,/amounts,1500m/6Gi",
        "vm/ns/db/u1,/phase,running",
        "vm/ns/db/u1,/max,4/16Gi",
        "vm/ns/db/u1,/complaints/0,'autoscaling.sluice.io/metrics: it must be a port from 1 to 65535, or port/path,"
                + " not ''nowhere''; no valid one was read since the start, so the default holds'",
        "migration/ns/m/m1,/roomOn,n2"
    })
    void showsEachAsItWasLastRead(String key, String field, String value) {
        assertThat(ModelDump.read(model, key).at(field).asText()).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource({"pod/ns/db-0/p2", "vm/ns/db/u2", "node/n2", "migration/ns/m/m2", "something"})
    void showsNothingOfWhatIsGone(String key) {
        assertThat(ModelDump.read(model, key).isNull()).isTrue();
    }
}
