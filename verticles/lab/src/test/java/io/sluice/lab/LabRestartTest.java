package io.sluice.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.lab.api.LabPaths;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A VM without its runner pod starts again in another; a deleted VM does not. */
@ExtendWith(VertxExtension.class)
class LabRestartTest {
    @Test
    void startsAVmAgainInANewPodAtItsLeastSizeAndScalesItFromThere(Vertx vertx) {
        try (var stage = new LabStage(vertx)) {
            var ip = stage.vm("db", "/status/podIP").asText();

            stage.raw.delete(LabPaths.pod("db-0") + "?gracePeriodSeconds=0", "{}");

            stage.awaitVm("db", "/status/podName", "db-1");
            stage.awaitVm("db", "/status/phase", "Running");
            stage.awaitVm("db", "/status/memorySize", "4Gi");
            assertThat(stage.vm("db", "/status/restartCount").asInt()).isEqualTo(1);
            assertThat(stage.vm("db", "/status/podIP").asText()).isEqualTo(ip);
            assertThat(stage.vm("db", "/status/node").asText()).isEqualTo("node-a");
            var pod = stage.raw.get(LabPaths.pod("db-1")).body();
            assertThat(pod.at("/spec/nodeName").asText()).isEqualTo("node-a");
            assertThat(pod.at("/status/phase").asText()).isEqualTo("Running");
            assertThat(pod.at("/metadata/ownerReferences/0/controller").asBoolean())
                    .isTrue();
        }
    }

    @Test
    void aPodThatItsVmLeftEndsWithoutARestart(Vertx vertx) {
        try (var stage = new LabStage(vertx)) {
            stage.raw.delete(LabPaths.vm("db"), "{}");
            stage.raw.delete(LabPaths.pod("db-0"), "{}");
            stage.raw.delete(LabPaths.pod("web-0"), "{}");

            stage.awaitVm("web", "/status/podName", "web-1");
            assertThat(stage.raw.get(LabPaths.pod("db-1")).status()).isEqualTo(404);
        }
    }
}
