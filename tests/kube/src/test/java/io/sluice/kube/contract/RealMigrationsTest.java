package io.sluice.kube.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.bus.VmAddresses;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.kube.server.RealServer;
import io.sluice.lab.kubernetes.MigrationsContract;
import io.sluice.messages.vm.MigrateVm;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** On a real API server, where a migration's spec is immutable. */
@OnKubernetes
@ExtendWith(RealServer.class)
class RealMigrationsTest extends MigrationsContract {
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
