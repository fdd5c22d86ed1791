package io.sluice.agent;

import io.sluice.agent.core.revision.Latency;
import io.sluice.agent.core.runner.RunnerAction;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.agent.core.status.VmPod;
import io.sluice.agent.metrics.AgentMetrics;
import io.sluice.agent.metrics.ResizeStage;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.vm.PatchReply;
import io.sluice.trace.CurrentSpan;
import io.sluice.trace.TraceSpan;
import io.sluice.trace.Tracer;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Follows one VM's resize through its stages, from the sample or upscale request that caused it to the notification of
 * its guest: it times them, and records them as one trace. A permit that is only renewed is no resize.
 */
final class ResizeTrace {
    /** A resize that waits longer is recorded as far as it came; what follows is another one. */
    private static final Duration RESIZE_MAX = Duration.ofMinutes(1);

    private final Tracer tracer;
    private final AgentMetrics metrics;
    private final Map<Long, Stage> underWay = new HashMap<>();
    private Optional<Instant> scrapedAt = Optional.empty();
    private Optional<Cause> cause = Optional.empty();
    private Optional<Resize> resize = Optional.empty();
    private Optional<Stage> status = Optional.empty();

    /** What may come to change the VM's goal: begun by its sender, and received. */
    private record Cause(TraceSpan parent, Instant begunAt, Instant at, boolean sampled) {}

    private record Resize(TraceSpan span, Instant since) {}

    private record Stage(ResizeStage kind, TraceSpan span, Instant since) {}

    ResizeTrace(Tracer tracer, AgentMetrics metrics) {
        this.tracer = tracer;
        this.metrics = metrics;
    }

    /** The runner receives an event. */
    void received(RunnerEvent event, Instant now) {
        switch (event) {
            case RunnerEvent.Scraped _ ->
                cause = Optional.of(new Cause(TraceSpan.NONE, scrapedAt.orElse(now), now, true));
            case RunnerEvent.UpscaleRequested _ -> cause = Optional.of(new Cause(CurrentSpan.get(), now, now, false));
            default -> {}
        }
    }

    /** The runner sends a request; returns the span that it is sent for. */
    TraceSpan sent(VmPod pod, RunnerAction.Request request, Instant now) {
        if (request instanceof RunnerAction.Scrape) {
            scrapedAt = Optional.of(now);
        }
        var kind = kind(request);
        if (kind.isEmpty() || resize.isEmpty() && isRenewal(request)) {
            return TraceSpan.NONE;
        }
        var span = resizing(pod, now).child(kind.get().label(), TraceSpan.Kind.CLIENT);
        if (span.isRecorded()) {
            describe(span, request);
        }
        underWay.put(request.number(), new Stage(kind.get(), span, now));
        return span;
    }

    /** The reply to a request, or its loss. */
    void answered(RunnerAction.Request request, RunnerEvent event, Instant now) {
        var stage = underWay.remove(request.number());
        if (stage == null) {
            return;
        }
        if (stage.span().isRecorded()) {
            describe(stage.span(), event);
        }
        ended(stage, now);
        if (event instanceof RunnerEvent.PatchAnswered(var _, PatchReply.Patched _)) {
            status.ifPresent(earlier -> earlier.span().end());
            var span = span().child(ResizeStage.STATUS.label(), TraceSpan.Kind.INTERNAL);
            status = Optional.of(new Stage(ResizeStage.STATUS, span, now));
        }
    }

    /** The runner has handled an event, and its requests are sent. */
    void stepped(List<Latency> latencies, Instant now) {
        if (latencies.stream().anyMatch(latency -> latency.stage() == Latency.Stage.NEON_VM)) {
            status.ifPresent(shown -> ended(shown, now));
            status = Optional.empty();
        }
        boolean tooLong =
                resize.filter(it -> it.since().plus(RESIZE_MAX).isBefore(now)).isPresent();
        if (underWay.isEmpty() && (status.isEmpty() || tooLong)) {
            end();
        }
    }

    /** Records what has happened so far; the runner ended. */
    void end() {
        underWay.values().forEach(stage -> stage.span().outcome("unknown").end());
        underWay.clear();
        status.ifPresent(stage -> stage.span().outcome("unknown").end());
        status = Optional.empty();
        resize.ifPresent(it -> it.span().end());
        resize = Optional.empty();
    }

