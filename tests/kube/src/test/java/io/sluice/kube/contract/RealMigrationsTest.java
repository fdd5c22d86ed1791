package io.sluice.kube.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.bus.VmAddresses;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.lab.kubernetes.MigrationsContract;
import io.sluice.messages.vm.MigrateVm;
import io.sluice.neonvm.api.KubernetesConfig;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a real API server, where a migration's spec is immutable. */
@OnKubernetes
class RealMigrationsTest extends MigrationsContract {
    private static ControlPlane plane;

    @BeforeAll
    static void start(@TempDir Path folder) {
        plane = ControlPlane.start(folder);
    }

    @AfterAll
    static void stop() {
        plane.close();
    }

    @Override
    protected KubernetesConfig server() {
        return plane.admin();
    }

    @Test
    void noClientChangesWhatAMigrationWasBegunAs() {
        done(bus.request(VmAddresses.MIGRATE, new MigrateVm(vm, "db-0", "node-b", Duration.ofHours(1), "attempt")));
        var path = "/apis/vm.neon.tech/v1/namespaces/default/virtualmachinemigrations/schedplugin-db-0";

        var refused =
                raw.patch(path, "application/merge-patch+json", "{\"spec\":{\"preventMigrationToSameHost\":false}}");

        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.body().path("message").asText()).contains("spec is immutable");
    }
}
