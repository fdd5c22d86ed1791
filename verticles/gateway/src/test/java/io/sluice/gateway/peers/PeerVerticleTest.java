package io.sluice.gateway.peers;

import static io.sluice.gateway.peers.Machines.await;
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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: what a process tells the others, and what it makes of their silence.
 *
 * <p>Method: two processes on a clustered bus over a socket. Silence is made by taking the other's answerer away, and
 * its length by setting a clock forward.
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
    void isReadyOnceSomebodyAnswersForWhatItNeedsAndHealsWhenItIsAnsweredAgain() throws Exception {
        var agent = process("aaaa", "agent").up();
        assertThat(agent.waitsFor()).isEqualTo("no process with the role ledger is there (agent needs it)");

        var ledger = process("1f3a", "ledger", "monitor").up();
        until(agent, () -> agent.waitsFor().isEmpty());

        ledger.down();
        until(agent, () -> agent.meters.get("sluice.peers.pings.lost").counter().count() >= 1);
        agent.passes(LONG);
        until(
                agent,
                () -> agent.waitsFor()
                        .startsWith("the process 1f3a (ledger, monitor; 10.0.0.2:5701) has not answered over the bus"
                                + " for "));
        assertThat(agent.meters.get("sluice.peers.members").gauge().value()).isEqualTo(1);
        assertThat(agent.meters.get("sluice.peers.answering").gauge().value()).isZero();
        assertThat(agent.verticle.report().others().getFirst().reason()).isEqualTo("nobody answers there");

        await(ledger.vertx.deployVerticle(new PeerVerticle(ledger.shell, "1.2.3", Set.of("ledger"), NEEDS)));
        until(agent, () -> agent.waitsFor().isEmpty());
        assertThat(agent.meters.get("sluice.peers.answering").gauge().value()).isEqualTo(1);

        peers.leave("1f3a");
        until(agent, () -> agent.waitsFor().startsWith("no process with the role ledger is there"));
    }

    @Test
    void whatItWaitsForIsSaidAtTheOpsDoor() throws Exception {
        var agent = process("aaaa", "agent").up();
        var health = new HealthVerticle(ListenerConfig.loopback(0), agent.shell, () -> "");
        await(agent.vertx.deployVerticle(health));

        try (var client = HttpClient.newHttpClient()) {
            var asked = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + health.port() + "/readyz?verbose"))
                    .build();
            var answer = client.send(asked, HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body()).contains("\npeers: no process with the role ledger is there (agent needs it)");
        }
    }

    @Test
    void tellsHowItIs() throws Exception {
        var agent = process("aaaa", "agent").up();
        var ledger = process("1f3a", "ledger").up();
        ledger.shell.readiness().waitFor("ledger", "node-1 is not listed yet");
        ledger.meters.gauge("sluice.monitor.connected", 7);

        var status = await(agent.bus.request(MemberAddresses.STATUS.at("1f3a"), new MemberStatusRequest("aaaa")));

        assertThat(status.id()).isEqualTo("1f3a");
        assertThat(status.version()).isEqualTo("1.2.3");
        assertThat(status.roles()).containsExactly("ledger");
        assertThat(status.uptime()).isPositive();
        assertThat(status.ready()).isFalse();
        assertThat(status.waits()).containsExactly(new MemberStatus.Wait("ledger", "node-1 is not listed yet"));
        assertThat(status.counts()).containsExactly(new MemberStatus.Count("monitor sessions", 7));
    }

    @Test
    void letsAnotherListenForAsLongAsItAsks() throws Exception {
        var agent = process("aaaa", "agent").up();
        var ledger = process("1f3a", "ledger").up();
        var wanted = new TapRequest("aaaa/1", 1, "", "", "cluster.resync-wanted", "");

        assertThat(pull(agent, wanted)).isEqualTo(new TapBatch(1, true, List.of(), false, 0));
        ledger.bus.publish(ClusterAddresses.RESYNC_WANTED, new RelistRequest("test"));
        var heard = pull(agent, wanted.next());
        assertThat(heard.opened()).isFalse();
        assertThat(heard.messages())
                .singleElement()
                .asString()
                .startsWith("{\"member\":\"1f3a\",\"at\":")
                .contains("\"address\":\"cluster.resync-wanted\"");
        assertThat(pull(agent, wanted.next())).isEqualTo(heard);
        assertThat(catchThrowable(() -> pull(agent, wanted))).hasMessageContaining("was answered already");

        assertThat(ledger.meters.get("sluice.peers.taps").gauge().value()).isEqualTo(1);
        ledger.passes(Duration.ofSeconds(TapRequest.LEASE_SECONDS));
        until(ledger, () -> ledger.meters.get("sluice.peers.taps").gauge().value() == 0);
        assertThat(pull(agent, wanted.next().next()).opened()).isTrue();
    }

    @Test
    void aListenerThatIsNotAskedKeepsSomeAndCountsTheRest() throws Exception {
        var agent = process("aaaa", "agent").up();
        var ledger = process("1f3a", "ledger").up();
        var wanted = new TapRequest("aaaa/1", 1, "", "", "cluster.resync-wanted", "");
        pull(agent, wanted);
        for (int said = 0; said < 1_500; said++) {
            ledger.bus.publish(ClusterAddresses.RESYNC_WANTED, new RelistRequest("test"));
        }

        List<String> messages = new ArrayList<>();
        var batch = new TapBatch(1, true, List.of(), true, 0);
        while (batch.more()) {
            wanted = wanted.next();
            batch = pull(agent, wanted);
            messages.addAll(batch.messages());
        }
        assertThat(messages).hasSize(1_000);
        assertThat(batch.dropped()).isEqualTo(500);
    }

    @Test
    void nobodyListensToWhatTapsAsk() throws Exception {
        var agent = process("aaaa", "agent").up();
        process("1f3a", "ledger").up();
        var all = new TapRequest("aaaa/1", 1, "", "", "", "");
        var ofMembers = new TapRequest("aaaa/2", 1, "", "", "member.*", "");
        for (int asked = 0; asked < 5; asked++) {
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

    private static TapBatch pull(SomeProcess asker, TapRequest wanted) throws Exception {
        return await(asker.bus.request(MemberAddresses.TAP.at("1f3a"), wanted));
    }

    /** Something that becomes so. */
    private interface Condition {
        boolean holds() throws Exception;
    }

    private static void until(SomeProcess process, Condition condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.holds()) {
            assertThat(System.nanoTime())
                    .as("not so after 20 s: " + process.waitsFor())
                    .isLessThan(deadline);
            await(process.vertx.timer(20, TimeUnit.MILLISECONDS));
        }
    }
}
