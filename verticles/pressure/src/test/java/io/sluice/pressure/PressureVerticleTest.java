package io.sluice.pressure;

import static io.sluice.pressure.Given.cpu;
import static io.sluice.pressure.Given.node;
import static io.sluice.pressure.Given.reservation;
import static io.sluice.pressure.Stage.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.bus.AgentAddresses;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PressureAddresses;
import io.sluice.messages.cluster.MigrationGone;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.messages.pressure.PressureDecision.Kind;
import io.sluice.messages.pressure.RankNode;
import io.sluice.messages.vm.EndMigration;
import io.sluice.messages.vm.MigrateReply;
import io.sluice.messages.vm.MigrateVm;
import io.sluice.shell.load.LoadPolicy;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The verticle on a real local bus: each address once with success, and once with a failure. */
@ExtendWith(VertxExtension.class)
class PressureVerticleTest {
    private static final NodeLedgerView FULL = node(
            "n1",
            reservation("a", 2_000).load(1).ledger(),
            reservation("rest", 7_000).fixed().ledger());

    private Stage stage;

    @BeforeEach
    void open(Vertx vertx) {
        stage = new Stage(vertx);
    }

    private String attempt() {
        return stage.request(MigrateVm.class).attempt();
    }

    private NodeLedgerView marked() {
        return node(
                "n1",
                reservation("a", 2_000).marked(attempt(), true).ledger(),
                reservation("rest", 7_000).fixed().ledger());
    }

    private PressureVerticle deployed() {
        return deployed(PressureConfig.DEFAULTS);
    }

    private PressureVerticle deployed(PressureConfig config) {
        var verticle = stage.deploy(config);
        stage.bus.publish(ClusterAddresses.VM_OBSERVED, Given.vm("a", "n1", 1));
        stage.bus.publish(ClusterAddresses.POD_OBSERVED, Given.pod("a", "a", "n1", ""));
        stage.listed();
        return verticle;
    }

    private static PressureConfig config(boolean paused, Duration startTimeout) {
        var defaults = PressureConfig.DEFAULTS;
        return new PressureConfig(
                paused,
                defaults.policy(),
                defaults.targets(),
                defaults.maxConcurrentPerNode(),
                defaults.maxConcurrent(),
                defaults.cooldown(),
                startTimeout,
                defaults.completionTimeout());
    }

    @Test
    void requestsAllObservationsAtItsStartAndIsReady() {
        stage.deploy(PressureConfig.DEFAULTS);

        until(() -> assertThat(stage.relists).contains(new RelistRequest("pressure")));
        assertThat(stage.shell.readiness().isReady()).isTrue();
        assertThat(stage.shell.dumps().parts()).containsKey("pressure");
    }

    @Test
    void movesAVmAwayFromAFullNode() {
        deployed();
        stage.pressed(FULL);

        var moving = stage.decision(Kind.MOVING);
        assertThat(moving.vm()).contains(Given.id("a"));
        assertThat(moving.to()).isEqualTo("n2");
        assertThat(stage.requests)
                .extracting(request -> (Object) request.getClass())
                .containsExactly(HoldRoom.class, MarkMigrating.class, MigrateVm.class);
        until(() -> assertThat(stage.gauge("migrations.underway")).isEqualTo(1));
        assertThat(stage.gauge("nodes.pressed")).isEqualTo(1);

        stage.pressed(marked());
        stage.show(node("n2", reservation("a2", 2_000).target().ledger()));
        stage.bus.publish(
                ClusterAddresses.MIGRATION_OBSERVED, Given.migration("a", MigrationPhase.PENDING, 2, attempt()));
        stage.bus.publish(ClusterAddresses.POD_OBSERVED, Given.pod("a", "a2", "n2", "schedplugin-a-pod"));
        stage.later(Duration.ofSeconds(1));
        assertThat(stage.request(ReleaseHold.class).node()).isEqualTo("n2");
        stage.bus.publish(
                ClusterAddresses.MIGRATION_OBSERVED, Given.migration("a", MigrationPhase.SUCCEEDED, 3, attempt()));
        assertThat(stage.decision(Kind.MOVED).to()).isEqualTo("n2");
        assertThat(stage.request(EndMigration.class))
                .isEqualTo(new EndMigration("neonvm", "prod", "schedplugin-a-pod", "object-a"));
        stage.bus.publish(ClusterAddresses.POD_GONE, new PodGone("a", "n1", 4));
        stage.bus.publish(
                ClusterAddresses.MIGRATION_GONE, new MigrationGone("prod", "schedplugin-a-pod", "object-a", "a", 5));

        until(() -> assertThat(stage.gauge("migrations.underway")).isZero());
        assertThat(stage.counter("migrations", "outcome", "moved")).isEqualTo(1);
        assertThat(stage.counter("decisions", "kind", "moving")).isEqualTo(1);
        assertThat(stage.counter("decisions", "kind", "moved")).isEqualTo(1);
        assertThat(stage.gauge("vms.resting")).isEqualTo(1);
        stage.pressed(node("n1"));
        until(() -> assertThat(stage.gauge("nodes.pressed")).isZero());
        assertThat(stage.requested(UnmarkMigrating.class)).isFalse();
    }

