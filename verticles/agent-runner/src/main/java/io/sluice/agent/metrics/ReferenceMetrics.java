package io.sluice.agent.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.agent.core.runner.RunnerAction;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.messages.agent.ScalingRecorded;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.ledger.permit.RefusalCause;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.vm.PatchReply;
import io.sluice.units.Resources;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * Requests of runners and their replies, under the names of Neon's agent, so that dashboards made for it keep working.
 * Replies of the ledger are counted by the HTTP status that stands for them.
 */
final class ReferenceMetrics {
    private static final String AGENT = "autoscaling_agent_";
    private static final String OK = "ok";

    private final MeterRegistry meters;
    private final ResizeMetrics ledgerRequests;
    private final ResizeMetrics ledgerGave;
    private final ResizeMetrics monitorRequests;
    private final ResizeMetrics monitorGave;
    private final ResizeMetrics driverRequests;
    private final Counter deniedUp;
    private final Counter deniedDown;
    private final Counter approvedInPart;
    private final Map<ScalingRecorded.Kind, Counter> recorded = new EnumMap<>(ScalingRecorded.Kind.class);

    ReferenceMetrics(MeterRegistry meters) {
        this.meters = meters;
        ledgerRequests = changes("scheduler_plugin_requested_", "mem_change_total", "Requested from the ledger");
        ledgerGave = changes("scheduler_plugin_accepted_", "mem_change_total", "Granted by the ledger");
        monitorRequests = changes("monitor_requested_", "mem_change_total", "Requested from monitors");
        monitorGave = changes("monitor_approved_", "mem_change_total", "Accepted by monitors");
        driverRequests = changes("neonvm_requested_", "mem_changed_total", "Requested from the VMs' driver");
        var denials = AGENT + "scaling_full_denials_total";
        var denied = "Permit requests of which nothing was granted (inc), and downscales that monitors denied (dec)";
        deniedUp = ResizeMetrics.counter(meters, denials, denied, ResizeMetrics.UP);
        deniedDown = ResizeMetrics.counter(meters, denials, denied, ResizeMetrics.DOWN);
        var partial = AGENT + "scaling_partial_approvals_total";
        var inPart = "Permit requests of which some, but not all, was granted";
        approvedInPart = ResizeMetrics.counter(meters, partial, inPart, ResizeMetrics.UP);
        ResizeMetrics.counter(meters, partial, inPart, ResizeMetrics.DOWN);
        for (var kind : ScalingRecorded.Kind.values()) {
            recorded.put(kind, records(kind));
        }
    }

    private Counter records(ScalingRecorded.Kind kind) {
        return Counter.builder(AGENT + "scaling_events_total")
                .description("Scaling events for external records: sizes patched, and goals before bounds")
                .tag("kind", kind.name().toLowerCase(Locale.ROOT))
                .register(meters);
    }

    private ResizeMetrics changes(String prefix, String memory, String what) {
        return new ResizeMetrics(meters, AGENT + prefix + "cpu_change_total", AGENT + prefix + memory, what);
    }

    /** A request is sent. */
    public void requested(RunnerAction.Request request) {
        switch (request) {
            case RunnerAction.RequestPermit(var _, var permitRequest) ->
                permitRequest.lastPermit().ifPresent(last -> ledgerRequests.record(last, permitRequest.target()));
            case RunnerAction.PatchSize(var _, var patch, var from) -> driverRequests.record(from, patch.target());
            case RunnerAction.UpscaleGuest(var _, var resize, var from, var _) ->
                monitorRequests.record(from, resize.target());
            case RunnerAction.DownscaleGuest(var _, var resize, var from, var _) ->
                monitorRequests.record(from, resize.target());
            case RunnerAction.OpenLedgerSession _, RunnerAction.ClaimFence _ -> {}
            case RunnerAction.AttachToMonitor _, RunnerAction.Scrape _, RunnerAction.ScrapeLfc _ -> {}
        }
    }

