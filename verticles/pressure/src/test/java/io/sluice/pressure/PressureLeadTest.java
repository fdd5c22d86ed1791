package io.sluice.pressure;

import static io.sluice.pressure.Given.node;
import static io.sluice.pressure.Given.reservation;
import static io.sluice.pressure.Stage.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.PressureAddresses;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.pressure.PressureDecision.Kind;
import io.sluice.messages.pressure.RankNode;
import io.sluice.messages.vm.EndMigration;
import io.sluice.messages.vm.MigrateVm;
import io.sluice.shell.Assignment;
import io.sluice.shell.FakePeers;
import io.sluice.shell.Shell;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two processes with this role on one bus: one of them acts. */
@ExtendWith(VertxExtension.class)
class PressureLeadTest {
    private static final NodeLedgerView FULL = node(
            "n1",
            reservation("a", 2_000).load(1).ledger(),
            reservation("rest", 7_000).fixed().ledger());
    private static final NodeLedgerView MARKED = node(
            "n1",
            reservation("a", 2_000).migrating().ledger(),
            reservation("rest", 7_000).fixed().ledger());

    private Stage stage;
    private FakePeers leader = new FakePeers("p1", "pressure");
    private FakePeers standby = new FakePeers("p2", "pressure");
    private Shell leads;
    private Shell waits;
    private String deployed;

    @BeforeEach
    void start(Vertx vertx) {
        stage = new Stage(vertx);
        leader.observes(standby.self());
        standby.observes(leader.self());
        if (!new Assignment(leader, "pressure").mine("pressure")) {
            var other = leader;
            leader = standby;
            standby = other;
        }
        leads = stage.shell(leader);
        waits = stage.shell(standby);
        deployed = stage.deploy(leads);
        stage.deploy(waits);
        observations();
    }

    private void observations() {
        stage.bus.publish(ClusterAddresses.VM_OBSERVED, Given.vm("a", "n1", 1));
        stage.bus.publish(ClusterAddresses.POD_OBSERVED, Given.pod("a", "a", "n1", ""));
    }

    @Test
    void oneOfThemActs() {
        until(() -> assertThat(leading(leads)).isEqualTo(1));
        assertThat(leading(waits)).isZero();
        assertThat(waits.readiness().isReady()).isTrue();
        assertThat(stage.relists).hasSize(1);
        assertThat(waits.dumps().parts().get("pressure").keys().await()).isEmpty();

        stage.listed();
        stage.pressed(FULL);
        stage.request(MigrateVm.class);
        assertThat(stage.requests)
                .extracting(request -> (Object) request.getClass())
                .containsExactly(HoldRoom.class, MarkMigrating.class, MigrateVm.class);
    }

    @Test
    void aNewLeaderWatchesWhatIsUnderWayAndMovesNoVmTwice() {
        stage.listed();
        stage.pressed(FULL);
        stage.request(MigrateVm.class);
        stage.pressed(MARKED);

        stage.undeploy(deployed);
        standby.observes();
        until(() -> assertThat(leading(waits)).isEqualTo(1));
        assertThat(stage.relists).hasSize(2);
        observations();
        stage.bus.publish(ClusterAddresses.MIGRATION_OBSERVED, Given.migration("a", MigrationPhase.RUNNING, 2));
        stage.listed();
        stage.pressed(MARKED);
        assertThat(stage.decision(Kind.ADOPTED).vm()).contains(Given.id("a"));
        stage.bus.publish(ClusterAddresses.MIGRATION_OBSERVED, Given.migration("a", MigrationPhase.SUCCEEDED, 3));
        assertThat(stage.request(EndMigration.class).name()).isEqualTo("schedplugin-a-pod");
        assertThat(stage.requests).filteredOn(MigrateVm.class::isInstance).hasSize(1);
    }

    @Test
    void aProcessThatLeadsNoMoreRequestsNothingMore() {
        stage.hold = request -> {
            // For this process, another one joins while the ledger replies.
            leader.observes(new FakePeers(beforeAll(), "pressure").self());
            return new HoldReply.Held(request.ttl());
        };
        stage.listed();
        stage.pressed(FULL);
        stage.request(HoldRoom.class);
        until(() -> assertThat(leading(leads)).isZero());

        stage.pressed(FULL);
        stage.later(Duration.ofMinutes(2));
        leader.observes();
        until(() -> assertThat(leading(leads)).isEqualTo(1));
        assertThat(stage.requested(MarkMigrating.class)).isFalse();
        assertThat(stage.relists).hasSize(2);
    }

    @Test
    void aRequestForRanksGoesToTheProcessThatLeads() {
        stage.show(node("n1", reservation("a", 1_000).ledger()));
        var here = standby.self().id();
        until(() -> assertThat(leading(leads)).isEqualTo(1));

        for (int i = 0; i < 4; i++) {
            assertThat(stage.bus
                            .request(PressureAddresses.RANK, new RankNode("n1"))
                            .await()
                            .ranks())
                    .hasSize(1);
        }
        var request = stage.bus.request(PressureAddresses.RANK.at(here), new RankNode("n1"));
        assertThatThrownBy(() -> request.await()).hasMessageContaining("does not lead");
    }

    /** The id of a process that leads instead of the present leader once it joins. */
    private String beforeAll() {
        for (int i = 0; ; i++) {
            var observed = new FakePeers("q" + i, "pressure");
            observed.observes(leader.self());
            if (new Assignment(observed, "pressure").mine("pressure")) {
                return "q" + i;
            }
        }
    }

    private static double leading(Shell process) {
        return process.meters().get("sluice.pressure.leading").gauge().value();
    }
}
