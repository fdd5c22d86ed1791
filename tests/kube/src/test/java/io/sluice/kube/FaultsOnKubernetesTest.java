package io.sluice.kube;

import static io.sluice.kube.Vms.UNIT;
import static io.sluice.kube.Vms.node;
import static io.sluice.kube.Vms.units;
import static io.sluice.kube.Vms.vm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.kube.server.Wire;
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
 * Goal: faults of the API server break no invariant, and changes during a fault are observed afterwards. Method: the
 * API server is frozen, loses an object, or is unreachable while guests demand other sizes.
 */
@OnKubernetes
@DisplayName("F12: Sluice converges after its API server was unreachable, frozen or lost an object")
class FaultsOnKubernetesTest {
    /** More vCPUs than four units have. */
    private static final double MUCH = 3;

    private static final Duration FROZEN = Duration.ofSeconds(20);

    /** A minute in the long form; it must be longer than any request may take. */
    private static final Duration CUT = Duration.ofSeconds(Integer.getInteger("kube.cut-seconds", 15));

    private static ControlPlane plane;
    private static Wire wire;
    private static KubeFleet fleet;

    @BeforeAll
    static void start(@TempDir Path folder) {
        plane = ControlPlane.start(folder);
        wire = new Wire(plane.apiPort());
        fleet = new KubeFleet(
                        plane.admin(),
                        plane.adminBy(wire.port()),
                        // A silent watch is restarted long before the next full list.
                        Map.of("sluice.kubernetes.watchSilence", "5s", "sluice.kubernetes.relistEvery", "10m"),
                        node("node-faults", 40, vm("frozen"), vm("wiped"), vm("cut"), vm("gone")))
                .open(KubeFleet.ALL);
    }

    @AfterAll
    static void stop() {
        fleet.close();
        wire.close();
        plane.close();
    }

    @Test
    void goesOnAfterTheApiServerStoodStill() {
        fleet.settles("frozen", UNIT);
        plane.freezeApiServer();
        try {
            fleet.work().compute("frozen", MUCH);
            await().during(FROZEN)
                    .atMost(FROZEN.plus(KubeFleet.WITHIN))
                    .until(() -> fleet.guest("frozen").size().equals(UNIT));
        } finally {
            plane.thawApiServer();
        }
        fleet.settles("frozen", units(4));
        fleet.work().rest("frozen");
        fleet.settles("frozen", UNIT);
        fleet.auditsClean();
    }

    @Test
    void aVmThatEtcdLostIsNotScaledAnyMoreAndIsCountedUntilItsPodIsGone() {
        fleet.work().compute("wiped", MUCH);
        var lost = fleet.settles("wiped", units(4));

        plane.wipe("vm.neon.tech/virtualmachines", "default", "wiped");

        await().atMost(KubeFleet.WITHIN).until(() -> fleet.status("wiped").waiting() == Waiting.STOPPED);
        assertThat(fleet.members("wiped"))
                .as("its pod runs, and what runs has a reservation")
                .singleElement()
                .satisfies(reservation -> assertThat(reservation.reserved()).isEqualTo(units(4)));
        fleet.endPod(lost.podName());
        fleet.ledger(
                "node-faults",
                ledger -> ledger.reservations().stream()
                        .noneMatch(reservation -> reservation.name().equals(lost.podName())));
        fleet.work().compute("cut", MUCH);
        fleet.settles("cut", units(4));
        fleet.work().rest("cut");
        fleet.auditsClean();
    }

    @Test
    void whatHappenedWhileTheApiServerWasOutOfReachIsKnownAfterwards() {
        fleet.settles("cut", UNIT);
        var gone = fleet.settles("gone", UNIT);
        wire.cut();

        fleet.work().compute("cut", MUCH);
        fleet.bounds("cut", 1, 3);
        fleet.bindPod("came-meanwhile", "node-faults", UNIT);
        fleet.vms().inNamespace("default").withName("gone").delete();
        fleet.endPod(gone.podName());
        await().during(CUT)
                .atMost(CUT.plus(KubeFleet.WITHIN))
                .until(() -> fleet.vm("cut").settledAt(UNIT));
        wire.mend();

        fleet.ledger("node-faults", ledger -> {
            var names = ledger.reservations().stream()
                    .map(reservation -> reservation.name())
                    .toList();
            return names.contains("came-meanwhile") && !names.contains(gone.podName());
        });
        fleet.settles("cut", units(3));
        await().atMost(KubeFleet.WITHIN).until(() -> fleet.status("gone").waiting() == Waiting.STOPPED);
        fleet.work().rest("cut");
        fleet.settles("cut", UNIT);
        fleet.endPod("came-meanwhile");
        fleet.ledger(
                "node-faults",
                ledger -> ledger.reservations().stream()
                        .noneMatch(reservation -> reservation.name().equals("came-meanwhile")));
        fleet.auditsClean();
    }
}
