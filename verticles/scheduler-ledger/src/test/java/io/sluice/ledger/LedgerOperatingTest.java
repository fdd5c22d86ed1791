package io.sluice.ledger;

import static io.sluice.ledger.LedgerOnABus.NODE_SIZE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.ledger.core.LastPermitTrust;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.KeepRoom;
import io.sluice.messages.ledger.KeptRoom;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.shell.Dumps;
import io.sluice.shell.Portions;
import io.sluice.units.Resources;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the ledger offers operators: a watermark that changes while it runs, the dump, the metrics. */
@ExtendWith(VertxExtension.class)
class LedgerOperatingTest {
    private static final LedgerConfig NOW = LedgerConfig.DEFAULTS;
    private LedgerOnABus scene;

    @BeforeEach
    void open(Vertx vertx) {
        scene = new LedgerOnABus(vertx);
    }

    private static LedgerConfig watermark(double share, boolean checks) {
        return new LedgerConfig(
                NOW.permitValidFor(), share, NOW.systemReserve(), NOW.trustLastPermit(), NOW.notReadyGrace(), checks);
    }

    @Test
    void aWatermarkThatIsMovedHoldsForEveryNodeAtOnce() throws InterruptedException {
        var ledger = scene.deploy();
        scene.load();
        scene.awaitChange(NodeLedgerView::complete);
        scene.bus.publish(ClusterAddresses.NODE_OBSERVED, new NodeObserved("m", 1, new Resources(4000, 4000)));
        scene.awaitChange(node -> node.node().equals("m"));

        ledger.reload(watermark(0.5, false)).await();

        var watermarks = new HashMap<String, Resources>();
        var halves = Map.of("n", new Resources(5000, NODE_SIZE.memoryBytes() / 2), "m", new Resources(2000, 2000));
        scene.awaitChange(node -> {
            watermarks.put(node.node(), node.watermark());
            return watermarks.equals(halves);
        });
        scene.bus.publish(ClusterAddresses.NODE_OBSERVED, new NodeObserved("new", 1, new Resources(1000, 1000)));
        scene.awaitChange(node -> node.node().equals("new") && node.watermark().equals(new Resources(500, 500)));
    }

