package io.sluice.gateway.console;

import static io.sluice.gateway.ListenerFixture.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.bus.AgentAddresses;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PlacementAddresses;
import io.sluice.bus.PressureAddresses;
import io.sluice.bus.Tap;
import io.sluice.devices.Device;
import io.sluice.devices.GpuMode;
import io.sluice.devices.NodeDevices;
import io.sluice.gateway.core.console.fleet.ConsoleFeed;
import io.sluice.gateway.listener.ConsoleListenerConfig;
import io.sluice.gateway.listener.TlsFiles;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.messages.ledger.AgentContact;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReservationTraits;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.messages.placement.NodeRanks.NodeRank;
import io.sluice.messages.placement.NodeRanks.Obstacle;
import io.sluice.messages.placement.PendingPodList;
import io.sluice.messages.placement.PendingPodList.PendingPod;
import io.sluice.messages.placement.PlacementDecision;
import io.sluice.messages.pressure.Ranking;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(VertxExtension.class)
class ConsolePagesTest {
    private ConsoleFixture console;

    @BeforeEach
    void open(Vertx vertx) {
        console = ConsoleFixture.open(vertx);
    }

    @Test
    void showsAVmWithItsReservationItsPastAndWhy() throws Exception {
        console.withLedger();
        console.ledger.put("node-c", withMember(ConsoleFeed.node("node-c", 40)));
        reported();
        var page = console.json("/api/vms/default/a");
        assertThat(page.at("/vm/key").asText()).isEqualTo("default/a");
        assertThat(page.at("/vm/bounds/min/0").asInt()).isEqualTo(250);
        assertThat(page.at("/vm/bounds/max/1").asLong()).isEqualTo(8L << 30);
        assertThat(page.at("/vm/podName").asText()).isEqualTo("a-0");
        assertThat(page.at("/vm/driver").asText()).isEqualTo("neonvm");
        assertThat(console.json("/api/fleet").at("/vms/0/driver").asText()).isEqualTo("neonvm");
        assertThat(console.json("/api/why/vm/a").at("/subject/driver").asText()).isEqualTo("neonvm");
        assertThat(console.json("/api/why/node/node-c").at("/subject/driver").isMissingNode())
                .isTrue();
        assertThat(page.at("/vm/basis/goalCu").asInt()).isEqualTo(11);
        assertThat(page.at("/vm/basis/lfcCu").isNull()).isTrue();
        assertThat(page.at("/vm/basis/usageBytes").asLong()).isEqualTo(1205L << 20);
        assertThat(page.at("/reservation/pod").asText()).isEqualTo("pod-a");
        assertThat(page.at("/reservation/reserved/0").asInt()).isEqualTo(2500);
        assertThat(page.at("/now").asText()).contains("short by 250m CPU and 1Gi memory on node-c");
        assertThat(page.at("/why/0/kind").asText()).isEqualTo("ROOM");
        assertThat(page.at("/history/stepMs").asInt()).isEqualTo(60_000);
        until(() -> console.json("/api/vms/default/a").at("/history/at").size() > 0);
        var history = console.json("/api/vms/default/a").get("history");
        assertThat(history.at("/cpuSize/0").asInt()).isEqualTo(2500);
        assertThat(history.at("/memGoal/0").asLong()).isEqualTo(11L << 30);
        assertThat(history.at("/load1/0").asDouble()).isEqualTo(0.6);
    }

    @Test
    void showsWhatUsersNeedOfAVmAndWhatIsWrongWithItsAnnotations() throws Exception {
        var traits = new VmTraits(
                "ep-1", "pr-1", 3, "10.100.0.7", ConsoleFeed.cu(1), ConsoleFeed.cu(8), List.of("bounds: no JSON"));
        var lfc = new Endpoint("10.0.0.1", 9499, "/metrics");
        reported();
        console.bus.publish(
                ClusterAddresses.VM_OBSERVED, ConsoleFeed.vm("a", "node-c", 2).with(Optional.of(lfc), traits));

        until(() -> console.json("/api/vms/default/a").at("/vm/restarts").asInt() == 3);
        var vm = console.json("/api/vms/default/a").get("vm");
        assertThat(vm.at("/endpointId").asText()).isEqualTo("ep-1");
        assertThat(vm.at("/projectId").asText()).isEqualTo("pr-1");
        assertThat(vm.at("/extraIp").asText()).isEqualTo("10.100.0.7");
        assertThat(vm.at("/fileCacheAt").asText()).isEqualTo("10.0.0.1:9499/metrics");
        assertThat(vm.at("/complaints/0").asText()).isEqualTo("bounds: no JSON");
    }

