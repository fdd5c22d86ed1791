package io.sluice.mysteries;

import static io.sluice.mysteries.Answer.with;
import static io.sluice.mysteries.Vms.busy;
import static io.sluice.mysteries.Vms.idle;
import static io.sluice.mysteries.Vms.node;
import static io.sluice.mysteries.Vms.restless;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.VmAddresses;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.ledger.OpenReply;
import io.sluice.messages.ledger.OpenSession;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.ClaimVm;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A VM each that does not get the size that its load asks for; they share a lab and do not disturb one another. */
class EverydayMysteriesTest {
    /** Once superseded, a runner keeps away for longer than these tests take. */
    private static final Map<String, String> RUNNERS_KEEP_AWAY = Map.of(
            "sluice.agent.restartMin", "100s",
            "sluice.agent.restartMax", "110s",
            "sluice.agent.restartCap", "120s");

    private static final MysteryStage HOUSE = new MysteryStage(
            RUNNERS_KEEP_AWAY,
            node("node-small", 10, busy("tight", 3), idle("neighbour")),
            node(
                    "node-large",
                    100,
                    restless("refused", 2),
                    idle("guarded"),
                    idle("stuck"),
                    busy("greedy", 6),
                    restless("contested", 2)));

    @BeforeAll
    static void start() {
        HOUSE.faults().guestRefuses("guarded");
        HOUSE.faults().statusStuck("stuck");
        HOUSE.start();
    }

    @AfterAll
    static void stop() {
        HOUSE.close();
    }

    @Test
    void aVmOnAFullNodeIsShortByWhatTheNodeLacks() {
        var why = HOUSE.vm(
                "tight",
                "wants \\S+, has \\S+: short by \\d+m CPU and \\d+Gi memory on node-small"
                        + " \\(2500m of 2500m and 10Gi of 10Gi reserved\\) for \\d+ .*",
                with("ROOM", "DENIED"));

        assertThat(why.reasonsOf("ROOM")).isNotEmpty();
        assertThat(why.reasonsOf("DENIED")).anyMatch(text -> text.contains("node node-small has 0m of 2500m left"));
    }

    @Test
    void aVmWhosePatchesTheApiRefusesIsBackedOffFrom() {
        HOUSE.status("refused", status -> status.waiting() == Waiting.NOTHING);
        HOUSE.faults().patchesFail("refused", 503);

        var why = HOUSE.vm(
                "refused", "backing off for \\d+ s: .*503.*again in \\d.\\d s; wants \\S+, has \\S+", with("RETRY"));

        assertThat(why.reasonsOf("RETRY")).isNotEmpty();
    }

    @Test
    @DisplayName("F17: why says that the monitor refuses to shrink")
    void aVmWhoseMonitorRefusesToShrinkIsVetoed() {
        var why = HOUSE.vm(
                "guarded",
                "the monitor has refused to shrink it for \\d+ s: refused to shrink to \\S+: .+;"
                        + " wants \\S+, has 1/4Gi",
                with("VETO", "VETOED"));

        assertThat(why.reasonsOf("VETO")).isNotEmpty();
        assertThat(why.reasonsOf("VETOED")).isNotEmpty();
    }

    @Test
    void aVmWhoseDriverAppliesNothingShowsAnotherSizeThanItWasTold() {
        var why = HOUSE.vm(
                "stuck",
                "told to be \\S+, shows 1/4Gi: its driver has not applied the size,"
                        + " and has counted as stuck for \\d+ s",
                with("DRIVER"));

        assertThat(why.reasonsOf("DRIVER")).isNotEmpty();
    }

    @Test
    void aVmThatAnotherRunnerTookIsSuperseded() {
        var here = HOUSE.status("contested", status -> status.waiting() == Waiting.NOTHING);
        var opened = MysteryStage.done(HOUSE.bus()
                .request(LedgerAddresses.OPEN, new OpenSession(here.node(), here.member(), "the-other-one", 0)));
        var claimed =
                MysteryStage.done(HOUSE.bus().request(VmAddresses.CLAIM, new ClaimVm(here.vm(), "the-other-one.1")));
        assertThat(opened).isInstanceOf(OpenReply.Opened.class);
        assertThat(claimed).isInstanceOf(ClaimReply.Claimed.class);

        var why = HOUSE.vm("contested", "superseded \\d+ s ago: another runner speaks for it: .+", with("SUPERSEDED"));

        assertThat(why.reasonsOf("SUPERSEDED")).isNotEmpty();
    }

    @Test
    void aVmWhoseLoadAsksForMoreThanItsMaximumIsAtIt() {
        var why = HOUSE.vm(
                "greedy",
                "its load asks for (1[7-9]|[2-9]\\d) CU( = \\S+)?, its maximum is 4/16Gi"
                        + " \\(load1 \\d+.\\d+, load5 \\d+.\\d+, \\d+ MiB in use\\)",
                with("MAX"));

        assertThat(why.reasonsOf("MAX")).isNotEmpty();
    }
}
