package io.sluice.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.lab.api.LabPaths;
import io.sluice.lab.faults.LabFaults;
import io.sluice.lab.migration.core.MigrationFault;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class LabFaultsTest {
    @Test
    void leavesAVmWithAStuckStatusAsItIsUntilItIsHealed(Vertx vertx) {
        try (var stage = new LabStage(vertx)) {
            stage.lab.faults().statusStuck("db");
            stage.resize("db", 6);
            stage.resize("web", 6);
            stage.awaitVm("web", "/status/memorySize", "6Gi");
            assertThat(stage.vm("db", "/status/memorySize").asText()).isEqualTo("4Gi");

            stage.lab.faults().heal("db");

            stage.awaitVm("db", "/status/memorySize", "6Gi");
        }
    }

    @Test
    void failsTheWritesToOneVmUntilItIsHealed(Vertx vertx) {
        try (var stage = new LabStage(vertx)) {
            stage.lab.faults().patchesFail("db", 503);
            var patch = "{\"metadata\":{\"annotations\":{\"a\":\"1\"}}}";
            assertThat(patched(stage, "db", patch)).isEqualTo(503);
            assertThat(patched(stage, "web", patch)).isEqualTo(200);
            assertThat(stage.raw.get(LabPaths.vm("db")).status()).isEqualTo(200);

            stage.lab.faults().heal("db");

            assertThat(patched(stage, "db", patch)).isEqualTo(200);
        }
    }

    @Test
    void takesTheFaultOfTheNextMigrationOnce() {
        var faults = new LabFaults();
        faults.nextMigration(MigrationFault.FAILS);

        assertThat(faults.takeNext()).contains(MigrationFault.FAILS);
        assertThat(faults.takeNext()).isEmpty();
    }

    @Test
    void forgetsEverythingOfAVmThatIsHealed() {
        var faults = new LabFaults();
        faults.migrations("db", MigrationFault.FAILS);
        faults.migrations("web", MigrationFault.HANGS_PENDING);
        faults.guestRefuses("db");

        faults.heal("db");

        assertThat(faults.ofMigrations("db")).isEmpty();
        assertThat(faults.ofGuest("db").refusesToShrink()).isFalse();
        assertThat(faults.ofMigrations("web")).contains(MigrationFault.HANGS_PENDING);
    }

    private static int patched(LabStage stage, String vm, String patch) {
        return stage.raw
                .patch(LabPaths.vm(vm), "application/merge-patch+json", patch)
                .status();
    }
}