    /** A reply arrived, or the request was lost. */
    public void answered(RunnerAction.Request request, RunnerEvent event) {
        switch (request) {
            case RunnerAction.RequestPermit(var _, var permitRequest) -> permit(permitRequest, event);
            case RunnerAction.PatchSize _ -> driver(result(event));
            case RunnerAction.UpscaleGuest(var _, var resize, var from, var _) ->
                guest(true, from, resize.target(), event);
            case RunnerAction.DownscaleGuest(var _, var resize, var from, var _) ->
                guest(false, from, resize.target(), event);
            case RunnerAction.OpenLedgerSession _, RunnerAction.ClaimFence _ -> {}
            case RunnerAction.AttachToMonitor _, RunnerAction.Scrape _, RunnerAction.ScrapeLfc _ -> {}
        }
    }

    /** A VM is patched, or its metrics ask for a size. */
    public void recorded(ScalingRecorded.Kind kind) {
        recorded.get(kind).increment();
    }

    /** A monitor sent an upscale request. */
    public void upscaleRequested() {
        Counter.builder(AGENT + "monitor_inbound_requests_total")
                .description("Requests of monitors, by the name of the protocol")
                .tag("endpoint", "UpscaleRequest")
                .tag("code", OK)
                .register(meters)
                .increment();
    }

    private void permit(PermitRequest request, RunnerEvent event) {
        Counter.builder(AGENT + "scheduler_plugin_requests_total")
                .description("Permit requests, by the HTTP status that stands for the reply")
                .tag("code", event instanceof RunnerEvent.PermitAnswered(var _, var reply) ? code(reply) : lost())
                .register(meters)
                .increment();
        if (event instanceof RunnerEvent.PermitAnswered(var _, PermitReply.Ruled ruled)) {
            ruled(request, ruled);
        }
    }

    private void ruled(PermitRequest request, PermitReply.Ruled ruled) {
        var before = request.lastPermit()
                .orElseGet(
                        () -> new Resources(ruled.cpu().before(), ruled.memory().before()));
        ledgerGave.record(before, ruled.permit());
        if (request.target().exceeds(ruled.permit())) {
            (ruled.permit().exceeds(before) ? approvedInPart : deniedUp).increment();
        }
    }

    private static String lost() {
        return "[error doing request: no answer]";
    }

    private static String code(PermitReply reply) {
        return switch (reply) {
            case PermitReply.Ruled _, PermitReply.Late _ -> "200";
            case PermitReply.Superseded _, PermitReply.OpenAgain _ -> "409";
            case PermitReply.NotReady _ -> "503";
            case PermitReply.SeqReused _ -> "400";
            case PermitReply.Refused(var cause) -> cause == RefusalCause.POD_UNKNOWN ? "404" : "400";
        };
    }

    private void driver(String result) {
        Counter.builder(AGENT + "neonvm_outbound_requests_total")
                .description("Patches of VMs, by their outcome")
                .tag("result", result)
                .register(meters)
                .increment();
    }

    private static String result(RunnerEvent event) {
        return event instanceof RunnerEvent.PatchAnswered(var _, var reply)
                ? switch (reply) {
                    case PatchReply.Patched _ -> OK;
                    case PatchReply.Conflict _ -> "[error: the fence is another's]";
                    case PatchReply.Refused _ -> "[error: refused]";
                    case PatchReply.InDoubt _ -> "[error: in doubt]";
                }
                : "[error: no answer]";
    }

    private void guest(boolean up, Resources from, Resources to, RunnerEvent event) {
        var answer = event instanceof RunnerEvent.GuestAnswered(var _, var reply) ? reply : new ResizeReply.Failed("");
        var code = switch (answer) {
            case ResizeReply.Accepted _ -> {
                monitorGave.record(from, to);
                yield OK;
            }
            case ResizeReply.Denied _ -> {
                deniedDown.increment();
                yield OK;
            }
            case ResizeReply.Failed _ -> "[error: failed]";
        };
        Counter.builder(AGENT + "monitor_outbound_requests_total")
                .description("Requests to monitors, by the name of the protocol")
                .tag("endpoint", up ? "UpscaleNotification" : "DownscaleRequest")
                .tag("code", code)
                .register(meters)
                .increment();
    }
}
