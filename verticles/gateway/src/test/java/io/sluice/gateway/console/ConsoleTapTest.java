package io.sluice.gateway.console;

import static io.sluice.gateway.ListenerFixture.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.bus.AgentAddresses;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.gateway.core.console.fleet.ConsoleFeed;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class ConsoleTapTest {
    private ConsoleFixture console;

    @BeforeEach
    void open(Vertx vertx) {
        console = ConsoleFixture.open(vertx);
    }

    @Test
    void showsWhatPassesDecoded() throws Exception {
        var tap = tap("address=agent.*");
        console.bus.publish(AgentAddresses.STATUS, ConsoleFeed.status("a", Waiting.ROOM, 12, "no room"));
        until(() -> tap.events.size() == 2);
        var out = tap.events.getFirst().json();
        assertThat(out.get("address").asText()).isEqualTo("agent.status");
        assertThat(out.get("kind").asText()).isEqualTo("event");
        assertThat(out.get("direction").asText()).isEqualTo("out");
        assertThat(out.get("bytes").asInt()).isPositive();
        assertThat(out.get("latencyMicros").isNull()).isTrue();
        assertThat(out.get("failed").isNull()).isTrue();
        assertThat(out.get("vm").asText()).isEqualTo("default/a");
        assertThat(out.get("node").asText()).isEqualTo("node-c");
        assertThat(out.at("/body/size").asText()).isEqualTo("2500m/10Gi");
        assertThat(out.at("/body/since").asText()).isEqualTo("12s");
        assertThat(tap.events.getLast().json().get("direction").asText()).isEqualTo("in");
    }

    @Test
    void findsTheVmOfAReplyByItsRequest() throws Exception {
        console.bus
                .serve(
                        LedgerAddresses.OPEN,
                        request -> request.pod().equals("pod-a")
                                ? Future.succeededFuture(new OpenReply.Opened(7, ConsoleFeed.cu(4), false))
                                : Future.failedFuture("no such pod"))
                .await();
        var byVm = tap("vm=a&kind=reply");
        var byNode = tap("node=node-c&kind=request&address=ledger.open");
        var failing = tap("vm=default/b&kind=reply");
        for (var vm : List.of("a", "b")) {
            console.bus.publish(
                    ClusterAddresses.POD_OBSERVED,
                    new PodObserved("pod-" + vm, "default", vm + "-0", "node-c", vm, 1, ConsoleFeed.UNIT, 0));
        }
        until(() -> {
            request("pod-a");
            request("pod-b");
            return byVm.events.size() >= 2 && failing.events.size() >= 2 && byNode.events.size() >= 2;
        });
        var reply = byVm.events.getFirst().json();
        assertThat(reply.get("kind").asText()).isEqualTo("reply");
        assertThat(reply.get("vm").asText()).isEqualTo("default/a");
        assertThat(reply.get("node").asText()).isEqualTo("node-c");
        assertThat(reply.get("latencyMicros").asLong()).isPositive();
        assertThat(reply.at("/body/type").asText()).isEqualTo("Opened");
        assertThat(byVm.events)
                .allSatisfy(event -> assertThat(event.json().get("vm").asText()).isEqualTo("default/a"));
        assertThat(failing.events.getFirst().json().get("failed").asText()).contains("no such pod");
        assertThat(failing.events.getFirst().json().get("body").isNull()).isTrue();
        assertThat(byNode.events.getFirst().json().at("/body/pod").asText()).startsWith("pod-");
    }

    private void request(String pod) {
        console.bus.request(LedgerAddresses.OPEN, new OpenSession("node-c", pod, "runner", 0));
    }

    @Test
    void countsWhatItHasNoRoomFor() throws Exception {
        var tap = tap("address=cluster.vm-seen");
        for (int reported = 0; reported < 20_000; reported++) {
            console.bus.publish(ClusterAddresses.VM_OBSERVED, ConsoleFeed.vm("a", "node-c", reported));
        }
        until(() -> !tap.named("dropped").isEmpty());
        until(() -> {
            long reported = dropped(tap).getLast().get("dropped").asLong();
            return tap.named("message").size() + reported == 40_000;
        });
        var totals = dropped(tap).stream()
                .map(event -> event.get("dropped").asLong())
                .toList();
        assertThat(totals).isSorted().doesNotHaveDuplicates();
        assertThat(console.meters
                        .get("sluice.gateway.console.tap.dropped")
                        .counter()
                        .count())
                .isEqualTo(totals.getLast().doubleValue());
    }

    @Test
    void letsFourListenAndGivesAPlaceBack() throws Exception {
        List<EventReader> taps = new ArrayList<>();
        for (int number = 0; number < TapRegistry.TAPS_MAX; number++) {
            taps.add(tap(""));
        }
        assertThat(console.gauge("sluice.gateway.console.taps")).isEqualTo(TapRegistry.TAPS_MAX);
        var refused = console.get("/api/tap");
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).isEqualTo("{\"error\":\"4 taps are open: close one\"}");
        for (int round = 0; round < 4; round++) {
            taps.removeFirst().close();
            until(() -> console.gauge("sluice.gateway.console.taps") == TapRegistry.TAPS_MAX - 1);
            taps.add(tap("kind=event"));
        }
        console.bus.publish(AgentAddresses.STATUS, ConsoleFeed.status("a", Waiting.ROOM, 12, "no room"));
        until(() -> !taps.getLast().events.isEmpty());
    }

    private EventReader tap(String query) throws Exception {
        double open = console.gauge("sluice.gateway.console.taps");
        var reader = console.reading("/api/tap?" + query);
        until(() -> console.gauge("sluice.gateway.console.taps") == open + 1);
        return reader;
    }

    private static List<JsonNode> dropped(EventReader tap) {
        return tap.named("dropped").stream().map(EventReader.Event::json).toList();
    }
}