    private TraceSpan resizing(VmPod pod, Instant now) {
        if (resize.isEmpty()) {
            resize = Optional.of(begin(pod, now));
        }
        return span();
    }

    /** The span of the resize under way. */
    TraceSpan span() {
        return resize.map(Resize::span).orElse(TraceSpan.NONE);
    }

    private Resize begin(VmPod pod, Instant now) {
        var why = cause.orElse(new Cause(TraceSpan.NONE, now, now, false));
        cause = Optional.empty();
        var ago = Duration.between(why.begunAt(), now);
        var span = why.parent().isRecorded()
                ? why.parent().child("vm.resize", TraceSpan.Kind.INTERNAL, ago)
                : tracer.begin("vm.resize", TraceSpan.Kind.INTERNAL, ago);
        if (span.isRecorded()) {
            span.of(pod.vm().label()).on(pod.node());
        }
        var decidedAfter = Duration.between(why.at(), now);
        if (why.sampled()) {
            var sample = span.child(ResizeStage.SAMPLE.label(), TraceSpan.Kind.CLIENT, ago);
            sample.end(decidedAfter);
            took(ResizeStage.SAMPLE, sample, Duration.between(why.begunAt(), why.at()));
        }
        var goal = span.child(ResizeStage.GOAL.label(), TraceSpan.Kind.INTERNAL, decidedAfter);
        goal.end();
        took(ResizeStage.GOAL, goal, decidedAfter);
        return new Resize(span, now);
    }

    private void ended(Stage stage, Instant now) {
        stage.span().end();
        took(stage.kind(), stage.span(), Duration.between(stage.since(), now));
    }

    /** With the span as its exemplar. */
    private void took(ResizeStage stage, TraceSpan span, Duration duration) {
        CurrentSpan.during(span, () -> metrics.took(stage, duration));
    }

    private static boolean isRenewal(RunnerAction.Request request) {
        return request instanceof RunnerAction.RequestPermit(var _, PermitRequest permit)
                && permit.lastPermit().filter(permit.target()::equals).isPresent();
    }

    private static Optional<ResizeStage> kind(RunnerAction.Request request) {
        return switch (request) {
            case RunnerAction.RequestPermit _ -> Optional.of(ResizeStage.PERMIT);
            case RunnerAction.PatchSize _ -> Optional.of(ResizeStage.PATCH);
            case RunnerAction.UpscaleGuest _, RunnerAction.DownscaleGuest _ -> Optional.of(ResizeStage.GUEST);
            case RunnerAction.OpenLedgerSession _, RunnerAction.ClaimFence _ -> Optional.empty();
            case RunnerAction.AttachToMonitor _, RunnerAction.Scrape _, RunnerAction.ScrapeLfc _ -> Optional.empty();
        };
    }

    private static void describe(TraceSpan span, RunnerAction.Request request) {
        switch (request) {
            case RunnerAction.RequestPermit(var _, var permit) -> {
                permit.lastPermit().ifPresent(last -> span.amount("before", last));
                span.amount("requested", permit.target());
            }
            case RunnerAction.PatchSize(var _, var patch, var from) -> resize(span, from, patch.target());
            case RunnerAction.UpscaleGuest(var _, var guest, var from, var _) -> resize(span, from, guest.target());
            case RunnerAction.DownscaleGuest(var _, var guest, var from, var _) -> resize(span, from, guest.target());
            default -> {}
        }
    }

    private static void resize(TraceSpan span, Resources from, Resources to) {
        span.amount("before", from).amount("requested", to);
    }

    private static void describe(TraceSpan span, RunnerEvent event) {
        switch (event) {
            case RunnerEvent.PermitAnswered(var _, var reply) -> {
                if (reply instanceof PermitReply.Ruled ruled) {
                    span.amount("granted", ruled.permit());
                }
                span.outcome(reply.word());
            }
            case RunnerEvent.PatchAnswered(var _, var reply) -> span.outcome(reply.word());
            case RunnerEvent.GuestAnswered(var _, var reply) -> span.outcome(reply.word());
            case RunnerEvent.RequestFailed(var _, var reason) ->
                span.outcome("lost").failed(reason);
            default -> {}
        }
    }
}
