package io.sluice.kube;

import static io.sluice.kube.Vms.UNIT;
import static io.sluice.kube.Vms.node;
import static io.sluice.kube.Vms.units;
import static io.sluice.kube.Vms.vm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.messages.agent.Waiting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: what the API server does to those who rely on it breaks no promise, and what happened meanwhile is known
 * afterwards. Method: it stands still, loses an object, or is out of reach while guests want other sizes.
 */
@OnKubernetes
@DisplayName("F12: Sluice converges after its API server was away, stood still or lost an object")
class FaultsOnKubernetesTest {
    /** More than four units have. */
    private static final double MUCH = 3;

    private static final Duration FROZEN = Duration.ofSeconds(20);

    /** A minute in the long form; what counts is that it is longer than any request may take. */
    private static final Duration CUT = Duration.ofSeconds(Integer.getInteger("kube.cut-seconds", 15));

    private static ControlPlane plane;
    private static Wire wire;
    private static Town town;

    @BeforeAll
    static void start(@TempDir Path folder) {
        plane = ControlPlane.start(folder);
        wire = new Wire(plane.apiPort());
        town = new Town(
                        plane.admin(),
                        plane.adminBy(wire.port()),
                        // A watch that hears nothing is begun again, long before everything is listed anew.
                        Map.of("sluice.kubernetes.watchSilence", "5s", "sluice.kubernetes.resync", "10m"),
                        node("node-faults", 40, vm("frozen"), vm("wiped"), vm("cut"), vm("gone")))
                .open(Town.ALL);
    }

    @AfterAll
    static void stop() {
        town.close();
        wire.close();
        plane.close();
    }

    @Test
    void goesOnAfterTheApiServerStoodStill() {
        town.settles("frozen", UNIT);
        plane.freezeApiServer();
        try {
            town.errands().compute("frozen", MUCH);
            await().during(FROZEN)
                    .atMost(FROZEN.plus(Town.WITHIN))
                    .until(() -> town.guest("frozen").size().equals(UNIT));
        } finally {
            plane.thawApiServer();
        }
        town.settles("frozen", units(4));
        town.errands().rest("frozen");
        town.settles("frozen", UNIT);
        town.auditsClean();
    }

    @Test
    void aVmThatEtcdLostIsNotScaledAnyMoreAndIsCountedUntilItsPodIsGone() {
        town.errands().compute("wiped", MUCH);
        var lost = town.settles("wiped", units(4));

        plane.wipe("vm.neon.tech/virtualmachines", "default", "wiped");

        await().atMost(Town.WITHIN).until(() -> town.status("wiped").waiting() == Waiting.STOPPED);
        assertThat(town.members("wiped"))
                .as("its pod runs, and what runs is counted")
                .singleElement()
                .satisfies(member -> assertThat(member.reserved()).isEqualTo(units(4)));
        town.endPod(lost.podName());
        town.books(
                "node-faults",
                books -> books.members().stream()
                        .noneMatch(member -> member.name().equals(lost.podName())));
        town.errands().compute("cut", MUCH);
        town.settles("cut", units(4));
        town.errands().rest("cut");
        town.auditsClean();
    }

    @Test
    void whatHappenedWhileTheApiServerWasOutOfReachIsKnownAfterwards() {
        town.settles("cut", UNIT);
        var gone = town.settles("gone", UNIT);
        wire.cut();

        town.errands().compute("cut", MUCH);
        town.bounds("cut", 1, 3);
        town.bindPod("came-meanwhile", "node-faults", UNIT);
        town.vms().inNamespace("default").withName("gone").delete();
        town.endPod(gone.podName());
        await().during(CUT)
                .atMost(CUT.plus(Town.WITHIN))
                .until(() -> town.vm("cut").settledAt(UNIT));
        wire.mend();

        town.books("node-faults", books -> {
            var names = books.members().stream().map(member -> member.name()).toList();
            return names.contains("came-meanwhile") && !names.contains(gone.podName());
        });
        town.settles("cut", units(3));
        await().atMost(Town.WITHIN).until(() -> town.status("gone").waiting() == Waiting.STOPPED);
        town.errands().rest("cut");
        town.settles("cut", UNIT);
        town.endPod("came-meanwhile");
        town.books(
                "node-faults",
                books -> books.members().stream()
                        .noneMatch(member -> member.name().equals("came-meanwhile")));
        town.auditsClean();
    }
}
