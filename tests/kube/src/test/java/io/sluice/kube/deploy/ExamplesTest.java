package io.sluice.kube.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.Kubectl;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.neonvm.core.ClusterConfig;
import io.sluice.neonvm.core.objects.VmReader;
import io.sluice.units.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: Sluice reads the examples as their comments describe them. Method: they are applied to a real API server, and
 * the resulting objects are read as the role {@code cluster} reads them.
 */
@OnKubernetes
class ExamplesTest {
    private static final long GIB = 1L << 30;

    @TempDir
    private static Path folder;

    private static ControlPlane plane;
    private static Kubectl kubectl;

    private final VmReader reader = new VmReader(ClusterConfig.DEFAULTS);

    @BeforeAll
    static void start() throws IOException {
        plane = ControlPlane.start(Files.createDirectory(folder.resolve("plane")));
        kubectl = new Kubectl(folder, plane.admin());
    }

    @AfterAll
    static void stop() {
        plane.close();
    }

    @Test
    void aVmGetsOtherBoundsWhileItRuns() {
        apply("vm");
        assertThat(vm("demo").sizes().min()).isEqualTo(new Resources(250, GIB));
        assertThat(vm("demo").sizes().max()).isEqualTo(new Resources(2_000, 8 * GIB));

        var bounds = Deploy.example("vm").resolve("live-bounds.yaml").toString();
        kubectl.run("patch", "neonvm", "demo", "--type=merge", "--patch-file=" + bounds);

        assertThat(vm("demo").sizes().min()).isEqualTo(new Resources(500, 2 * GIB));
        assertThat(vm("demo").sizes().max()).isEqualTo(new Resources(4_000, 16 * GIB));
    }

    @Test
    void oneOfThoseThatContendMayBeMoved() {
        apply("contend");

        assertThat(List.of(vm("stays"), vm("may-move")))
                .allSatisfy(vm -> assertThat(vm.sizes().max()).isEqualTo(new Resources(8_000, 32 * GIB)));
        assertThat(vm("stays").migratable()).isFalse();
        assertThat(vm("may-move").migratable()).isTrue();
    }

    @Test
    void theDatabaseUnderLoadMayGoFromAQuarterToOneCpu() {
        apply("pgbench");

        var sizes = vm("pgbench-db").sizes();
        assertThat(sizes.min()).isEqualTo(new Resources(250, GIB));
        assertThat(sizes.max()).isEqualTo(new Resources(1_000, 4 * GIB));
        assertThat(sizes.spec()).isEqualTo(new Resources(500, GIB));
    }

    private static void apply(String example) {
        kubectl.run("apply", "--validate=strict", "-k", Deploy.example(example).toString());
    }

    /** The VM as it is read; every example is scaled, and reading it gives no warning. */
    private VmObserved vm(String name) {
        JsonNode object = kubectl.objects("get", "neonvm", name).getFirst();
        var reading = reader.read(object);
        assertThat(reading.complaints()).isEmpty();
        assertThat(reading.observed().autoscaled()).isTrue();
        return reading.observed();
    }
}
