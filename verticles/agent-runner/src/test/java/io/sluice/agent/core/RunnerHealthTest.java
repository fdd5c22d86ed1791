package io.sluice.agent.core;

import static io.sluice.agent.core.RunnerHealth.Cause.DRIVER;
import static io.sluice.agent.core.RunnerHealth.Cause.MONITOR;
import static io.sluice.agent.core.RunnerHealth.Cause.MONITOR_SILENT;
import static io.sluice.agent.core.RunnerHealth.Cause.SCHEDULER;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.core.runner.RunnerAction;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.messages.ledger.permit.KindDecision;
import io.sluice.messages.ledger.permit.KindDecision.Rule;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeGuest;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RunnerHealthTest {
    private static final VmId VM = new VmId("neonvm", "default", "vm-a", "uid-a");
    private static final Resources SIZE = new Resources(1_000, 4L << 30);
    private static final ResizeGuest RESIZE = new ResizeGuest(VM, 1, SIZE);
    private static final RunnerAction.Request PERMIT = new RunnerAction.RequestPermit(
            1, new PermitRequest("node-a", "pod-a", "r", 1, 1, SIZE, SIZE, Optional.empty(), Optional.empty()));
    private static final RunnerAction.Request PATCH = new RunnerAction.PatchSize(
            1, new PatchVm(VM, "pod-a", SIZE, Revision.ZERO, "f", "g", Duration.ofSeconds(1)), SIZE);
    private static final RunnerAction.Request UPSCALE = new RunnerAction.UpscaleGuest(1, RESIZE, SIZE, "");
    private static final RunnerAction.Request DOWNSCALE = new RunnerAction.DownscaleGuest(1, RESIZE, SIZE, "");
    private static final RunnerEvent LOST = new RunnerEvent.RequestFailed(1, "no reply");
    private static final RunnerEvent DENIED = new RunnerEvent.GuestAnswered(1, new ResizeReply.Denied("no"));

    private final RunnerHealth health = new RunnerHealth(at(0));

    private static Instant at(long seconds) {
        return Instant.ofEpochSecond(seconds);
    }

    @BeforeEach
    void connect() {
        health.received(new RunnerEvent.MonitorAttached(1, new MonitorState(VM, 1, true, "")), at(1));
    }

    @Test
    void isWellAtFirst() {
        assertThat(health.stuck(at(1_000))).isEmpty();
        assertThat(health.deniedFor(at(1_000))).isZero();
    }

    @Test
    void aMonitorWithoutASessionIsSilentAfterTwentySeconds() {
        var lost = new RunnerEvent.MonitorChanged(new MonitorState(VM, 2, false, "gone"));
        health.received(lost, at(100));
        health.received(lost, at(115));
        assertThat(health.stuck(at(120))).isEmpty();
        assertThat(health.stuck(at(121))).containsExactly(MONITOR_SILENT);
        health.received(new RunnerEvent.MonitorChanged(new MonitorState(VM, 3, true, "")), at(130));
        assertThat(health.stuck(at(1_000))).isEmpty();

        assertThat(new RunnerHealth(at(0)).stuck(at(21))).containsExactly(MONITOR_SILENT);
    }

    @Test
    void aThirdFailedRequestToTheMonitorWithinTwoMinutesIsOneTooMany() {
        health.answered(UPSCALE, LOST, at(10));
        health.answered(DOWNSCALE, new RunnerEvent.GuestAnswered(1, new ResizeReply.Failed("crashed")), at(20));
        health.answered(DOWNSCALE, DENIED, at(25));
        assertThat(health.stuck(at(25))).isEmpty();
        health.answered(UPSCALE, LOST, at(30));
        assertThat(health.stuck(at(129))).containsExactly(MONITOR);
        assertThat(health.stuck(at(130))).isEmpty();
    }

    @Test
    void aCutPermitIsAFailedOneAndSixAreTooMany() {
        for (int second = 0; second < 5; second++) {
            health.answered(PERMIT, second % 2 == 0 ? LOST : ruled(1_000), at(second));
        }
        health.answered(PERMIT, ruled(2_000), at(5));
        assertThat(health.stuck(at(5))).isEmpty();
        health.answered(PERMIT, new RunnerEvent.PermitAnswered(1, new PermitReply.OpenAgain(0)), at(6));
        assertThat(health.stuck(at(7))).containsExactly(SCHEDULER);
    }

    @Test
    void aPatchFailsUnlessItIsApplied() {
        health.answered(PATCH, LOST, at(1));
        health.answered(PATCH, new RunnerEvent.PatchAnswered(1, new PatchReply.InDoubt("?")), at(2));
        health.answered(PATCH, new RunnerEvent.PatchAnswered(1, new PatchReply.Patched(7)), at(3));
        assertThat(health.stuck(at(3))).isEmpty();
        health.answered(PATCH, new RunnerEvent.PatchAnswered(1, new PatchReply.Refused(422, "no")), at(4));
        assertThat(health.stuck(at(4))).containsExactly(DRIVER);
    }

    @Test
    void aDenialLastsUntilTheGuestAgreesOrGetsNoMoreRequests() {
        health.answered(DOWNSCALE, DENIED, at(10));
        health.answered(DOWNSCALE, LOST, at(30));
        health.answered(DOWNSCALE, DENIED, at(60));
        assertThat(health.deniedFor(at(70))).isEqualTo(Duration.ofSeconds(60));
        assertThat(health.deniedFor(at(119))).isEqualTo(Duration.ofSeconds(109));
        assertThat(health.deniedFor(at(120))).isZero();
        health.answered(DOWNSCALE, DENIED, at(200));
        assertThat(health.deniedFor(at(210))).isEqualTo(Duration.ofSeconds(10));
        health.answered(UPSCALE, new RunnerEvent.GuestAnswered(1, new ResizeReply.Accepted("")), at(215));
        assertThat(health.deniedFor(at(220))).isEqualTo(Duration.ofSeconds(20));
        health.answered(DOWNSCALE, new RunnerEvent.GuestAnswered(1, new ResizeReply.Accepted("")), at(220));
        assertThat(health.deniedFor(at(221))).isZero();
    }

    /** A permit for this CPU where 2000 was requested. */
    private static RunnerEvent ruled(long milliCpu) {
        var memory = new KindDecision(Rule.GRANTED, 1, 1, 1, 1, 1, 1);
        var cpu = new KindDecision(Rule.CUT_TO_ROOM, 1_000, 2_000, milliCpu, 0, 0, 0);
        return new RunnerEvent.PermitAnswered(
                1, new PermitReply.Ruled(1, 1, SIZE, Duration.ofSeconds(1), false, cpu, memory));
    }
}