    /** More is reserved on n3 than on n2, and its VM is idle. */
    @Test
    void movesAVmWhereLeastIsInUseIfTargetsAreChosenSo() {
        var defaults = PressureConfig.DEFAULTS;
        stage.show(node("n2", reservation("b", 3_000).ledger()));
        stage.show(node("n3", reservation("c", 4_000).ledger()));
        deployed(new PressureConfig(
                false,
                defaults.policy(),
                LoadPolicy.SPREAD,
                defaults.maxConcurrentPerNode(),
                defaults.maxConcurrent(),
                defaults.cooldown(),
                defaults.startTimeout(),
                defaults.completionTimeout()));
        stage.bus.publish(AgentAddresses.STATUS, Given.status("b", "n2", 3_000, 3));
        stage.bus.publish(AgentAddresses.STATUS, Given.status("c", "n3", 4_000, 0));
        stage.pressed(FULL);

        assertThat(stage.decision(Kind.MOVING).to()).isEqualTo("n3");
    }

    @Test
    void movesAnyVmThatIsLabelledToMoveAlways() {
        stage.deploy(PressureConfig.DEFAULTS);
        stage.bus.publish(ClusterAddresses.VM_OBSERVED, Given.vm("a", "a", "n1", 1, true));
        stage.listed();
        stage.pressed(node("n1", reservation("a", 500).always().load(0.1).ledger()));

        assertThat(stage.request(MigrateVm.class).vm()).isEqualTo(Given.id("a"));
        assertThat(stage.request(MarkMigrating.class).cause()).isEqualTo(MarkMigrating.Cause.ALWAYS);
    }

    @Test
    void holdsNoRoomWhilePausedUntilThePauseIsTakenOff() {
        var verticle = stage.deploy(config(true, Duration.ofSeconds(60)));
        stage.bus.publish(ClusterAddresses.VM_OBSERVED, Given.vm("a", "n1", 1));
        stage.listed();
        stage.pressed(FULL);
        assertThat(stage.decision(Kind.NONE_MOVES).reason()).isEqualTo("migrations are paused");
        assertThat(stage.counter("none.moves", "cause", "paused")).isPositive();
        assertThat(stage.requests).isEmpty();

        stage.later(Duration.ofSeconds(1));
        verticle.reload(config(false, Duration.ofSeconds(60))).await();
        stage.request(MigrateVm.class);
    }

    @Test
    void takesNoNewConfigBeforeItHasStarted() {
        var asleep = new PressureVerticle(PressureConfig.DEFAULTS, stage.shell);

        assertThatThrownBy(() -> asleep.reload(PressureConfig.DEFAULTS).await())
                .hasMessage("pressure has not started yet");
    }

    @Test
    void givesUpAMigrationThatDoesNotStartAndTakesTheMarkBackOnceItIsGone() {
        deployed();
        stage.pressed(FULL);
        stage.decision(Kind.MOVING);
        stage.pressed(marked());
        stage.later(Duration.ofSeconds(60));

        stage.request(EndMigration.class);
        assertThat(stage.requested(UnmarkMigrating.class)).isFalse();
        stage.bus.publish(
                ClusterAddresses.MIGRATION_GONE, new MigrationGone("prod", "schedplugin-a-pod", "object-a", "a", 5));

        var attempt = stage.request(MarkMigrating.class).attempt();
        assertThat(stage.request(HoldRoom.class).attempt()).isEqualTo(attempt);
        assertThat(stage.request(UnmarkMigrating.class)).isEqualTo(new UnmarkMigrating("n1", "a", attempt));
        stage.request(ReleaseHold.class);
        assertThat(stage.decision(Kind.NOT_MOVED).reason()).startsWith("it was not running after 1m");
        assertThat(stage.counter("migrations", "outcome", "not_started")).isEqualTo(1);
    }

    @Test
    void requestsAgainWhatWasLostOnTheWay() {
        stage.lose(HoldRoom.class, 1);
        stage.lose(MarkMigrating.class, 1);
        stage.lose(MigrateVm.class, 1);
        stage.lose(EndMigration.class, 1);
        deployed(config(false, Duration.ofMinutes(30)));
        stage.pressed(FULL);
        until(() -> {
            stage.later(Duration.ofSeconds(1));
            assertThat(stage.decisions).anyMatch(decision -> decision.kind() == Kind.MOVING);
        });
        stage.bus.publish(
                ClusterAddresses.MIGRATION_OBSERVED, Given.migration("a", MigrationPhase.SUCCEEDED, 3, attempt()));
        until(() -> {
            stage.later(Duration.ofSeconds(1));
            assertThat(stage.requests.stream().filter(EndMigration.class::isInstance))
                    .hasSizeGreaterThan(1);
        });

        assertThat(stage.counter("replies.lost", "request", "hold")).isEqualTo(1);
        assertThat(stage.counter("replies.lost", "request", "mark")).isEqualTo(1);
        assertThat(stage.counter("replies.lost", "request", "migrate")).isEqualTo(1);
        assertThat(stage.counter("replies.lost", "request", "end")).isEqualTo(1);
    }

