package io.sluice.gateway.console;

import static io.sluice.gateway.ListenerFixture.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.Gauge;
import io.sluice.bus.AgentAddresses;
import io.sluice.bus.ClusterAddresses;
import io.sluice.gateway.core.console.fleet.ConsoleFeed;
import io.sluice.gateway.listener.ConsoleListenerConfig;
import io.sluice.gateway.peers.Machines;
import io.sluice.gateway.peers.SomePeers;
import io.sluice.gateway.peers.SomeProcess;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.shell.ClusterStatus;
import io.sluice.shell.Dumps;
import io.vertx.core.Future;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: the console of one process shows all processes, and which of them do not reply.
 *
 * <p>Method: three processes on a clustered bus over sockets, the first with a console that is read over HTTP.
 */
class ConsoleClusterTest {
    private static final String SELF = "aaaa";
    private static final String OTHER = "bbbb";
    private static final String THIRD = "cccc";

    private final Machines machines = new Machines();
    private final SomePeers peers = new SomePeers();
    private final Map<String, SomeProcess> processes = new HashMap<>();
    private final List<EventReader> readers = new ArrayList<>();
    private final AtomicReference<ClusterStatus> status = new AtomicReference<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private ConsoleVerticle console;

    @BeforeEach
    void open() throws Exception {
        join(SELF, "gateway", "pressure");
        join(OTHER, "agent", "ledger");
        join(THIRD, "agent");
        status.set(new ClusterStatus(
                true,
                processes.values().stream()
                        .map(each -> each.shell.peers().self())
                        .map(peer -> new ClusterStatus.Member(
                                peer, !peer.id().equals(THIRD), peer.id().equals(SELF), Optional.of(Instant.EPOCH)))
                        .toList(),
                3,
                new ClusterStatus.Grants.Stopped("1 of 3 ledgers is there"),
                false,
                List.of(new ClusterStatus.Entry(Instant.EPOCH, "dddd left"))));
        var self = processes.get(SELF);
        var process = new ConsoleProcess(
                "1.2.3", List.of("gateway"), Instant.EPOCH, () -> "{}", status::get, self.verticle::report);
        console = new ConsoleVerticle(ConsoleListenerConfig.DEFAULTS.at(0), self.shell, process);
        self.vertx.deployVerticle(console).await();
    }

    private void join(String id, String... roles) throws Exception {
        processes.put(id, new SomeProcess(machines.join(id), peers.join(id, roles), Map.of()).up());
    }

    @AfterEach
    void close() throws Exception {
        readers.forEach(EventReader::close);
        machines.close();
        client.close();
    }

    @Test
    void aTapShowsWhatPassesAnywhereAndWhere() throws Exception {
        var tap = tap("address=agent.status");
        processes.get(OTHER).bus.publish(AgentAddresses.STATUS, ConsoleFeed.status("a", Waiting.ROOM, 12, "no room"));

        until(() -> observedAt(tap).containsAll(List.of("aaaa in", "bbbb out")));
        assertThat(observedAt(tap)).hasSize(2);
        assertThat(tap.named("message"))
                .allSatisfy(event ->
                        assertThat(event.json().at("/body/reason").asText()).isEqualTo("no room"));
    }

