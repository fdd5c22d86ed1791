package io.sluice.gateway.console;

import static io.sluice.gateway.ListenerFixture.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.bus.AgentAddresses;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PressureAddresses;
import io.sluice.gateway.core.console.fleet.ConsoleFeed;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.ledger.grant.GrantChange;
import io.sluice.messages.ledger.grant.GrantQuery;
import io.sluice.messages.ledger.grant.NearestGrant;
import io.sluice.messages.pressure.Ranking;
import io.sluice.units.FixedAmounts;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pages and explanations name what would have helped, as the ledger replies. */
@ExtendWith(VertxExtension.class)
class NearestGrantPagesTest {
    private ConsoleFixture console;

    @BeforeEach
    void open(Vertx vertx) {
        console = ConsoleFixture.open(vertx);
    }

    @Test
    void namesWhatADeniedVmLacksAndWhyItStays() throws Exception {
        var requested = new LinkedBlockingQueue<GrantQuery>();
        var moved = new GrantChange(
                GrantChange.Kind.VM_MOVED, "node-c", ConsoleFeed.cu(2), FixedAmounts.NONE, "pod-b", "default/b");
        console.bus
                .serve(LedgerAddresses.NEAREST_GRANT, query -> {
                    requested.add(query);
                    return Future.succeededFuture(new NearestGrant(NearestGrant.Sufficiency.ANY, List.of(moved)));
                })
                .await();
        reported();

        var why = console.json("/api/why/vm/a");

        assertThat(requested).containsExactly(new GrantQuery.OfPermit("node-c", "pod-a", ConsoleFeed.cu(11)));
        assertThat(why.at("/helps/sufficiency").asText()).isEqualTo("ANY");
        assertThat(why.at("/helps/text").asText())
                .isEqualTo("it would be granted with VM default/b moved away from node-c");
        assertThat(why.at("/helps/changes/0/kind").asText()).isEqualTo("VM_MOVED");
        assertThat(why.at("/helps/changes/0/subject").asText()).isEqualTo("default/b");
        assertThat(why.at("/stays").asText()).isEmpty();
        assertThat(console.json("/api/vms/default/a").get("helps").asText())
                .isEqualTo(why.at("/helps/text").asText());

        console.bus.publish(LedgerAddresses.NODE_CHANGED, ConsoleFeed.node("node-c", 20));
        until(() -> console.json("/api/why/vm/a")
                .at("/stays")
                .asText()
                .startsWith("it stays: node-c is below its watermark of 8/32Gi: 5000m of 10000m CPU"));
    }

    /** The ledger of the other node is requested to hold room for it, below its watermark. */
    @Test
    void namesWhatWouldLetANodeTakeAVmThatCannotLeave() throws Exception {
        var requested = new LinkedBlockingQueue<GrantQuery>();
        var watermark = GrantChange.more(GrantChange.Kind.WATERMARK, "node-b", ConsoleFeed.cu(1), FixedAmounts.NONE);
        console.bus
                .serve(LedgerAddresses.NEAREST_GRANT, query -> {
                    if (query instanceof GrantQuery.OfPermit) {
                        return Future.succeededFuture(NearestGrant.UNKNOWN);
                    }
                    requested.add(query);
                    return Future.succeededFuture(new NearestGrant(NearestGrant.Sufficiency.ANY, List.of(watermark)));
                })
                .await();
        rank(new Ranking.Rank("pod-a", "a", false, "no node has room for it"));
        console.bus.publish(LedgerAddresses.NODE_CHANGED, ConsoleFeed.node("node-b", 30));
        reported();

        var why = console.json("/api/why/vm/a");

        assertThat(why.at("/target/text").asText())
                .isEqualTo("it could leave its node with a watermark of node-b that is higher by 250m CPU and 1Gi"
                        + " memory");
        assertThat(requested).singleElement().satisfies(query -> {
            assertThat(query.node()).isEqualTo("node-b");
            assertThat(((GrantQuery.OfHold) query).belowWatermark()).isTrue();
            assertThat(((GrantQuery.OfHold) query).hold().amounts()).isEqualTo(ConsoleFeed.cu(10));
        });
    }

    @Test
    void explainsAVmAlsoWhereNoLedgerReplies() throws Exception {
        reported();

        var why = console.json("/api/why/vm/a");

        assertThat(why.at("/helps/sufficiency").asText()).isEqualTo("NONE");
        assertThat(why.at("/helps/text").asText()).isEmpty();
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
}
