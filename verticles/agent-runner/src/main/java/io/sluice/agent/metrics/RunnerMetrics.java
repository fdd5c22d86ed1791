package io.sluice.agent.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sluice.agent.core.runner.RunnerAction;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.agent.core.runner.RunnerState.Stage;
import io.sluice.agent.core.runner.StopReason;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.units.VmId;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;
import java.util.stream.LongStream;

/** The agent's metrics. Runners are counted by stage from their current state, not by increments and decrements. */
final class RunnerMetrics {
    private static final String OUTCOME = "outcome";
    private static final List<String> OUTCOMES = List.of("patched", "conflict", "refused", "in_doubt");
    private static final List<String> REQUESTS =
            List.of("open", "claim", "permit", "patch", "upscale", "downscale", "attach", "scrape", "scrape_lfc");
    /** The buckets of all histograms of a resize. */
    static final Duration[] BUCKETS = LongStream.of(1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final MeterRegistry meters;
    private final Map<VmId, Stage> stages = new ConcurrentHashMap<>();
    private final Map<VmId, Goals> goals = new ConcurrentHashMap<>();
    private final AtomicInteger elsewhere = new AtomicInteger();
    private volatile Map<Waiting, Integer> waiting = Map.of();
    private final Counter permitRequests;
    private final Counter denied;
    private final Counter deniedDownscales;
    private final Counter upscaleRequests;
    private final Timer reaction;

    private record Goals(int inForce, int shadow) {}

    /**
     * Counters of failures are registered at zero: if a series begins with its first event, no rate shows that event.
     */
    RunnerMetrics(MeterRegistry meters) {
        this.meters = meters;
        Gauge.builder("sluice.agent.vms.elsewhere", elsewhere, AtomicInteger::get)
                .description("VMs that were observed, and are assigned to another process")
                .register(meters);
        goals("in_force", Goals::inForce);
        goals("shadow", Goals::shadow);
        for (var cause : Waiting.values()) {
            Gauge.builder("sluice.agent.vms.waiting", () -> waiting.getOrDefault(cause, 0))
                    .description("VMs by what they wait for to get their desired size")
                    .tag("cause", lower(cause.name()))
                    .register(meters);
        }
        for (var stage : Stage.values()) {
            Gauge.builder("sluice.agent.runners", () -> inStage(stage))
                    .description("Runners by stage")
                    .tag("stage", lower(stage.name()))
                    .register(meters);
        }
        permitRequests = counter("sluice.agent.permits.requested", "Permit requests");
        denied = counter("sluice.agent.permits.denied", "Permit requests that were granted less than they requested");
        deniedDownscales = counter("sluice.agent.downscales.denied", "Downscales that monitors denied");
        upscaleRequests = counter("sluice.agent.upscale.requests", "Upscale requests of monitors");
        reaction = Timer.builder("sluice.agent.reaction")
                .description("From the sample or upscale request that raised a goal to the acknowledged patch")
                .serviceLevelObjectives(BUCKETS)
                .register(meters);
        for (var reason : StopReason.values()) {
            restarts(lower(reason.name()));
        }
        restarts("fault");
        OUTCOMES.forEach(this::patches);
        REQUESTS.forEach(this::requestsLost);
    }

    public void elsewhere(int vms) {
        elsewhere.set(vms);
    }

    /** Sets the number of VMs by what they wait for. */
    public void waiting(Map<Waiting, Integer> vms) {
        waiting = vms;
    }

    private void goals(String policy, ToIntFunction<Goals> goal) {
        Gauge.builder(
                        "sluice.agent.goals",
                        () -> goals.values().stream().mapToInt(goal).sum())
                .description("The goals of all VMs in compute units, by the policy in force and the one beside it")
                .tag("policy", policy)
                .register(meters);
    }

    public void goals(VmId vm, int inForce, int shadow) {
        goals.put(vm, new Goals(inForce, shadow));
    }

    public void stage(VmId vm, Stage stage) {
        stages.put(vm, stage);
    }

    public void left(VmId vm) {
        stages.remove(vm);
        goals.remove(vm);
    }

    public void restarted(String cause) {
        restarts(lower(cause)).increment();
    }

    private Counter restarts(String cause) {
        return Counter.builder("sluice.agent.restarts")
                .description("Runners that were followed by another")
                .tag("cause", cause)
                .register(meters);
    }

    public void count(RunnerAction.Request request) {
        if (request instanceof RunnerAction.RequestPermit) {
            permitRequests.increment();
        }
    }

    public void lost(RunnerAction.Request request) {
        requestsLost(kind(request)).increment();
    }

    private Counter requestsLost(String kind) {
        return Counter.builder("sluice.agent.requests.lost")
                .description("Requests that brought no reply")
                .tag("request", kind)
                .register(meters);
    }

    private static String kind(RunnerAction.Request request) {
        return switch (request) {
            case RunnerAction.OpenLedgerSession _ -> "open";
            case RunnerAction.ClaimFence _ -> "claim";
            case RunnerAction.RequestPermit _ -> "permit";
            case RunnerAction.PatchSize _ -> "patch";
            case RunnerAction.UpscaleGuest _ -> "upscale";
            case RunnerAction.DownscaleGuest _ -> "downscale";
            case RunnerAction.AttachToMonitor _ -> "attach";
            case RunnerAction.Scrape _ -> "scrape";
            case RunnerAction.ScrapeLfc _ -> "scrape_lfc";
        };
    }

    public void count(Decision decision) {
        decision.reaction().ifPresent(reaction::record);
    }

    /** Counts each event, also repeats that are not reported. */
    public void count(RunnerEvent event) {
        switch (event) {
            case RunnerEvent.PermitAnswered(var _, PermitReply.Ruled ruled) when ruled.isShort() -> denied.increment();
            case RunnerEvent.PatchAnswered(var _, var reply) ->
                patches(reply.word()).increment();
            case RunnerEvent.GuestAnswered(var _, ResizeReply.Denied _) -> deniedDownscales.increment();
            case RunnerEvent.UpscaleRequested _ -> upscaleRequests.increment();
            case RunnerEvent.PermitAnswered _, RunnerEvent.GuestAnswered _ -> {}
            case RunnerEvent.Scraped _, RunnerEvent.LfcScraped _, RunnerEvent.SampleAvailable _ -> {}
            case RunnerEvent.Started _, RunnerEvent.Woken _, RunnerEvent.VmChanged _, RunnerEvent.VmDeleted _ -> {}
            case RunnerEvent.HandedOver _, RunnerEvent.MonitorMoved _ -> {}
            case RunnerEvent.SessionAnswered _, RunnerEvent.ClaimAnswered _ -> {}
            case RunnerEvent.MonitorAttached _, RunnerEvent.MonitorChanged _, RunnerEvent.RequestFailed _ -> {}
        }
    }

    private Counter patches(String outcome) {
        return Counter.builder("sluice.agent.patches")
                .description("Patches by outcome")
                .tag(OUTCOME, outcome)
                .register(meters);
    }

    private double inStage(Stage stage) {
        return stages.values().stream().filter(stage::equals).count();
    }

    private Counter counter(String name, String description) {
        return Counter.builder(name).description(description).register(meters);
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
