package io.sluice.kube;

import static io.sluice.kube.Vms.UNIT;
import static io.sluice.kube.Vms.fleet;
import static io.sluice.kube.Vms.node;
import static io.sluice.kube.Vms.units;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.shell.LoopbackPorts;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: one gateway serves an agent of Sluice and one of the reference's kind, side by side. Method: one node each that
 * has less than its VMs demand; both agents send requests over HTTP.
 */
@OnKubernetes
class WireOnKubernetesTest {
    private static final String OURS = "node-ours";
    private static final String THEIRS = "node-theirs";
    private static final int VMS = 3;

    /** More vCPUs than four units have. */
    private static final double MUCH = 3;

    /** Less than four units for each. */
    private static final int ROOM = 10;

    private final int port = LoopbackPorts.next();
    private ControlPlane plane;
    private KubeFleet fleet;

    @BeforeEach
    void start(@TempDir Path folder) {
        plane = ControlPlane.start(folder);
        fleet = KubeFleet.open(
                plane,
                Map.of(
                        "sluice.gateway.agent.port",
                        Integer.toString(port),
                        "sluice.agent.scheduler.transport",
                        "http",
                        "sluice.agent.scheduler.discover",
                        "urls",
                        "sluice.agent.scheduler.urls",
                        "http://127.0.0.1:" + port,
                        "sluice.agent.assignment",
                        "node",
                        "sluice.agent.node",
                        OURS),
                node(OURS, ROOM, fleet("ours", VMS)),
                node(THEIRS, ROOM, fleet("theirs", VMS)));
    }

    @AfterEach
    void stop() {
        fleet.close();
        plane.close();
    }

    @Test
    void bothGetPermitsAndNeitherNodeIsPromisedMoreThanItHas() {
        var theirs = IntStream.range(0, VMS)
                .mapToObj(i -> new ReferenceAgent(fleet, port, "theirs-" + i))
                .toList();
        assertThat(theirs).allSatisfy(agent -> assertThat(agent.shrink(UNIT)).isEqualTo(UNIT));
        IntStream.range(0, VMS).forEach(i -> fleet.settles("ours-" + i, UNIT));

        IntStream.range(0, VMS).forEach(i -> fleet.work().compute("ours-" + i, MUCH));
        assertThat(theirs.stream().map(agent -> agent.grow(units(4))).toList())
                .as("in the order of requests, until there is no room")
                .isEqualTo(List.of(units(4), units(4), units(2)));
        fleet.ledger(OURS, ledger -> ledger.reserved().equals(units(ROOM)));
        assertThat(fleet.ledger(THEIRS).reserved()).isEqualTo(units(ROOM));
        fleet.ledger().forEach(WireOnKubernetesTest::isWithinItsNode);
        IntStream.range(0, VMS).forEach(i -> fleet.vm("theirs-" + i, vm -> vm.settledAt(vm.reported())));

        fleet.work().rest("ours-0");
        assertThat(theirs.getFirst().shrink(UNIT)).isEqualTo(UNIT);
        assertThat(theirs.getLast().grow(units(4))).isEqualTo(units(4));
        fleet.settles("ours-0", UNIT);
        fleet.settles("ours-1", units(4));
        fleet.settles("ours-2", units(4));
        // An agent reports a decrease after its VM has decreased.
        await().atMost(KubeFleet.WITHIN).untilAsserted(() -> {
            assertThat(reserved("theirs")).isEqualTo(units(9));
            assertThat(reserved("ours")).isEqualTo(units(9));
        });
        fleet.ledger().forEach(WireOnKubernetesTest::isWithinItsNode);
    }

    private Resources reserved(String subject) {
        return IntStream.range(0, VMS)
                .mapToObj(i -> fleet.members(subject + "-" + i).getFirst().reserved())
                .reduce(Resources.NONE, Resources::plus);
    }

    private static void isWithinItsNode(NodeLedgerView ledger) {
        for (var kind : ResourceKind.values()) {
            assertThat(ledger.reserved().of(kind))
                    .isLessThanOrEqualTo(ledger.total().of(kind));
        }
    }
}
