package io.sluice.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.agent.core.metrics.MetricsReading;
import io.sluice.agent.core.revision.Latency;
import io.sluice.agent.core.runner.RunnerAction;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.agent.core.scaling.SystemMetrics;
import io.sluice.agent.core.status.VmPod;
import io.sluice.agent.metrics.AgentMetrics;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.monitor.ResizeGuest;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.monitor.UpscaleRequest;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.trace.CurrentSpan;
import io.sluice.trace.TraceSpan;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ResizeTraceTest {
    private static final VmId VM = new VmId("neonvm", "default", "vm-a", "uid-a");
    private static final VmPod POD = new VmPod(VM, "node-a", "pod-uid", "vm-a-0");
    private static final Resources SMALL = new Resources(1_000, 4L << 30);
    private static final Resources LARGE = new Resources(2_000, 8L << 30);
    private static final RunnerEvent SAMPLE =
            new RunnerEvent.Scraped(1, new MetricsReading.Read(new SystemMetrics(1, 1, 1, 0)));
    private static final RunnerAction.Request SCRAPE =
            new RunnerAction.Scrape(1, POD, new Endpoint("10.0.0.1", 9100, "/metrics"));
    private static final RunnerAction.Request PATCH = new RunnerAction.PatchSize(
            3, new PatchVm(VM, "vm-a-0", LARGE, Revision.ZERO, "f", "g", Duration.ofSeconds(1)), SMALL);
    private static final RunnerAction.Request GUEST =
            new RunnerAction.UpscaleGuest(4, new ResizeGuest(VM, 1, LARGE), SMALL, "");
    private static final List<Latency> SHOWN =
            List.of(new Latency(Latency.Stage.NEON_VM, Duration.ofSeconds(1), Revision.UP));

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<String> log = new ArrayList<>();
    private final WrittenTracer tracer = new WrittenTracer(log);
    private final ResizeTrace trace = new ResizeTrace(
            tracer, new AgentMetrics(new Shell(() -> at(0), meters, new Readiness(), new Random(1)), 1));

    private static Instant at(long millis) {
        return Instant.ofEpochMilli(1_000_000 + millis);
    }

    private static RunnerAction.Request permit(Resources last) {
        return new RunnerAction.RequestPermit(
                2,
                new PermitRequest("node-a", "pod-uid", "r", 1, 1, SMALL, LARGE, Optional.of(last), Optional.empty()));
    }

    private void sample(long sentAt, long arrivedAt) {
        trace.sent(POD, SCRAPE, at(sentAt));
        trace.received(SAMPLE, at(arrivedAt));
    }

    private double millis(String stage) {
        return meters.get("sluice.agent.stage").tag("stage", stage).timer().totalTime(TimeUnit.MILLISECONDS);
    }

    @Test
    void aResizeHasAllItsStagesFromTheScrapeOn() {
        sample(0, 10);
        trace.sent(POD, permit(SMALL), at(12));
        trace.stepped(List.of(), at(12));
        trace.answered(permit(SMALL), new RunnerEvent.RequestFailed(2, "no reply"), at(20));
        trace.sent(POD, PATCH, at(21));
        trace.answered(PATCH, new RunnerEvent.PatchAnswered(3, new PatchReply.Patched(7)), at(30));
        trace.sent(POD, GUEST, at(31));
        trace.answered(GUEST, new RunnerEvent.GuestAnswered(4, new ResizeReply.Accepted("fine")), at(35));
        trace.stepped(List.of(), at(35));
        trace.stepped(SHOWN, at(80));

        assertThat(log)
                .containsExactly(
                        "begin vm.resize 12 ms ago",
                        "begin vm.resize/sample 12 ms ago",
                        "end vm.resize/sample 2 ms ago",
                        "begin vm.resize/goal 2 ms ago",
                        "end vm.resize/goal",
                        "begin vm.resize/permit",
                        "vm.resize/permit lost",
                        "vm.resize/permit failed: no reply",
                        "end vm.resize/permit",
                        "begin vm.resize/patch",
                        "vm.resize/patch patched",
                        "end vm.resize/patch",
                        "begin vm.resize/status",
                        "begin vm.resize/guest",
                        "vm.resize/guest accepted",
                        "end vm.resize/guest",
                        "end vm.resize/status",
                        "end vm.resize");
        assertThat(List.of("sample", "goal", "permit", "patch", "status", "guest"))
                .map(this::millis)
                .containsExactly(10.0, 2.0, 8.0, 9.0, 50.0, 4.0);
        assertThat(trace.span()).isSameAs(TraceSpan.NONE);
    }

    @Test
    void aPermitThatIsOnlyRenewedIsNoResize() {
        sample(0, 10);
        assertThat(trace.sent(POD, permit(LARGE), at(12))).isSameAs(TraceSpan.NONE);
        trace.answered(permit(LARGE), new RunnerEvent.RequestFailed(2, "no reply"), at(20));
        trace.stepped(List.of(), at(20));
        assertThat(log).isEmpty();
        assertThat(millis("permit")).isZero();
    }

    @Test
    void anUpscaleRequestIsTheBeginWhereItsSenderRecordsATrace() {
        var upscale = new RunnerEvent.UpscaleRequested(new UpscaleRequest(VM, 1));
        CurrentSpan.during(tracer.span("guest"), () -> trace.received(upscale, at(0)));
        trace.sent(POD, permit(SMALL), at(1));
        assertThat(log)
                .containsExactly(
                        "begin guest/vm.resize 1 ms ago",
                        "begin guest/vm.resize/goal 1 ms ago",
                        "end guest/vm.resize/goal",
                        "begin guest/vm.resize/permit");
    }

    @Test
    void aResizeWithoutItsStatusEndsAfterAMinute() {
        sample(0, 10);
        trace.sent(POD, PATCH, at(12));
        trace.answered(PATCH, new RunnerEvent.PatchAnswered(3, new PatchReply.Patched(7)), at(30));
        trace.stepped(List.of(), at(60_012));
        assertThat(log).doesNotContain("end vm.resize");
        trace.stepped(List.of(), at(60_013));
        assertThat(log).endsWith("vm.resize/status unknown", "end vm.resize/status", "end vm.resize");
        assertThat(millis("status")).isZero();
    }

    @Test
    void aRunnerThatEndsLeavesNoSpanOpen() {
        sample(0, 10);
        trace.sent(POD, permit(SMALL), at(12));
        trace.end();
        assertThat(log).endsWith("vm.resize/permit unknown", "end vm.resize/permit", "end vm.resize");
        trace.answered(permit(SMALL), new RunnerEvent.RequestFailed(2, "no reply"), at(20));
        assertThat(log).last().isEqualTo("end vm.resize");
    }
}
