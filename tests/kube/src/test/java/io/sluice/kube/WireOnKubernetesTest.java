package io.sluice.kube;

import static io.sluice.kube.Vms.UNIT;
import static io.sluice.kube.Vms.crowd;
import static io.sluice.kube.Vms.node;
import static io.sluice.kube.Vms.units;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.messages.ledger.NodeLedgerView;
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
 * Goal: an agent of ours and one that speaks as the reference's does are served by one gateway, side by side. Method: a
 * node each that has less than its VMs want, both asking over HTTP.
 */
@OnKubernetes
class WireOnKubernetesTest {
    private static final String OURS = "node-ours";
    private static final String THEIRS = "node-theirs";
    private static final int VMS = 3;

    /** More than four units have. */
    private static final double MUCH = 3;

    /** Less than four units for each. */
    private static final int ROOM = 10;

    private final int port = ControlPlane.freePort();
    private ControlPlane plane;
    private Town town;

    @BeforeEach
    void start(@TempDir Path folder) {
        plane = ControlPlane.start(folder);
        town = Town.open(
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
                        "sluice.agent.share",
                        "node",
                        "sluice.agent.node",
                        OURS),
                node(OURS, ROOM, crowd("ours", VMS)),
                node(THEIRS, ROOM, crowd("theirs", VMS)));
    }

    @AfterEach
    void stop() {
        town.close();
        plane.close();
    }

    @Test
    void bothGetPermitsAndNeitherNodeIsPromisedMoreThanItHas() {
        var theirs = IntStream.range(0, VMS)
                .mapToObj(i -> new ReferenceAgent(town, port, "theirs-" + i))
                .toList();
        assertThat(theirs).allSatisfy(agent -> assertThat(agent.shrink(UNIT)).isEqualTo(UNIT));
        IntStream.range(0, VMS).forEach(i -> town.settles("ours-" + i, UNIT));

        IntStream.range(0, VMS).forEach(i -> town.errands().compute("ours-" + i, MUCH));
        assertThat(theirs.stream().map(agent -> agent.grow(units(4))).toList())
                .as("in the order of asking, until there is no room")
                .isEqualTo(List.of(units(4), units(4), units(2)));
        town.books(OURS, books -> books.reserved().equals(units(ROOM)));
        assertThat(town.books(THEIRS).reserved()).isEqualTo(units(ROOM));
        town.books().forEach(WireOnKubernetesTest::isWithinItsNode);
        IntStream.range(0, VMS).forEach(i -> town.vm("theirs-" + i, vm -> vm.settledAt(vm.told())));

        town.errands().rest("ours-0");
        assertThat(theirs.getFirst().shrink(UNIT)).isEqualTo(UNIT);
        assertThat(theirs.getLast().grow(units(4))).isEqualTo(units(4));
        town.settles("ours-0", UNIT);
        town.settles("ours-1", units(4));
        town.settles("ours-2", units(4));
        // An agent says that it has less after its VM has.
        await().atMost(Town.WITHIN).untilAsserted(() -> {
            assertThat(booked("theirs")).isEqualTo(units(9));
            assertThat(booked("ours")).isEqualTo(units(9));
        });
        town.books().forEach(WireOnKubernetesTest::isWithinItsNode);
    }

    private Resources booked(String whose) {
        return IntStream.range(0, VMS)
                .mapToObj(i -> town.members(whose + "-" + i).getFirst().reserved())
                .reduce(Resources.NONE, Resources::plus);
    }

    private static void isWithinItsNode(NodeLedgerView books) {
        for (var kind : ResourceKind.values()) {
            assertThat(books.reserved().of(kind))
                    .isLessThanOrEqualTo(books.total().of(kind));
        }
    }
}