    @Test
    void showsAVmWhenTheLedgerDoesNotReplyToTheConsole() throws Exception {
        reported();
        var page = console.json("/api/vms/default/a");
        assertThat(page.get("reservation").isNull()).isTrue();
        assertThat(page.at("/vm/size/0").asInt()).isEqualTo(2500);
        var node = console.json("/api/nodes/node-c");
        assertThat(node.get("reservationsKnown").asBoolean()).isFalse();
        assertThat(node.get("rankingKnown").asBoolean()).isFalse();
        assertThat(node.at("/node/reserved/0").asInt()).isEqualTo(10_000);
    }

    @Test
    void showsANodeWithItsReservationsAndTheVmsThatWouldLeave() throws Exception {
        console.withLedger();
        console.ledger.put("node-c", withMember(ConsoleFeed.node("node-c", 40)));
        rank(new Ranking.Rank("pod-a", "a", false, "moved 42 s ago: cool-down for 558 s more"));
        reported();
        var page = console.json("/api/nodes/node-c");
        assertThat(page.at("/node/name").asText()).isEqualTo("node-c");
        assertThat(page.at("/node/logical/0").asInt()).isEqualTo(2_000);
        assertThat(page.at("/node/slack/0").asInt()).isZero();
        assertThat(page.get("kept").isNull()).isTrue();
        assertThat(page.at("/reservations/0/vm").asText()).isEqualTo("a");
        assertThat(page.at("/reservations/0/charge/0").asInt()).isEqualTo(2500);
        assertThat(page.at("/reservations/0/load1").isNull()).isTrue();
        assertThat(page.at("/reservations/0/found").asBoolean()).isTrue();
        assertThat(page.get("rankingKnown").asBoolean()).isTrue();
        assertThat(page.at("/ranking/0/candidate").asBoolean()).isFalse();
        assertThat(page.at("/now").asText()).startsWith("under pressure");
        assertThat(console.json("/api/why/vm/a").get("now").asText())
                .contains("it would not leave: moved 42 s ago: cool-down for 558 s more");
    }

    @Test
    void showsTheGpusOfANodeWithTheirShares() throws Exception {
        console.withLedger();
        console.ledger.put("node-c", withMember(ConsoleFeed.node("node-c", 40)));
        reported();

        var gpus = console.json("/api/nodes/node-c").get("gpus");

        assertThat(gpus.get("mode").asText()).isEqualTo("shared");
        var first = gpus.at("/devices/0");
        assertThat(first.get("uuid").asText()).isEqualTo("GPU-0");
        assertThat(first.get("memory").asLong()).isEqualTo(40L << 30);
        assertThat(first.get("memoryReserved").asLong()).isEqualTo(10L << 30);
        assertThat(first.get("coreReserved").asInt()).isEqualTo(25);
        assertThat(first.at("/shares/0/vm").asText()).isEqualTo("a");
        assertThat(first.at("/shares/0/memory").asLong()).isEqualTo(10L << 30);
        assertThat(first.at("/shares/0/core").asInt()).isEqualTo(25);
        assertThat(gpus.at("/devices/1/shares")).isEmpty();
    }