    @Test
    void requestsAgainToTakeBackWhatWasLostOnTheWay() {
        stage.migrate = request -> new MigrateReply.Refused("no such VM");
        stage.lose(UnmarkMigrating.class, 1);
        stage.lose(ReleaseHold.class, 1);
        deployed();
        stage.pressed(FULL);
        assertThat(stage.decision(Kind.NOT_MOVED).reason()).isEqualTo("its driver did not begin it: no such VM");
        until(() -> {
            stage.later(Duration.ofSeconds(1));
            assertThat(stage.requests.stream().filter(UnmarkMigrating.class::isInstance))
                    .hasSize(2);
            assertThat(stage.requests.stream().filter(ReleaseHold.class::isInstance))
                    .hasSize(2);
        });

        assertThat(stage.counter("migrations", "outcome", "refused")).isEqualTo(1);
    }

    @Test
    void countsWhatTheLedgerRefuses() {
        stage.hold = request -> new HoldReply.NoRoom(cpu(1), cpu(1), cpu(1));
        deployed();
        stage.pressed(FULL);
        stage.decision(Kind.NOT_MOVED);
        assertThat(stage.counter("holds.refused", "reason", "no_room")).isEqualTo(1);
        assertThat(stage.counter("migrations", "outcome", "dropped")).isEqualTo(1);

        stage.hold = request -> new HoldReply.Held(request.ttl());
        stage.mark = request -> new MarkReply.Outgrown(cpu(9_999));
        stage.bus.publish(LedgerAddresses.NODE_CHANGED, node("n2"));
        until(() -> {
            stage.later(Duration.ofSeconds(1));
            stage.pressed(FULL);
            assertThat(stage.requested(MarkMigrating.class)).isTrue();
        });
        until(() ->
                assertThat(stage.counter("marks.refused", "reason", "outgrown")).isPositive());
    }

    @Test
    void takesBackAMarkWithoutAKnownReason() {
        deployed();
        stage.show(
                node("n1", Given.reservation("a", 2_000).marked("left", false).ledger()));
        until(() -> {
            stage.later(Duration.ofSeconds(15));
            stage.listed();
            assertThat(stage.requested(UnmarkMigrating.class)).isTrue();
        });

        assertThat(stage.meters.counter("sluice.pressure.marks.orphaned").count())
                .isPositive();
    }

    @Test
    void aVmThatIsGoneIsNotMoved() {
        stage.deploy(PressureConfig.DEFAULTS);
        stage.bus.publish(ClusterAddresses.VM_OBSERVED, Given.vm("a", "n1", 1));
        stage.bus.publish(ClusterAddresses.VM_GONE, new VmGone(Given.id("a"), 2));
        stage.listed();
        stage.pressed(FULL);

        assertThat(stage.decision(Kind.NONE_MOVES).reason()).contains("its VM was not observed yet");
    }

    @Test
    void reportsWhichVmWouldLeaveFirst() {
        deployed();
        stage.show(FULL);

        var ranking =
                stage.bus.request(PressureAddresses.RANK, new RankNode("n1")).await();
        assertThat(ranking.ranks()).hasSize(2);
        assertThat(stage.bus
                        .request(PressureAddresses.RANK, new RankNode("nowhere"))
                        .await()
                        .ranks())
                .isEmpty();
    }

    @Test
    void showsItsStateInTheDump() {
        var verticle = deployed();
        stage.pressed(FULL);
        stage.decision(Kind.MOVING);
        var dump = stage.shell.dumps().parts().get("pressure");

        assertThat(dump.keys().await()).containsExactly("migrations", "nodes", "resting", "rules");
        assertThat(dump.read("migrations").await())
                .contains("\"migration\":\"prod/schedplugin-a-pod\"")
                .contains("\"life\":\"under way\"")
                .contains("\"hold\":\"there\"");
        assertThat(dump.read("nodes").await()).contains("\"node\":\"n1\"").contains("\"pressed\":true");
        assertThat(dump.read("resting").await()).isEqualTo("{}");
        assertThat(dump.read("rules").await()).contains("\"listed\":true").contains("\"policy\":\"LOWEST_LOAD\"");
        assertThat(dump.read("nonsense").await()).isEqualTo("null");
        assertThat(verticle).isNotNull();
    }

    @Test
    void everyMetricIsDescribed() {
        deployed();

        assertThat(stage.meters.getMeters())
                .filteredOn(meter -> meter.getId().getName().startsWith("sluice.pressure."))
                .isNotEmpty()
                .allSatisfy(meter -> assertThat(meter.getId().getDescription())
                        .as(meter.getId().toString())
                        .isNotBlank());
    }
}
