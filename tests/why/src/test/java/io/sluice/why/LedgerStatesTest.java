package io.sluice.why;

import static io.sluice.why.Answer.TIME;
import static io.sluice.why.Answer.with;
import static io.sluice.why.Vms.busy;
import static io.sluice.why.Vms.node;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** VMs whose ledger is slow or incomplete. */
class LedgerStatesTest {
    private static WhyStage stage;

    @BeforeAll
    static void start() {
        stage = new WhyStage(
                Map.of("sluice.agent.permitValidFor", "200ms", "sluice.agent.deniedRetryWait", "50ms"),
                node("node-far", 50, busy("late", 2)),
                node("node-new", 50, busy("newcomer", 2)));
        var faults = new MessageFaults(stage.vertx());
        faults.permitsTake(Duration.ofMillis(400));
        faults.losesFullListsOf("node-new");
        stage.start();
    }

    @AfterAll
    static void stop() {
        stage.close();
    }

    @Test
    void aPermitThatComesTooLateIsLapsed() {
        var why = stage.vm(
                "late",
                "its permits have lapsed unused for " + TIME + ": the permit for \\S+ lapsed \\d+.\\d s ago,"
                        + " before the VM grew; .*; goal \\S+, has 1/4Gi",
                with("PERMIT_LAPSED"));

        assertThat(why.reasonsOf("PERMIT_LAPSED")).isNotEmpty();
    }

    @Test
    void aNodeWithPodsThatWereNotListedGrantsNothing() {
        var why = stage.vm(
                "newcomer",
                "the node's ledger has been incomplete for " + TIME
                        + ": no full list of pods on node-new arrived, so it grants nothing; has 1/4Gi",
                with("NODE"));

        assertThat(why.reasonsOf("NODE")).isNotEmpty();
    }

    @Test
    void theNodeItselfReportsThatItIsIncomplete() {
        var why = stage.node(
                "node-new",
                "the node's ledger has been incomplete for " + TIME
                        + ": no full list of its pods arrived, so it grants nothing",
                with("INCOMPLETE"));

        assertThat(why.reasonsOf("INCOMPLETE")).isNotEmpty();
    }
}
