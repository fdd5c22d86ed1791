package io.sluice.gateway.peers;

import static io.sluice.gateway.ListenerFixture.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.MemberAddresses;
import io.sluice.gateway.HealthVerticle;
import io.sluice.gateway.listener.ListenerConfig;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.messages.member.MemberStatus;
import io.sluice.messages.member.MemberStatusRequest;
import io.sluice.messages.member.TapBatch;
import io.sluice.messages.member.TapRequest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: what a process reports to the others, and how it reacts to their silence.
 *
 * <p>Method: two processes on a clustered bus over a socket. The test removes the other's consumer to make it silent,
 * and sets a clock forward for the length of the silence.
 */
class PeerVerticleTest {
    private static final Map<String, Set<String>> NEEDS = Map.of("agent", Set.of("ledger"));
    private static final Duration LONG = Duration.ofSeconds(5);

    private final Machines machines = new Machines();
    private final SomePeers peers = new SomePeers();

    @AfterEach
    void close() throws Exception {
        machines.close();
    }

    private SomeProcess process(String id, String... roles) throws Exception {
        return new SomeProcess(machines.join(id), peers.join(id, roles), NEEDS);
    }

    @Test
    void isReadyOnceARequiredProcessRepliesAndRecoversWhenItRepliesAgain() throws Exception {
        var agent = process("aaaa", "agent").up();
        assertThat(agent.waitsFor()).isEqualTo("no process with the role ledger exists (agent needs it)");

        var ledger = process("1f3a", "ledger", "monitor").up();
        until(() -> agent.waitsFor().isEmpty());

        ledger.down();
        until(() -> agent.meters.get("sluice.peers.pings.lost").counter().count() >= 1);
        agent.passes(LONG);
        until(() -> agent.waitsFor()
                .startsWith(
                        "the process 1f3a (ledger, monitor; 10.0.0.2:5701) has not replied over the bus" + " for "));
        assertThat(agent.meters.get("sluice.peers.members").gauge().value()).isEqualTo(1);
        assertThat(agent.meters.get("sluice.peers.answering").gauge().value()).isZero();
        assertThat(agent.verticle.report().others().getFirst().reason()).isEqualTo("no process serves that address");

        ledger.vertx
                .deployVerticle(new PeerVerticle(ledger.shell, "1.2.3", Set.of("ledger"), NEEDS))
                .await();
        until(() -> agent.waitsFor().isEmpty());
        assertThat(agent.meters.get("sluice.peers.answering").gauge().value()).isEqualTo(1);

        peers.leave("1f3a");
        until(() -> agent.waitsFor().startsWith("no process with the role ledger exists"));
    }

    @Test
    void whatItWaitsForIsReportedAtTheOpsListener() throws Exception {
        var agent = process("aaaa", "agent").up();
        var health = new HealthVerticle(ListenerConfig.loopback(0), agent.shell, format -> "");
        agent.vertx.deployVerticle(health).await();

        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + health.port() + "/readyz?verbose"))
                    .build();
            var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body()).contains("\npeers: no process with the role ledger exists (agent needs it)");
        }
    }

    @Test
    void reportsItsStatus() throws Exception {
        var agent = process("aaaa", "agent").up();
        var ledger = process("1f3a", "ledger").up();
        ledger.shell.readiness().waitFor("ledger", "node-1 is not listed yet");
        ledger.meters.gauge("sluice.monitor.connected", 7);
        for (var notice : List.of("vm_found", "pod_found", "hold_expired")) {
            ledger.meters.counter("sluice.ledger.notices", "notice", notice).increment(2);
        }

        var status = agent.bus
                .request(MemberAddresses.STATUS.at("1f3a"), new MemberStatusRequest("aaaa"))
                .await();

        assertThat(status.id()).isEqualTo("1f3a");
        assertThat(status.version()).isEqualTo("1.2.3");
        assertThat(status.roles()).containsExactly("ledger");
        assertThat(status.uptime()).isPositive();
        assertThat(status.ready()).isFalse();
        assertThat(status.waits()).containsExactly(new MemberStatus.Wait("ledger", "node-1 is not listed yet"));
        assertThat(status.counts())
                .containsExactly(
                        new MemberStatus.Count("monitor sessions", 7),
                        new MemberStatus.Count(MemberStatus.Count.WITHOUT_HOLD, 4));
    }

    @Test
    void letsAnotherListenForAsLongAsItRequests() throws Exception {
        var agent = process("aaaa", "agent").up();
        var ledger = process("1f3a", "ledger").up();
        var request = new TapRequest("aaaa/1", 1, "", "", "cluster.resync-wanted", "");

        assertThat(pull(agent, request)).isEqualTo(new TapBatch(1, true, List.of(), false, 0));
        ledger.bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest("test"));
        var received = pull(agent, request.next());
        assertThat(received.opened()).isFalse();
        assertThat(received.messages())
                .singleElement()
                .asString()
                .startsWith("{\"process\":\"1f3a\",\"at\":")
                .contains("\"address\":\"cluster.resync-wanted\"");
        assertThat(pull(agent, request.next())).isEqualTo(received);
        assertThat(catchThrowable(() -> pull(agent, request))).hasMessageContaining("already has a reply");

        assertThat(ledger.meters.get("sluice.peers.taps").gauge().value()).isEqualTo(1);
        ledger.passes(Duration.ofSeconds(TapRequest.LEASE_SECONDS));
        until(() -> ledger.meters.get("sluice.peers.taps").gauge().value() == 0);
        assertThat(pull(agent, request.next().next()).opened()).isTrue();
    }

    @Test
    void aListenerThatIsNotPolledKeepsSomeAndCountsTheRest() throws Exception {
        var agent = process("aaaa", "agent").up();
        var ledger = process("1f3a", "ledger").up();
        var request = new TapRequest("aaaa/1", 1, "", "", "cluster.resync-wanted", "");
        pull(agent, request);
        for (int reported = 0; reported < 1_500; reported++) {
            ledger.bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest("test"));
        }

        List<String> messages = new ArrayList<>();
        var batch = new TapBatch(1, true, List.of(), true, 0);
        while (batch.more()) {
            request = request.next();
            batch = pull(agent, request);
            messages.addAll(batch.messages());
        }
        assertThat(messages).hasSize(1_000);
        assertThat(batch.dropped()).isEqualTo(500);
    }

    @Test
    void tapRequestsAreNotTapped() throws Exception {
        var agent = process("aaaa", "agent").up();
        process("1f3a", "ledger").up();
        var all = new TapRequest("aaaa/1", 1, "", "", "", "");
        var ofMembers = new TapRequest("aaaa/2", 1, "", "", "member.*", "");
        for (int requested = 0; requested < 5; requested++) {
            assertThat(pull(agent, all).messages()).noneMatch(message -> message.contains("member.tap"));
            assertThat(pull(agent, ofMembers).messages()).noneMatch(message -> message.contains("member.tap"));
            all = all.next();
            ofMembers = ofMembers.next();
        }
    }

    @Test
    void aFilterThatIsNoneIsRefused() throws Exception {
        var agent = process("aaaa", "agent").up();
        process("1f3a", "ledger").up();

        assertThat(catchThrowable(() -> pull(agent, new TapRequest("aaaa/1", 1, "", "", "", "shout"))))
                .hasMessageContaining("kind must be request, reply or event, not shout");
    }

    private static TapBatch pull(SomeProcess process, TapRequest request) throws Exception {
        return process.bus.request(MemberAddresses.TAP.at("1f3a"), request).await();
    }
}