    @Test
    void aTapCountsWhatWasDroppedInEachProcess() throws Exception {
        var tap = tap("address=cluster.resync-wanted&kind=event");
        var other = processes.get(OTHER).bus;
        until(() -> {
            for (int reported = 0; reported < 2_000; reported++) {
                other.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest("test"));
            }
            return !tap.named("dropped").isEmpty();
        });
        var reported = tap.named("dropped").getFirst().json();
        assertThat(reported.at("/members/bbbb").asLong()).isPositive();
        assertThat(reported.at("/members/cccc").asLong()).isZero();
        assertThat(reported.get("dropped").asLong())
                .isEqualTo(reported.at("/members/aaaa").asLong()
                        + reported.at("/members/bbbb").asLong());
    }

    @Test
    void aTapReportsTheProcessesThatDoNotReplyAndThoseThatReplyAgain() throws Exception {
        var tap = tap("address=agent.status");
        until(() -> reasons(tap).equals(Map.of(OTHER, "", THIRD, "")));

        processes.get(THIRD).down();
        until(() -> reasons(tap).equals(Map.of(OTHER, "", THIRD, "no process serves that address")));
        peers.leave(THIRD);
        until(() -> reasons(tap).equals(Map.of(OTHER, "")));
    }

    @Test
    void aDumpHasEveryProcessByItsIdAndNamesThoseThatDoNotAnswer() throws Exception {
        offer(SELF, "console", "a");
        offer(OTHER, "ledger", "n1");
        processes.get(THIRD).down();

        assertThat(json("/dump"))
                .isEqualTo(ConsoleFixture.read("{\"aaaa\":{\"console\":{\"a\":1}},\"bbbb\":{\"ledger\":{\"n1\":1}},"
                        + "\"cccc\":{\"error\":\"no process serves that address\"}}"));
    }

    @Test
    void aDumpOfOneProcessHasTheShapeOfOneThatIsAlone() throws Exception {
        offer(OTHER, "ledger", "n1");

        assertThat(json("/dump?member=bb")).isEqualTo(ConsoleFixture.read("{\"ledger\":{\"n1\":1}}"));
        assertThat(json("/dump?member=aaaa")).isEqualTo(ConsoleFixture.read("{}"));
        var unknown = get("/dump?member=x");
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(unknown.body()).contains("no process has that id; there are aaaa, bbbb, cccc");
        join("bbbc", "agent");
        assertThat(get("/dump?member=bb").statusCode()).isEqualTo(409);
        processes.get(THIRD).down();
        assertThat(json("/dump?member=cccc"))
                .isEqualTo(ConsoleFixture.read("{\"error\":\"no process serves that address\"}"));
    }

    @Test
    void showsWhichProcessesAreThereAndTheStateOfEach() throws Exception {
        processes.get(OTHER).shell.readiness().waitFor("ledger", "n1 is not listed yet");
        until(() -> member(OTHER).path("state").asText().equals("WAITING"));
        processes.get(THIRD).down();
        processes.get(SELF).passes(Duration.ofSeconds(5));
        until(() -> member(THIRD).path("state").asText().equals("SILENT"));
        until(() -> member(OTHER).path("state").asText().equals("WAITING"));

        assertThat(member(SELF).path("state").asText()).isEqualTo("READY");
        assertThat(member(SELF).path("self").asBoolean()).isTrue();
        assertThat(member(OTHER).path("ledger").asBoolean()).isTrue();
        assertThat(member(OTHER).path("version").asText()).isEqualTo("1.2.3");
        assertThat(member(OTHER).path("waits").toString())
                .isEqualTo("[{\"part\":\"ledger\",\"sentence\":\"n1 is not listed yet\"}]");
        assertThat(member(OTHER).path("roundTripMicros").asLong()).isPositive();
        assertThat(member(THIRD).path("silentMs").asLong()).isGreaterThan(3_000);
        assertThat(member(THIRD).path("reason").asText()).isEqualTo("no process serves that address");
        var cluster = json("/api/cluster");
        assertThat(cluster.path("ready").asBoolean()).isFalse();
        assertThat(cluster.path("ledgers").toString()).isEqualTo("{\"configured\":3,\"present\":2}");
        assertThat(cluster.path("grants").toString())
                .isEqualTo("{\"allowed\":false,\"sentence\":\"1 of 3 ledgers is there\"}");
        assertThat(cluster.at("/notes/0/sentence").asText()).isEqualTo("dddd left");
    }

    @Test
    void isReadyWhenEveryProcessIsAndGrantsAreAllowed() throws Exception {
        until(() -> member(OTHER).path("state").asText().equals("READY")
                && member(THIRD).path("state").asText().equals("READY"));
        assertThat(json("/api/cluster").path("ready").asBoolean()).isFalse();
        var before = status.get();
        status.set(new ClusterStatus(
                true, before.members(), 3, new ClusterStatus.Grants.Allowed(), true, before.entries()));
        until(() -> json("/api/cluster").path("ready").asBoolean());
    }

    @Test
    void aProcessWithoutTheLedgerRequestsFromThoseThatHaveIt() throws Exception {
        var members = status.get().members().stream()
                .map(member -> new ClusterStatus.Member(
                        member.peer(), member.peer().id().equals(OTHER), member.self(), member.joinedAt()))
                .toList();
        status.set(new ClusterStatus(true, members, 1, new ClusterStatus.Grants.Allowed(), true, List.of()));
        until(() -> json("/api/cluster").at("/grants/allowed").asBoolean());
        assertThat(json("/api/cluster").path("partitionsSafe").isNull()).isTrue();

        processes.get(OTHER).shell.readiness().waitFor("members", "1 of 3 is there");
        until(() -> !json("/api/cluster").at("/grants/allowed").asBoolean());
        assertThat(json("/api/cluster").at("/grants/sentence").asText())
                .isEqualTo("no process with ledger state is ready");
    }

    /** Agents with VMs by node have other counts than those with VMs by a hash. */
    @Test
    void showsHowManyVmsEachAgentReportsThatItServes() throws Exception {
        serves(OTHER, "settled", 30);
        serves(OTHER, "asking", 4);
        for (int vm = 0; vm < 40; vm++) {
            processes.get(OTHER).bus.publish(ClusterAddresses.VM_OBSERVED, ConsoleFeed.vm("vm-" + vm, "node-c", 1));
        }
        until(() -> json("/api/fleet").path("vms").size() == 40);

        until(() -> vms().equals(Map.of(OTHER, "34", THIRD, "null")));
        serves(THIRD, "settled", 6);
        until(() -> vms().equals(Map.of(OTHER, "34", THIRD, "6")));
        assertThat(json("/api/cluster").at("/shares/pressure").asText()).isEqualTo(SELF);
    }

    private void serves(String process, String stage, int vms) {
        Gauge.builder("sluice.agent.runners", () -> vms).tag("stage", stage).register(processes.get(process).meters);
    }

    @Test
    void whyReceivesWhatIsPublishedInAnyProcess() throws Exception {
        processes.get(OTHER).bus.publish(ClusterAddresses.VM_OBSERVED, ConsoleFeed.vm("a", "node-c", 1));
        processes.get(THIRD).bus.publish(AgentAddresses.STATUS, ConsoleFeed.status("a", Waiting.ROOM, 12, "no room"));

        until(() -> get("/api/why/vm/a").body().contains("no room"));
    }

    private Map<String, String> vms() throws Exception {
        Map<String, String> vms = new HashMap<>();
        json("/api/cluster")
                .at("/shares/agent")
                .forEach(each ->
                        vms.put(each.path("id").asText(), each.path("vms").asText()));
        return vms;
    }

    private JsonNode member(String id) throws Exception {
        return json("/api/cluster")
                .path("members")
                .valueStream()
                .filter(member -> member.path("id").asText().equals(id))
                .findFirst()
                .orElseThrow();
    }

    /** In which process and direction each message passed. */
    private static List<String> observedAt(EventReader tap) {
        return tap.named("message").stream()
                .map(EventReader.Event::json)
                .map(json -> json.path("process").asText() + " "
                        + json.path("direction").asText())
                .toList();
    }

    /** The last reason of each other process that delivers no messages. */
    private static Map<String, String> reasons(EventReader tap) {
        Map<String, String> reasons = new HashMap<>();
        var reported = tap.named("members");
        if (!reported.isEmpty()) {
            reported.getLast()
                    .json()
                    .path("members")
                    .forEach(each -> reasons.put(
                            each.path("id").asText(), each.path("reason").asText()));
        }
        return reasons;
    }

    private void offer(String process, String part, String key) {
        processes.get(process).shell.dumps().offer(part, new Dumps.Source() {
            @Override
            public Future<List<String>> keys() {
                return Future.succeededFuture(List.of(key));
            }

            @Override
            public Future<String> read(String requested) {
                return Future.succeededFuture("1");
            }
        });
    }

    /** A tap of all processes. */
    private EventReader tap(String query) throws Exception {
        var reader = new EventReader(console.port(), "/api/tap?" + query);
        readers.add(reader);
        for (var other : List.of(OTHER, THIRD)) {
            var meters = processes.get(other).meters;
            until(() -> meters.get("sluice.peers.taps").gauge().value() == 1);
        }
        return reader;
    }

    private JsonNode json(String path) throws Exception {
        var answer = get(path);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return ConsoleFixture.read(answer.body());
    }

    private HttpResponse<String> get(String path) throws Exception {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + console.port() + path))
                .timeout(Duration.ofSeconds(20))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }
}