    @Test
    void showsThePodsThatWaitAndWhatEachNodeLacks() throws Exception {
        var nodes = List.of(
                new NodeRank("node-a", Obstacle.NO_ROOM, new Resources(250, 0), 0),
                new NodeRank("node-b", Obstacle.NO_ROOM, new Resources(750, 0), 0),
                new NodeRank("node-c", Obstacle.NONE, Resources.NONE, 80));
        console.bus
                .serve(PlacementAddresses.PENDING, request -> {
                    var pod = new PendingPod(
                            "u-1",
                            "default",
                            "db-0",
                            "db",
                            1_700_000_000,
                            ConsoleFeed.cu(4),
                            ConsoleFeed.cu(2),
                            request.pod().isEmpty() ? List.of() : nodes);
                    var found = List.of("", pod.label()).contains(request.pod()) ? List.of(pod) : List.<PendingPod>of();
                    return Future.succeededFuture(new PendingPodList(found, 7));
                })
                .await();
        console.bus.publish(
                PlacementAddresses.DECISION,
                new PlacementDecision(PlacementDecision.Kind.WAITS, "u-1", "default", "db-0", "", "0/2 nodes: 2 full"));

        until(() -> console.json("/api/pods").at("/pods/0/now").asText().endsWith(": 0/2 nodes: 2 full"));
        var list = console.json("/api/pods");
        assertThat(list.get("known").asBoolean()).isTrue();
        assertThat(list.get("total").asInt()).isEqualTo(7);
        assertThat(list.get("withoutHold").isNull()).isTrue();
        assertThat(list.at("/pods/0/charge/0").asInt()).isEqualTo(500);
        assertThat(list.at("/pods/0/createdAt").asLong()).isEqualTo(1_700_000_000_000L);
        var page = console.json("/api/pods/default/db-0");
        assertThat(page.get("decided").asBoolean()).isTrue();
        assertThat(page.at("/groups/0/reason").asText()).isEqualTo("short of CPU by 250m or more in the ledger");
        assertThat(page.at("/groups/0/count").asInt()).isEqualTo(2);
        assertThat(page.at("/groups/0/nodes/1/shortBy/0").asInt()).isEqualTo(750);
        assertThat(page.at("/fit/nodes/0/score").asInt()).isEqualTo(80);
        assertThat(console.get("/api/pods/default/none").statusCode()).isEqualTo(404);
    }

    @Test
    void reportsThatNoProcessRepliesWithPods() throws Exception {
        var list = console.json("/api/pods");

        assertThat(list.get("known").asBoolean()).isFalse();
        assertThat(list.get("pods")).isEmpty();
        assertThat(console.get("/api/pods/default/db-0").statusCode()).isEqualTo(503);
    }

    @Test
    void showsWhyInOneSentenceNowAndThen() throws Exception {
        reported();
        var now = console.json("/api/why/vm/a");
        assertThat(now.at("/subject/vm").asText()).isEqualTo("default/a");
        assertThat(now.get("now").asText()).contains("short by");
        assertThat(now.get("since").isNumber()).isTrue();
        assertThat(now.at("/reasons/0/until").isNull()).isTrue();
        long after = now.at("/reasons/0/at").asLong() + 5_000;
        assertThat(console.json("/api/why/vm/default/a?at=" + after).get("now").asText())
                .contains("short by");
        assertThat(console.json("/api/why/vm/a?at=2020-01-01T00:00:00Z")
                        .get("now")
                        .asText())
                .isEqualTo("no state of that time is kept");
        assertThat(console.json("/api/why/node/node-c").at("/subject/node").asText())
                .isEqualTo("node-c");
    }

    @ParameterizedTest
    @CsvSource({
        "/api/why/vm/a?at=yesterday, 400, 'at must be a time such as 2026-11-21T08:30:00Z, or milliseconds since 1970,"
                + " not yesterday'",
        "/api/why/vm/none, 404, no vm none is known",
        "/api/why/node/none, 404, no node none is known",
        "/api/vms/default/none, 404, no VM default/none is known",
        "/api/nodes/none, 404, no node none is known",
        "/api/why/pod/a, 404, no pod a is known",
        "/api/why/disk/a, 404, this path does not exist",
        "/api/vms/a, 404, this path does not exist",
        "/api/, 404, this path does not exist",
        "/nothing, 404, this path does not exist",
        "/api/nodes/%zz, 400, the path cannot be decoded",
        "/api/tap?kind=letters, 400, 'kind must be request, reply or event, not letters'"
    })
    void reportsWhatIsWrongWithARequest(String path, int status, String sentence) throws Exception {
        reported();
        var reader = console.reading(path);
        until(() -> reader.status().contains(String.valueOf(status)));
        if (!path.contains("%")) {
            var answer = console.get(path);
            assertThat(answer.statusCode()).isEqualTo(status);
            assertThat(ConsoleFixture.read(answer.body()).get("error").asText()).isEqualTo(sentence);
        }
    }

