package io.sluice.agent;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.agent.core.runner.RunnerAction;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.messages.agent.ScalingNoted;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.messages.ledger.RefusalCause;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.vm.PatchReply;
import io.sluice.units.Resources;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * What runners ask and are answered, under the names that Neon's agent counts it by, so that dashboards made for that
 * one go on working. Answers of the ledger are counted by the HTTP status that stands for them.
 */
final class ReferenceMetrics {
    private static final String AGENT = "autoscaling_agent_";
    private static final String OK = "ok";

    private final MeterRegistry meters;
    private final ResizeMetrics ledgerAsked;
    private final ResizeMetrics ledgerGave;
    private final ResizeMetrics monitorAsked;
    private final ResizeMetrics monitorGave;
    private final ResizeMetrics driverAsked;
    private final Counter deniedUp;
    private final Counter deniedDown;
    private final Counter approvedInPart;
    private final Map<ScalingNoted.Kind, Counter> noted = new EnumMap<>(ScalingNoted.Kind.class);

    ReferenceMetrics(MeterRegistry meters) {
        this.meters = meters;
        ledgerAsked = changes("scheduler_plugin_requested_", "mem_change_total", "Asked of the ledger");
        ledgerGave = changes("scheduler_plugin_accepted_", "mem_change_total", "Granted by the ledger");
        monitorAsked = changes("monitor_requested_", "mem_change_total", "Told to, or asked of, monitors");
        monitorGave = changes("monitor_approved_", "mem_change_total", "Taken in, or given back, by monitors");
        driverAsked = changes("neonvm_requested_", "mem_changed_total", "Asked of the VMs' driver");
        var denials = AGENT + "scaling_full_denials_total";
        var denied = "Questions to the ledger of which nothing was granted (inc), and vetoes of monitors (dec)";
        deniedUp = ResizeMetrics.counter(meters, denials, denied, ResizeMetrics.UP);
        deniedDown = ResizeMetrics.counter(meters, denials, denied, ResizeMetrics.DOWN);
        var partial = AGENT + "scaling_partial_approvals_total";
        var inPart = "Questions of which some, but not all, was granted";
        approvedInPart = ResizeMetrics.counter(meters, partial, inPart, ResizeMetrics.UP);
        ResizeMetrics.counter(meters, partial, inPart, ResizeMetrics.DOWN);
        for (var kind : ScalingNoted.Kind.values()) {
            noted.put(kind, notes(kind));
        }
    }

    private Counter notes(ScalingNoted.Kind kind) {
        return Counter.builder(AGENT + "scaling_events_total")
                .description("Scaling that was noted for whoever keeps books of it: sizes given, and asked for")
                .tag("kind", kind.name().toLowerCase(Locale.ROOT))
                .register(meters);
    }

    private ResizeMetrics changes(String prefix, String memory, String what) {
        return new ResizeMetrics(meters, AGENT + prefix + "cpu_change_total", AGENT + prefix + memory, what);
    }

    /** A request is being sent. */
    void asked(RunnerAction.Request request) {
        switch (request) {
            case RunnerAction.RequestPermit(var _, var question) ->
                question.lastPermit().ifPresent(last -> ledgerAsked.record(last, question.target()));
            case RunnerAction.PatchSize(var _, var question, var from) -> driverAsked.record(from, question.target());
            case RunnerAction.UpscaleGuest(var _, var question, var from, var _) ->
                monitorAsked.record(from, question.target());
            case RunnerAction.DownscaleGuest(var _, var question, var from, var _) ->
                monitorAsked.record(from, question.target());
            case RunnerAction.OpenLedgerSession _, RunnerAction.ClaimFence _ -> {}
            case RunnerAction.AttachToMonitor _, RunnerAction.Scrape _, RunnerAction.ScrapeLfc _ -> {}
        }
    }

    /** A request was answered, or lost. */
    void answered(RunnerAction.Request request, RunnerEvent event) {
        switch (request) {
            case RunnerAction.RequestPermit(var _, var question) -> permit(question, event);
            case RunnerAction.PatchSize _ -> driver(result(event));
            case RunnerAction.UpscaleGuest(var _, var question, var from, var _) ->
                guest(true, from, question.target(), event);
            case RunnerAction.DownscaleGuest(var _, var question, var from, var _) ->
                guest(false, from, question.target(), event);
            case RunnerAction.OpenLedgerSession _, RunnerAction.ClaimFence _ -> {}
            case RunnerAction.AttachToMonitor _, RunnerAction.Scrape _, RunnerAction.ScrapeLfc _ -> {}
        }
    }

    /** A VM is being given a size, or its metrics ask for one. */
    void noted(ScalingNoted.Kind kind) {
        noted.get(kind).increment();
    }

    /** A monitor cried for memory. */
    void cried() {
        Counter.builder(AGENT + "monitor_inbound_requests_total")
                .description("What monitors asked, by their name for it")
                .tag("endpoint", "UpscaleRequest")
                .tag("code", OK)
                .register(meters)
                .increment();
    }

    private void permit(PermitRequest question, RunnerEvent event) {
        Counter.builder(AGENT + "scheduler_plugin_requests_total")
                .description("Questions to the ledger, by the HTTP status that stands for the answer")
                .tag("code", event instanceof RunnerEvent.PermitAnswered(var _, var reply) ? code(reply) : lost())
                .register(meters)
                .increment();
        if (event instanceof RunnerEvent.PermitAnswered(var _, PermitReply.Ruled ruled)) {
            ruled(question, ruled);
        }
    }

    private void ruled(PermitRequest question, PermitReply.Ruled ruled) {
        var before = question.lastPermit()
                .orElseGet(
                        () -> new Resources(ruled.cpu().before(), ruled.memory().before()));
        ledgerGave.record(before, ruled.permit());
        if (question.target().exceeds(ruled.permit())) {
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
            case PermitReply.Refused(var cause) -> cause == RefusalCause.MEMBER_UNKNOWN ? "404" : "400";
        };
    }

    private void driver(String result) {
        Counter.builder(AGENT + "neonvm_outbound_requests_total")
                .description("Patches of VMs, by what became of them")
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
                .description("What was told to, and asked of, monitors, by their name for it")
                .tag("endpoint", up ? "UpscaleNotification" : "DownscaleRequest")
                .tag("code", code)
                .register(meters)
                .increment();
    }
}
