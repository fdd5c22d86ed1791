package io.sluice.gateway.console;

import static io.sluice.gateway.ListenerFixture.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.bus.AgentAddresses;
import io.sluice.bus.BillingAddresses;
import io.sluice.bus.ClusterAddresses;
import io.sluice.gateway.core.console.fleet.ConsoleFeed;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.billing.ReadVmBill;
import io.sluice.messages.billing.VmBill;
import io.sluice.messages.cluster.VmTraits;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What was billed of a VM, as the console serves it. */
@ExtendWith(VertxExtension.class)
class VmBillPagesTest {
    private static final String PATH = "/api/vms/default/a/bill";
    private static final Instant SINCE = Instant.parse("2026-11-21T14:20:00Z");

    private final Queue<ReadVmBill> requests = new ConcurrentLinkedQueue<>();
    private ConsoleFixture console;

    @BeforeEach
    void open(Vertx vertx) throws Exception {
        console = ConsoleFixture.open(vertx);
        console.bus.publish(ClusterAddresses.VM_OBSERVED, ConsoleFeed.vm("a", "node-c", 1));
        console.bus.publish(AgentAddresses.STATUS, ConsoleFeed.status("a", Waiting.NOTHING, 10, ""));
        until(() -> console.json("/api/fleet").at("/vms/0/key").asText().equals("default/a"));
    }

    private void bills(Function<ReadVmBill, Future<VmBill>> reply) {
        console.bus
                .serve(BillingAddresses.VM_BILL, request -> {
                    requests.add(request);
                    return reply.apply(request);
                })
                .await();
    }

    @Test
    void showsTheHoursSinceTheyAreKnown() throws Exception {
        var hour = new VmBill.Hour(SINCE.minusSeconds(1_200).getEpochSecond(), 5_000, 2_300, 40_000, 60_000);
        bills(request -> Future.succeededFuture(new VmBill.Billed(SINCE, List.of(hour))));

        assertThat(console.json(PATH))
                .isEqualTo(ConsoleFixture.read("""
                    {"known": true, "since": %d, "hours": [{"at": %d, "computeSeconds": 5000, "activeSeconds": 2300,
                     "restartMs": 40000, "watchMs": 60000}]}\
                    """.formatted(SINCE.toEpochMilli(), hour.startSeconds() * 1_000)));
        assertThat(requests).containsExactly(new ReadVmBill("default", "a", "node-c"));
    }

    @Test
    void showsTheBillOfAVmThatIsGone() throws Exception {
        bills(request -> Future.succeededFuture(new VmBill.Billed(SINCE, List.of())));

        assertThat(console.json("/api/vms/default/gone/bill").get("known").asBoolean())
                .isTrue();
        assertThat(requests).containsExactly(new ReadVmBill("default", "gone", ""));
    }

    @Test
    void reportsThatNoProcessLeadsBillingAndServesTheRestOfThePage() throws Exception {
        var unserved = console.json(PATH);
        assertThat(unserved.get("known").asBoolean()).isFalse();
        assertThat(unserved.get("reason").asText())
                .isEqualTo("no process leads billing: no process serves that address");
        assertThat(console.json("/api/vms/default/a").at("/vm/key").asText()).isEqualTo("default/a");

        bills(request -> Future.failedFuture("this process does not lead billing"));
        assertThat(console.json(PATH).get("reason").asText()).contains("this process does not lead billing");
    }

    @Test
    void reportsThatMoreVmsAreBilledThanAreKept() throws Exception {
        bills(request -> Future.succeededFuture(new VmBill.Unknown(50_000)));

        assertThat(console.json(PATH).get("reason").asText())
                .isEqualTo("more VMs are billed than the 50000 whose bills are kept");
    }

    @Test
    void showsWhetherAVmIsBilledAtAll() throws Exception {
        assertThat(console.json("/api/vms/default/a").at("/vm/billed").asBoolean())
                .isFalse();

        console.bus.publish(
                ClusterAddresses.VM_OBSERVED,
                ConsoleFeed.vm("a", "node-c", 2).with(Optional.empty(), VmTraits.NONE.billed(Optional.of("ep-1"), 0)));

        until(() -> console.json("/api/vms/default/a").at("/vm/billed").asBoolean());
    }
}
