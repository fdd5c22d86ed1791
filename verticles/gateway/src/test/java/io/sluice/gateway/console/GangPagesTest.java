package io.sluice.gateway.console;

import static io.sluice.gateway.ListenerFixture.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.bus.PlacementAddresses;
import io.sluice.messages.placement.GangState;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class GangPagesTest {
    @Test
    void showsGangsTheirMembersAndWhyTheyWait(Vertx vertx) throws Exception {
        var console = ConsoleFixture.open(vertx);
        assertThat(console.json("/api/gangs").get("gangs")).isEmpty();
        console.bus.publish(
                PlacementAddresses.GANG,
                new GangState(
                        "scheduling.x-k8s.io",
                        "ns",
                        "train",
                        "u-1",
                        7,
                        3,
                        "Pending",
                        "GANG_TOO_FEW_MEMBERS(2/3)",
                        List.of(
                                new GangState.Member("m-1", "train-0", "node-a", GangState.Step.HELD),
                                new GangState.Member("m-2", "train-1", "", GangState.Step.PENDING))));

        until(() -> console.json("/api/gangs").get("gangs").size() == 1);
        var gang = console.json("/api/gangs").at("/gangs/0");
        assertThat(gang.at("/gang").asText()).isEqualTo("ns/train");
        assertThat(gang.at("/held").asInt()).isEqualTo(1);
        assertThat(gang.at("/members/0/node").asText()).isEqualTo("node-a");
        var why = console.json("/api/why/gang/ns/train");
        assertThat(why.at("/now").asText())
                .isEqualTo("gang ns/train needs 3 members, and has 1 pending, 1 held;"
                        + " it waits: GANG_TOO_FEW_MEMBERS(2/3)");
        assertThat(why.at("/reasons/0/reason").asText()).isEqualTo("train-0 on node node-a");
    }
}
