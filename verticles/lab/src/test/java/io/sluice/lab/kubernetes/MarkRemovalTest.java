package io.sluice.lab.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.ledger.AgentContact;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.MigrationMark;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.messages.ledger.ReservationTraits;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.neonvm.core.ClusterConfig;
import io.sluice.neonvm.watch.ClusterVerticle;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which marks the cluster role removes, with a ledger that the test simulates. */
@ExtendWith(VertxExtension.class)
class MarkRemovalTest {
    private static final String MIGRATIONS = "/apis/vm.neon.tech/v1/namespaces/default/virtualmachinemigrations";
    private static final String MERGE = "application/merge-patch+json";
    private static final String ATTEMPT = "p/1";
    private static final Resources NONE = Resources.NONE;
    private static final Resources RESERVED = new Resources(3000, 12L << 30);
    private static final Resources MAXIMUM = new Resources(4000, 16L << 30);

    private final List<UnmarkMigrating> takenBack = new CopyOnWriteArrayList<>();
    private volatile List<MigrationMark> current = List.of();
    private volatile Supplier<Future<MarkReply>> unmarking =
            () -> Future.succeededFuture(new MarkReply.Unmarked(RESERVED));
    private Stage stage;

    @BeforeEach
    void setStage(Vertx vertx) {
        stage = new Stage(vertx);
        stage.runningVm("db", "{}");
    }

    @AfterEach
    void clearStage() {
        stage.close();
    }

    @Test
    void takesBackTheMarkOfAMigrationThatFailsUntilTheLedgerAnswers() {
        var lost = new AtomicInteger(1);
        unmarking = () -> lost.getAndDecrement() > 0
                ? Future.failedFuture("lost")
                : Future.succeededFuture(new MarkReply.Unmarked(RESERVED));
        deploy();
        migration();
        await().until(() -> !stage.received(MigrationObserved.class).isEmpty());
        assertThat(takenBack).isEmpty();

        stage.raw.patch(
                MIGRATIONS + "/m/status", MERGE, "{\"status\":{\"phase\":\"Failed\",\"sourcePodName\":\"db-0\"}}");

        var mark = new UnmarkMigrating("node-a", sourceUid(), ATTEMPT);
        await().untilAsserted(() -> assertThat(takenBack).containsExactly(mark, mark));
    }

    @Test
    void takesBackTheMarkOfAMigrationThatIsDeleted() {
        deploy();
        migration();
        await().until(() -> !stage.received(MigrationObserved.class).isEmpty());

        stage.raw.delete(MIGRATIONS + "/m", "");

        await().untilAsserted(() ->
                assertThat(takenBack).containsExactly(new UnmarkMigrating("node-a", sourceUid(), ATTEMPT)));
    }

    /** The migration ended while migrations were not observed. */
    @Test
    void takesBackAMarkFromBeforeAFullListThatMissesItsMigration() {
        migration();
        current = List.of(
                new MigrationMark("ended", true),
                new MigrationMark("arranged", false),
                new MigrationMark(ATTEMPT, true));

        deploy();

        await().untilAsserted(
                        () -> assertThat(takenBack).containsExactly(new UnmarkMigrating("node-a", "pod-uid", "ended")));
    }

    private Snapshot marked() {
        var traits = new ReservationTraits(
                RESERVED, Overcommit.OFF, RESERVED, Optional.empty(), 0, true, true, false, false, false, current, "");
        var reservation = new ReservationView(
                "pod-uid",
                "default",
                "db-0",
                "db",
                RESERVED,
                RESERVED,
                NONE,
                NONE,
                MAXIMUM,
                true,
                AgentContact.REQUESTED,
                1,
                1,
                traits);
        return new Snapshot(List.of(new NodeLedgerView(
                "node-a",
                true,
                MAXIMUM,
                MAXIMUM,
                RESERVED,
                RESERVED,
                NONE,
                NONE,
                NONE,
                NONE,
                NONE,
                false,
                0,
                List.of(reservation),
                NodeReadiness.READY,
                0)));
    }

    private String sourceUid() {
        return stage.raw.get(Stage.PODS + "/db-0").body().at("/metadata/uid").asText();
    }

    private void migration() {
        stage.raw.post(MIGRATIONS, """
            {"metadata":{"name":"m","labels":{"autoscaling.neon.tech/created-by-scheduler":"true"},
               "annotations":{"internal.autoscaling.sluice.io/room-on":"node-b",
                 "internal.autoscaling.sluice.io/attempt":"p/1"}},
             "spec":{"vmName":"db"}}\
            """);
    }

    private void deploy() {
        stage.bus
                .serve(
                        LedgerAddresses.LOAD_NODE,
                        load -> Future.succeededFuture(new LoadReply(load.pods().size(), 0)))
                .await();
        stage.bus
                .serve(LedgerAddresses.UNMARK, unmark -> {
                    takenBack.add(unmark);
                    return unmarking.get();
                })
                .await();
        stage.bus
                .serve(LedgerAddresses.SNAPSHOT, request -> Future.succeededFuture(marked()))
                .await();
        stage.vertx
                .deployVerticle(new ClusterVerticle(ClusterConfig.DEFAULTS, stage.config, stage.shell, stage.client))
                .await();
        await().until(() -> stage.shell.readiness().isReady());
    }
}
