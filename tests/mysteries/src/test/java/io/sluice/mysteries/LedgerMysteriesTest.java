package io.sluice.mysteries;

import static io.sluice.mysteries.Answer.with;
import static io.sluice.mysteries.Vms.busy;
import static io.sluice.mysteries.Vms.node;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What becomes of VMs whose ledger is hard to reach. */
class LedgerMysteriesTest {
    private static final MysteryStage HOUSE = new MysteryStage(
            Map.of("sluice.agent.permitValidFor", "200ms", "sluice.agent.deniedRetryWait", "50ms"),
            node("node-far", 50, busy("late", 2)),
            node("node-new", 50, busy("newcomer", 2)));

    @BeforeAll
    static void start() {
        var detours = new Detours(HOUSE.vertx());
        detours.permitsTake(Duration.ofMillis(400));
        detours.losesListingsOf("node-new");
        HOUSE.start();
    }

    @AfterAll
    static void stop() {
        HOUSE.close();
    }

    @Test
    void aPermitThatComesTooLateIsLapsed() {
        var why = HOUSE.vm(
                "late",
                "its permits have lapsed unused for \\d+ s: the permit for \\S+ lapsed \\d+.\\d s ago,"
                        + " before the VM grew; .*; wants \\S+, has 1/4Gi",
                with("PERMIT_LAPSED"));

        assertThat(why.reasonsOf("PERMIT_LAPSED")).isNotEmpty();
    }

    @Test
    void aNodeWhoseMembersWereNotListedGrantsNothing() {
        var why = HOUSE.vm(
                "newcomer",
                "the node's books are incomplete: what runs on node-new was not listed yet, so it grants nothing for"
                        + " \\d+ s; has 1/4Gi",
                with("NODE"));

        assertThat(why.reasonsOf("NODE")).isNotEmpty();
    }

    @Test
    void theNodeItselfSaysThatItIsIncomplete() {
        var why = HOUSE.node(
                "node-new",
                "the node's books are incomplete: what runs there was not listed yet, so it grants nothing for \\d+ s",
                with("INCOMPLETE"));

        assertThat(why.reasonsOf("INCOMPLETE")).isNotEmpty();
    }
}