    static Stream<Arguments> unchangeable() {
        return Stream.of(
                Arguments.of(
                        "ledger.permitValidFor",
                        new LedgerConfig(
                                Duration.ofSeconds(5),
                                0.5,
                                Portions.NOTHING,
                                LastPermitTrust.RECOVERY,
                                Duration.ZERO,
                                true)),
                Arguments.of(
                        "ledger.systemReserve",
                        new LedgerConfig(
                                NOW.permitValidFor(),
                                0.5,
                                Portions.amounts(new Resources(1, 1)),
                                LastPermitTrust.RECOVERY,
                                Duration.ZERO,
                                true)),
                Arguments.of(
                        "ledger.trustLastPermit",
                        new LedgerConfig(
                                NOW.permitValidFor(),
                                0.5,
                                Portions.NOTHING,
                                LastPermitTrust.ALWAYS,
                                Duration.ZERO,
                                true)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("unchangeable")
    void whatCannotChangeWhileRunningIsNamedAndNothingIsTaken(String key, LedgerConfig section) {
        var ledger = scene.deploy();
        scene.load();

        assertThatThrownBy(() -> ledger.reload(section).await())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(key + " cannot change while running");
        assertThat(scene.meters
                        .get("sluice.ledger.watermark.cpu.cores")
                        .tag("node", "n")
                        .gauge()
                        .value())
                .isEqualTo(9);
        ledger.reload(NOW).await();
    }

    @Test
    void aReloadBeforeTheStartOrThatTheStoreDoesNotTakeFails() {
        assertThatThrownBy(
                        () -> new LedgerVerticle(NOW, scene.shell).reload(NOW).await())
                .hasStackTraceContaining("has not started yet");
        assertThatThrownBy(() -> scene.deployBroken().reload(NOW).await()).hasStackTraceContaining("no majority");
    }

    private Dumps.Source dump() {
        return scene.shell.dumps().parts().get("ledger");
    }

    @Test
    void itsWholeStateIsReadNodeByNode() throws InterruptedException {
        scene.deploy();
        scene.load();
        scene.bus.publish(ClusterAddresses.NODE_OBSERVED, new NodeObserved("m", 1, NODE_SIZE));
        scene.awaitChange(ledger -> ledger.node().equals("m"));
        var room = new Resources(500, 5);
        scene.request(LedgerAddresses.OPEN, new OpenSession("n", "vm", "runner", 0))
                .await();
        scene.request(
                        LedgerAddresses.HOLD,
                        new HoldRoom("n", "a-pod", "ns", "a", "", room, Overcommit.OFF, Duration.ofSeconds(30)))
                .await();
        scene.request(
                        LedgerAddresses.KEEP,
                        new KeepRoom(new KeptRoom("n", "large", "ns/large", room, 0), Duration.ofSeconds(40)))
                .await();
        scene.request(
                        LedgerAddresses.MARK,
                        new MarkMigrating("n", "vm", MarkMigrating.Cause.UNDER_WAY, Resources.NONE, "move"))
                .await();

        assertThat(dump().keys().await()).containsExactly("m", "n");
        var node = new JsonObject(dump().read("n").await());

        assertThat(node.fieldNames())
                .containsExactly(
                        "node",
                        "fullList",
                        "size",
                        "sums",
                        "pressure",
                        "kept",
                        "tombstones",
                        "invariantsBroken",
                        "reservations");
        assertThat(node.getJsonObject("kept").getString("pod")).isEqualTo("ns/large");
        assertThat(node.getJsonObject("kept").getString("until")).isEqualTo("1970-01-01T00:00:40Z");
        assertThat(node.getJsonObject("fullList").getBoolean("complete")).isTrue();
        assertThat(node.getJsonObject("size").getJsonObject("total").getLong("milliCpu"))
                .isEqualTo(10_000);
        assertThat(node.getJsonObject("sums").getJsonObject("reserved").getLong("milliCpu"))
                .isEqualTo(4500);
        assertThat(node.getJsonArray("reservations").stream().map(JsonObject.class::cast))
                .extracting(reservation -> reservation.getString("id"))
                .containsExactly("a-pod", "vm");
        var held = node.getJsonArray("reservations").getJsonObject(0).getJsonObject("status");
        assertThat(held.getString("heldUntil")).isEqualTo("1970-01-01T00:00:30Z");
        var vm = node.getJsonArray("reservations").getJsonObject(1);
        assertThat(vm.getJsonObject("status").getBoolean("migrating")).isTrue();
        assertThat(vm.getJsonObject("status").getString("contact")).isEqualTo("RECOVERED");
        assertThat(vm.getJsonObject("session").getString("runner")).isEqualTo("runner");
        assertThat(vm.getJsonObject("observations").getJsonObject("vm").getLong("version"))
                .isEqualTo(3);
    }

    @Test
    void aNodeWithoutALedgerReadsAsNothingAndAStoppedLedgerOffersNothing() {
        var id =
                scene.vertx.deployVerticle(new LedgerVerticle(NOW, scene.shell)).await();
        assertThat(dump().keys().await()).isEmpty();
        assertThat(dump().read("absent").await()).isEqualTo("null");

        scene.vertx.undeploy(id).await();

        assertThat(scene.shell.dumps().parts()).isEmpty();
    }

    @Test
    void theSumsOfOldHaveTheirNamesOfOld() throws InterruptedException {
        scene.deploy();
        scene.load();
        scene.awaitChange(NodeLedgerView::complete);

        var lines = List.of(scene.meters.scrape().split("\n"));
        assertThat(lines)
                .contains(
                        "autoscaling_plugin_node_cpu_resources_current{field=\"Total\",node=\"n\"} 10.0",
                        "autoscaling_plugin_node_cpu_resources_current{field=\"Reserved\",node=\"n\"} 4.0",
                        "autoscaling_plugin_node_cpu_resources_current{field=\"Committed\",node=\"n\"} 4.0",
                        "autoscaling_plugin_node_cpu_resources_current{field=\"Migrating\",node=\"n\"} 0.0",
                        "autoscaling_plugin_node_cpu_resources_current{field=\"Watermark\",node=\"n\"} 9.0",
                        "autoscaling_plugin_node_mem_resources_current{field=\"Total\",node=\"n\"} 1048576.0",
                        "autoscaling_plugin_node_mem_resources_current{field=\"Reserved\",node=\"n\"} 16384.0");
    }

    @Test
    void aNodesGaugesAreTheSameOnesThroughAllChanges() throws InterruptedException {
        scene.deploy();
        scene.load();
        scene.awaitChange(NodeLedgerView::complete);
        var before = scene.meters.getMeters();
        var reserved = scene.meters
                .get("sluice.ledger.total.cpu.cores")
                .tag("node", "n")
                .gauge();

        for (int cores = 1; cores <= 200; cores++) {
            scene.bus.publish(
                    ClusterAddresses.NODE_OBSERVED,
                    new NodeObserved("n", 100 + cores, new Resources(cores * 1000L, 1 << 20)));
        }
        scene.awaitChange(ledger -> ledger.total().milliCpu() == 200_000);

        assertThat(reserved.value()).isEqualTo(200);
        assertThat(scene.meters.getMeters()).containsAll(before);
    }

    @Test
    void everyCauseOfAMissingReplyIsThereBeforeItOccurs() {
        scene.deploy();

        assertThat(scene.meters.get("sluice.ledger.unanswered").counters())
                .extracting(counter -> counter.getId().getTag("cause"))
                .containsExactlyInAnyOrder(
                        "no_majority",
                        "copy_missing",
                        "disagreement",
                        "too_many",
                        "not_owner",
                        "crowded",
                        "no_lease",
                        "lost");
    }

    @Test
    void everyMetricIsDescribed() throws InterruptedException {
        scene.deploy();
        scene.load();
        scene.awaitChange(NodeLedgerView::complete);
        scene.request(
                        LedgerAddresses.HOLD,
                        new HoldRoom("n", "p", "ns", "p", "", NODE_SIZE, Overcommit.OFF, Duration.ofSeconds(1)))
                .await();
        scene.request(
                        LedgerAddresses.MARK,
                        new MarkMigrating("n", "x", MarkMigrating.Cause.UNDER_WAY, Resources.NONE, "move"))
                .await();

        var text = scene.meters.scrape();
        var help = Pattern.compile("# HELP \\S+ \\S+.*");
        assertThat(Arrays.stream(text.split("\n")).filter(line -> line.startsWith("# HELP")))
                .hasSizeGreaterThan(20)
                .allMatch(line -> help.matcher(line).matches());
    }
}
