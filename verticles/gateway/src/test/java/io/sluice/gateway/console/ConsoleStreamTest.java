package io.sluice.gateway.console;

import static io.sluice.gateway.ListenerFixture.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.bus.AgentAddresses;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PressureAddresses;
import io.sluice.gateway.core.console.fleet.ConsoleFeed;
import io.sluice.gateway.listener.ConsoleListenerConfig;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.pressure.PressureDecision;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class ConsoleStreamTest {
    private ConsoleFixture console;

    @BeforeEach
    void open(Vertx vertx) {
        console = ConsoleFixture.open(vertx);
    }

    @Test
    void sendsTheWholeFleetFirstAndThenWhatChanges() throws Exception {
        observed("a", 1);
        until(() -> console.gauge("sluice.gateway.console.vms") == 1);
        var reader = console.reading("/api/stream");
        until(() -> reader.events.size() == 1);
        var fleet = reader.events.getFirst();
        assertThat(fleet.name()).isEqualTo("fleet");
        assertThat(fleet.json().at("/process/version").asText()).isEqualTo("1.2.3");
        assertThat(fleet.json().at("/process/roles/1").asText()).isEqualTo("gateway");
        assertThat(fleet.json().at("/vms/0/key").asText()).isEqualTo("default/a");
        assertThat(fleet.json().at("/vms/0/size/0").asInt()).isEqualTo(1000);
        assertThat(fleet.json().at("/vms/0/goal").isNull()).isTrue();
        console.bus.publish(AgentAddresses.STATUS, ConsoleFeed.status("a", Waiting.ROOM, 12, "no room"));
        until(() -> reader.events.size() == 2);
        var delta = reader.events.getLast();
        assertThat(delta.name()).isEqualTo("delta");
        assertThat(delta.json().at("/vms/0/waiting").asText()).isEqualTo("ROOM");
        assertThat(delta.json().at("/vms/0/goal/0").asInt()).isEqualTo(2750);
        assertThat(delta.json().has("migrations")).isFalse();
    }

    @Test
    void whatAReaderPutsTogetherIsTheFleet() throws Exception {
        var reader = console.reading("/api/stream");
        until(() -> reader.events.size() == 1);
        for (int round = 1; round <= 6; round++) {
            int reported = reader.events.size();
            happens(round);
            until(() -> reader.events.size() > reported);
        }
        console.bus.publish(LedgerAddresses.NODE_CHANGED, ConsoleFeed.node("the-last", 1));
        until(() -> reader.events.getLast().text().contains("the-last"));
        var puttogether = putTogether(reader.events);
        var fleet = console.json("/api/fleet");
        assertThat(puttogether.nodes).isEqualTo(byName(fleet.get("nodes"), "name"));
        assertThat(puttogether.vms).isEqualTo(byName(fleet.get("vms"), "key"));
        assertThat(puttogether.migrations).isEqualTo(fleet.get("migrations"));
        assertThat(puttogether.decisions).isEqualTo(list(fleet.get("decisions")));
        // Those of vm-9 are one row, as nothing else was decided of it.
        assertThat(puttogether.decisions).hasSize(6 * 2 + 1);
    }

    private void happens(int round) {
        for (int vm = 0; vm < 20; vm++) {
            observed("vm-" + vm, round);
            console.bus.publish(
                    AgentAddresses.STATUS,
                    ConsoleFeed.status("vm-" + vm, Waiting.values()[round + vm % 3], round, "r" + round));
        }
        console.bus.publish(ClusterAddresses.VM_GONE, new VmGone(ConsoleFeed.id("vm-" + round), 100));
        console.bus.publish(LedgerAddresses.NODE_CHANGED, ConsoleFeed.node("node-" + round % 4, round));
        console.bus.publish(ClusterAddresses.NODE_GONE, new NodeGone("node-" + (round + 1) % 4, round));
        console.bus.publish(
                ClusterAddresses.MIGRATION_OBSERVED,
                ConsoleFeed.migration("vm-0", round, MigrationPhase.RUNNING, "node-" + round));
        console.bus.publish(AgentAddresses.DECISION, ConsoleFeed.denied("vm-0", "node-1"));
        console.bus.publish(AgentAddresses.DECISION, ConsoleFeed.denied("vm-9", "node-1"));
        console.bus.publish(
                PressureAddresses.DECISION,
                ConsoleFeed.pressure(PressureDecision.Kind.MOVING, "vm-0", "node-1", "node-2", "round " + round));
    }

    @Test
    void putsTogetherWhatChangesAtOnce() throws Exception {
        var reader = console.reading("/api/stream");
        until(() -> reader.events.size() == 1);
        for (int change = 1; change <= 500; change++) {
            console.bus.publish(LedgerAddresses.NODE_CHANGED, ConsoleFeed.node("node-c", change % 40));
        }
        console.bus.publish(LedgerAddresses.NODE_CHANGED, ConsoleFeed.node("the-last", 1));
        until(() -> reader.events.getLast().text().contains("the-last"));
        assertThat(reader.named("delta")).hasSizeLessThan(50);
    }

    @Test
    void queuesNothingForAReaderThatIsSlow() throws Exception {
        int vms = 4_000;
        for (int vm = 0; vm < vms; vm++) {
            observed("vm-" + vm, 1);
        }
        until(() -> console.gauge("sluice.gateway.console.vms") == vms);
        var fast = console.reading("/api/stream");
        try (var slow = EventReader.waiting(console.port(), "/api/stream")) {
            until(() -> console.gauge("sluice.gateway.console.streams") == 2);
            for (int round = 2; fast.named("delta").size() < 12; round++) {
                int reported = fast.events.size();
                for (int vm = 0; vm < vms; vm++) {
                    observed("vm-" + vm, round);
                    var waiting = round % 2 == 0 ? Waiting.ROOM : Waiting.DENIED_DOWNSCALE;
                    console.bus.publish(
                            AgentAddresses.STATUS, ConsoleFeed.status("vm-" + vm, waiting, 0, "round " + round));
                }
                until(() -> fast.events.size() > reported);
            }
            console.bus.publish(LedgerAddresses.NODE_CHANGED, ConsoleFeed.node("the-last", 1));
            until(() -> fast.events.getLast().text().contains("the-last"));
            slow.begin();
            until(() -> !slow.events.isEmpty() && slow.events.getLast().text().contains("the-last"));
            assertThat(slow.events.size()).isLessThan(fast.events.size());
            assertThat(putTogether(slow.events).vms).isEqualTo(putTogether(fast.events).vms);
        }
    }

    @Test
    void hasPlaceForSoManyReadersAndGivesAPlaceBack() throws Exception {
        List<EventReader> readers = new ArrayList<>();
        for (int number = 0; number < FleetStreams.STREAMS_MAX; number++) {
            readers.add(console.reading("/api/stream"));
        }
        until(() -> readers.stream().allMatch(reader -> reader.status().contains("200")));
        var refused = console.get("/api/stream");
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).isEqualTo("{\"error\":\"32 consoles are open: close one\"}");
        readers.getFirst().close();
        until(() -> console.gauge("sluice.gateway.console.streams") == FleetStreams.STREAMS_MAX - 1);
        var another = console.reading("/api/stream");
        until(() -> !another.events.isEmpty());
    }

    @Test
    void readsTheLedgerStateThatIsNotPublishedAnew(Vertx vertx) throws Exception {
        var late = new ConsoleFixture(vertx);
        late.ledger.put("node-c", ConsoleFeed.node("node-c", 7));
        late.withLedger().deploy(ConsoleListenerConfig.DEFAULTS.at(0), () -> "");
        until(() -> late.gauge("sluice.gateway.console.nodes") == 1);
        assertThat(late.json("/api/fleet").at("/nodes/0/reserved/0").asInt()).isEqualTo(7 * 250);
    }

    private void observed(String name, long version) {
        console.bus.publish(ClusterAddresses.VM_OBSERVED, ConsoleFeed.vm(name, "node-c", version));
    }

    /** The state of a client that received these events. */
    private static final class Known {
        private final Map<String, JsonNode> nodes = new TreeMap<>();
        private final Map<String, JsonNode> vms = new TreeMap<>();
        private final List<JsonNode> decisions = new ArrayList<>();
        private JsonNode migrations;

        private void take(JsonNode event) {
            event.path("nodesGone").forEach(name -> nodes.remove(name.asText()));
            event.path("vmsGone").forEach(key -> vms.remove(key.asText()));
            nodes.putAll(byName(event.get("nodes"), "name"));
            vms.putAll(byName(event.get("vms"), "key"));
            migrations = event.has("migrations") ? event.get("migrations") : migrations;
            list(event.get("decisions")).forEach(this::decided);
        }

        /** A decision that has grown replaces itself. */
        private void decided(JsonNode decision) {
            decisions.removeIf(known -> decision.get("count").asInt() > 1
                    && Stream.of("since", "kind", "vm", "node")
                            .allMatch(key -> known.get(key).equals(decision.get(key))));
            decisions.add(decision);
        }
    }

    private static Known putTogether(List<EventReader.Event> events) {
        var known = new Known();
        for (var event : events) {
            known = event.name().equals("fleet") ? new Known() : known;
            known.take(event.json());
        }
        return known;
    }

    private static Map<String, JsonNode> byName(JsonNode array, String name) {
        Map<String, JsonNode> named = new TreeMap<>();
        array.forEach(element -> named.put(element.get(name).asText(), element));
        return named;
    }

    private static List<JsonNode> list(JsonNode array) {
        List<JsonNode> elements = new ArrayList<>();
        array.forEach(elements::add);
        return elements;
    }
}