    @Test
    void listsTheCandidatesWhenSeveralVmsHaveTheName() throws Exception {
        reported();
        var other = new VmId("neonvm", "other", "a", "uid-other");
        console.bus.publish(
                ClusterAddresses.VM_OBSERVED, ConsoleFeed.vm(other, "node-c", 1, VmPhase.RUNNING, ConsoleFeed.cu(4)));
        until(() -> console.gauge("sluice.gateway.console.vms") == 2);
        var answer = console.get("/api/why/vm/a");
        assertThat(answer.statusCode()).isEqualTo(409);
        assertThat(ConsoleFixture.read(answer.body()).get("candidates").toString())
                .isEqualTo("[\"default/a\",\"other/a\"]");
        assertThat(console.json("/api/why/vm/other/a").at("/subject/vm").asText())
                .isEqualTo("other/a");
    }

    @Test
    void countsWhatItKeeps() throws Exception {
        reported();
        assertThat(console.gauge("sluice.gateway.console.nodes")).isEqualTo(1);
        assertThat(console.gauge("sluice.gateway.console.reasons")).isZero();
        console.bus.publish(AgentAddresses.DECISION, ConsoleFeed.denied("a", "node-c"));
        // One of the VM and one of its node.
        until(() -> console.gauge("sluice.gateway.console.reasons") == 2);
    }

    @Test
    void showsTheConfigInForce(Vertx vertx) throws Exception {
        assertThat(console.get("/api/config").body()).isEqualTo(ConsoleFixture.CONFIG);
        var broken = new ConsoleFixture(vertx).deploy(ConsoleListenerConfig.DEFAULTS.at(0), () -> {
            throw new IllegalStateException("broken");
        });
        assertThat(broken.get("/api/config").statusCode()).isEqualTo(500);
    }

    @Test
    void changesNothing() throws Exception {
        for (var method : List.of("POST", "PUT", "DELETE", "PATCH")) {
            var request = console.requesting("/api/fleet").method(method, HttpRequest.BodyPublishers.noBody());
            assertThat(console.send(request).statusCode()).as(method).isEqualTo(405);
        }
        var head = console.requesting("/api/stream").method("HEAD", HttpRequest.BodyPublishers.noBody());
        assertThat(console.send(head).statusCode()).isEqualTo(405);
    }

    /** Reading every page makes it send requests, and never publish anything. */
    @Test
    void sendsOnlyRequestsThatChangeNothing() throws Exception {
        reported();
        Set<String> out = new ConcurrentSkipListSet<>();
        try (var listening = console.bus.tap().listen(passage -> {
            if (passage.direction() == Tap.Direction.OUT) {
                out.add(passage.address());
            }
        })) {
            for (var path : List.of(
                    "/api/fleet",
                    "/api/vms/default/a",
                    "/api/vms/default/a/bill",
                    "/api/nodes/node-c",
                    "/api/pods",
                    "/api/why/vm/a",
                    "/dump")) {
                console.get(path);
            }
            until(() -> out.contains("cluster.resync-wanted"));
            assertThat(listening).isNotNull();
        }
        assertThat(out)
                .containsExactly(
                        "billing.vm-bill",
                        "cluster.resync-wanted",
                        "ledger.nearest-grant",
                        "ledger.snapshot",
                        "placement.pending",
                        "pressure.rank");
    }

    @Test
    void givesAwayItsPagesAndLibraries() throws Exception {
        var page = console.get("/");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("content-type")).contains("text/html; charset=utf-8");
        assertThat(page.headers().firstValue("cache-control")).contains("no-cache");
        assertThat(page.body()).contains("<!doctype html>");
        var again = console.requesting("/")
                .header("If-None-Match", page.headers().firstValue("etag").orElseThrow());
        assertThat(console.send(again).statusCode()).isEqualTo(304);
        var icon = console.get("/assets/favicon.svg");
        assertThat(icon.headers().firstValue("content-type")).contains("image/svg+xml");
        var library = console.get("/lib/lit-html/3.3.0/lit-html.js");
        assertThat(library.statusCode()).isEqualTo(200);
        assertThat(library.headers().firstValue("content-type")).contains("text/javascript; charset=utf-8");
        assertThat(library.headers().firstValue("cache-control")).contains("public, max-age=31536000, immutable");
        var head = console.requesting("/assets/favicon.svg").method("HEAD", HttpRequest.BodyPublishers.noBody());
        assertThat(console.send(head).headers().firstValue("content-length"))
                .contains(String.valueOf(icon.body().length()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/assets/none.js",
                "/assets/",
                "/assets/js",
                "/assets/../logback.xml",
                "/assets/%2e%2e/logback.xml",
                "/assets/..%2flogback.json",
                "/assets/.hidden.js",
                "/assets//js/main.js",
                "/assets/js\\main.js",
                "/lib/../../io/sluice/gateway/console/Json.class",
                "/lib/lit-html/3.3.0/LICENSE",
                "/lib/lit-html/3.3.0/lit-html.js.map",
                "/console/index.html",
                "/META-INF/MANIFEST.MF"
            })
    void givesAwayNothingElse(String path) throws Exception {
        var reader = console.reading(path);
        until(() -> !reader.status().isEmpty());
        assertThat(reader.status()).containsPattern(" (400|404) ");
    }

