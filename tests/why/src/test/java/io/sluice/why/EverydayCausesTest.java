package io.sluice.why;

import static io.sluice.why.Answer.TIME;
import static io.sluice.why.Answer.with;
import static io.sluice.why.Vms.busy;
import static io.sluice.why.Vms.idle;
import static io.sluice.why.Vms.node;
import static io.sluice.why.Vms.restless;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.VmAddresses;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.ClaimVm;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** One VM for each cause, without the size that its load needs; they share a lab and do not affect one another. */
class EverydayCausesTest {
    /** A superseded runner stops for longer than these tests take. */
    private static final Map<String, String> RUNNERS_KEEP_AWAY = Map.of(
            "sluice.agent.restartMin", "100s",
            "sluice.agent.restartMax", "110s",
            "sluice.agent.restartCap", "120s");

    private static WhyStage stage;

    @BeforeAll
    static void start() {
        stage = new WhyStage(
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
        stage.faults().guestRefuses("guarded");
        stage.faults().statusStuck("stuck");
        stage.start();
    }

    @AfterAll
    static void stop() {
        stage.close();
    }

    @Test
    void aVmOnAFullNodeIsShortByWhatTheNodeLacks() {
        var why = stage.vm(
                "tight",
                "goal \\S+, has \\S+: short by \\d+m CPU and \\d+Gi memory on node-small"
                        + " \\(2500m of 2500m and 10Gi of 10Gi reserved\\) for \\d+ .*",
                with("ROOM", "DENIED"));

        assertThat(why.reasonsOf("ROOM")).isNotEmpty();
        assertThat(why.reasonsOf("DENIED")).anyMatch(text -> text.contains("node node-small has 0m of 2500m left"));
    }

    /** What the explanation says the VM is short by is what the ledger, tried on a copy, would grant it with. */
    @Test
    void aVmOnAFullNodeWouldBeGrantedWhatItIsShortBy() {
        var shortBy = Pattern.compile("short by (\\d+m CPU and \\d+Gi memory) on node-small");

        var why = stage.vm(
                "tight",
                ".*short by .* on node-small .*",
                answer -> shortBy.matcher(answer.now())
                        .results()
                        .anyMatch(lacking -> answer.helps()
                                .startsWith("it would be granted with " + lacking.group(1) + " more on node-small")));

        assertThat(why.helps()).doesNotContain("all of these");
    }

    @Test
    void aVmWithPatchesThatTheApiRefusesIsBackedOffFrom() {
        stage.status("refused", status -> status.waiting() == Waiting.NOTHING);
        stage.faults().patchesFail("refused", 503);

        var why = stage.vm(
                "refused",
                "its runner has waited for " + TIME + " to try again: .*503.*again in \\d.\\d s; goal \\S+, has \\S+",
                with("RETRY"));

        assertThat(why.reasonsOf("RETRY")).isNotEmpty();
    }

    @Test
    @DisplayName("F17: why reports that the monitor denies a downscale")
    void aVmWithAMonitorThatRefusesToShrinkShowsADeniedDownscale() {
        var why = stage.vm(
                "guarded",
                "its monitor has denied the downscale for " + TIME + ": a downscale to \\S+ is denied: .+;"
                        + " goal \\S+, has 1/4Gi",
                with("DENIED_DOWNSCALE", "DOWNSCALE_DENIED"));

        assertThat(why.reasonsOf("DENIED_DOWNSCALE")).isNotEmpty();
        assertThat(why.reasonsOf("DOWNSCALE_DENIED")).isNotEmpty();
    }

    @Test
    void aVmWithADriverThatAppliesNothingShowsAnotherSizeThanItsDesiredOne() {
        var why = stage.vm(
                "stuck",
                "its spec has \\S+ and its status shows 1/4Gi: the driver has not applied the size,"
                        + " and the runner has counted as stuck for " + TIME,
                with("DRIVER"));

        assertThat(why.reasonsOf("DRIVER")).isNotEmpty();
    }

    @Test
    void aVmThatAnotherRunnerTookIsSuperseded() {
        var here = stage.status("contested", status -> status.waiting() == Waiting.NOTHING);
        stage.awaitReply(
                LedgerAddresses.OPEN,
                new OpenSession(here.node(), here.pod(), "the-other-one", 0),
                OpenReply.Opened.class);
        stage.awaitReply(VmAddresses.CLAIM, new ClaimVm(here.vm(), "the-other-one.1"), ClaimReply.Claimed.class);

        var why =
                stage.vm("contested", "superseded " + TIME + " ago: another runner serves it: .+", with("SUPERSEDED"));

        assertThat(why.reasonsOf("SUPERSEDED")).isNotEmpty();
    }

    @Test
    void aVmWithADemandForMoreThanItsMaximumIsAtIt() {
        var why = stage.vm(
                "greedy",
                "its load needs (1[7-9]|[2-9]\\d) CU( = \\S+)?, its maximum is 4/16Gi"
                        + " \\(load1 \\d+.\\d+, load5 \\d+.\\d+, \\d+ MiB in use\\)",
                with("MAX"));

        assertThat(why.reasonsOf("MAX")).isNotEmpty();
    }
}