    @Test
    void requiresACredentialWhereTheListenerHasOne(@TempDir Path folder, Vertx vertx) throws Exception {
        var tokens = Files.writeString(folder.resolve("tokens"), "a-token-of-sixteen-and-more\n");
        var listener = new ConsoleListenerConfig("127.0.0.1", 0, false, TlsFiles.NONE, tokens.toString(), List.of());
        var guarded = new ConsoleFixture(vertx).deploy(listener, () -> ConsoleFixture.CONFIG);
        assertThat(guarded.get("/").statusCode()).isEqualTo(200);
        assertThat(guarded.get("/assets/favicon.svg").statusCode()).isEqualTo(200);
        assertThat(guarded.get("/lib/lit-html/3.3.0/lit-html.js").statusCode()).isEqualTo(200);
        for (var path : List.of("/api/fleet", "/api/stream", "/api/tap", "/api/config", "/dump", "/api/why/vm/a")) {
            assertThat(guarded.get(path).statusCode()).as(path).isEqualTo(401);
        }
        var bearing = guarded.requesting("/api/fleet").header("Authorization", "Bearer a-token-of-sixteen-and-more");
        assertThat(guarded.send(bearing).statusCode()).isEqualTo(200);
    }

    private void reported() throws Exception {
        console.bus.publish(LedgerAddresses.NODE_CHANGED, ConsoleFeed.node("node-c", 40));
        console.bus.publish(ClusterAddresses.VM_OBSERVED, ConsoleFeed.vm("a", "node-c", 1));
        console.bus.publish(AgentAddresses.STATUS, ConsoleFeed.status("a", Waiting.ROOM, 12, "no room"));
        until(() -> console.json("/api/fleet").at("/vms/0/waiting").asText().equals("ROOM"));
    }

    private void rank(Ranking.Rank... ranks) throws Exception {
        console.bus
                .serve(PressureAddresses.RANK, request -> Future.succeededFuture(new Ranking(List.of(ranks))))
                .await();
    }

    private static NodeLedgerView withMember(NodeLedgerView node) {
        var share = FixedAmounts.of(Map.of(Device.memoryOf("GPU-0"), 10L << 10, Device.coreOf("GPU-0"), 25L));
        var gpus = new NodeDevices(
                GpuMode.SHARED,
                List.of(new Device("GPU-0", 0, "A100", 40L << 10), new Device("GPU-1", 1, "A100", 40L << 10)));
        var traits = new ReservationTraits(
                ConsoleFeed.cu(10),
                ReservationTraits.NONE.overcommit(),
                ConsoleFeed.UNIT,
                Optional.empty(),
                0,
                true,
                true,
                false,
                false,
                false,
                List.of(),
                "",
                share);
        var reservation = new ReservationView(
                "pod-a",
                "default",
                "a-0",
                "a",
                ConsoleFeed.cu(10),
                ConsoleFeed.cu(11),
                ConsoleFeed.UNIT,
                Resources.NONE,
                ConsoleFeed.cu(8),
                false,
                AgentContact.FOUND,
                1,
                1,
                traits);
        return new NodeLedgerView(
                node.node(),
                node.complete(),
                node.total(),
                node.watermark(),
                node.reserved(),
                node.committed(),
                node.held(),
                node.buffer(),
                node.capacityPressure(),
                node.accountedPressure(),
                node.migrating(),
                node.underPressure(),
                node.invariantsBroken(),
                List.of(reservation),
                node.readiness(),
                node.unsettled(),
                gpus.totals(),
                share,
                FixedAmounts.NONE,
                gpus,
                Optional.empty(),
                node.deferred(),
                Optional.empty());
    }
}
