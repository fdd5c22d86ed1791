package io.sluice.agent;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sluice.agent.core.metrics.MetricsReading;
import io.sluice.agent.core.runner.RunnerAction;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.agent.core.runner.RunnerState.Stage;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.vm.PatchReply;
import io.sluice.units.VmId;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;

/** The agent's metrics. Runners are counted by stage from what each says of itself, never added up and down. */
final class RunnerMeters {
    private static final String OUTCOME = "outcome";
    private static final Duration[] BUCKETS = LongStream.of(
                    1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final MeterRegistry meters;
    private final Map<VmId, Stage> stages = new ConcurrentHashMap<>();
    private final Counter asked;
    private final Counter denied;
    private final Counter vetoes;
    private final Counter cries;
    private final Counter scrapesFailed;
    private final Timer reaction;

    RunnerMeters(MeterRegistry meters) {
        this.meters = meters;
        for (var stage : Stage.values()) {
            Gauge.builder("sluice.agent.runners", () -> inStage(stage))
                    .description("Runners by how far they have come")
                    .tag("stage", lower(stage.name()))
                    .register(meters);
        }
        asked = counter("sluice.agent.permits.asked", "Questions to the ledger");
        denied = counter("sluice.agent.permits.denied", "Questions that were granted less than they asked");
        vetoes = counter("sluice.agent.vetoes", "Downscales that monitors refused");
        cries = counter("sluice.agent.cries", "Monitors' cries for memory");
        scrapesFailed = counter("sluice.agent.scrapes.failed", "Scrapes that brought no text, or one that is no good");
        reaction = Timer.builder("sluice.agent.reaction")
                .description("From the sample or cry that raised a goal to the acknowledged patch")
                .serviceLevelObjectives(BUCKETS)
                .register(meters);
    }

    void stage(VmId vm, Stage stage) {
        stages.put(vm, stage);
    }

    void left(VmId vm) {
        stages.remove(vm);
    }

    void restarted(String cause) {
        Counter.builder("sluice.agent.restarts")
                .description("Runners that were followed by another")
                .tag("cause", lower(cause))
                .register(meters)
                .increment();
    }

    void count(RunnerAction.Request request) {
        if (request instanceof RunnerAction.AskPermit) {
            asked.increment();
        }
    }

    void lost(RunnerAction.Request request) {
        if (request instanceof RunnerAction.Scrape) {
            scrapesFailed.increment();
        }
        Counter.builder("sluice.agent.requests.lost")
                .description("Requests that brought no answer")
                .tag("request", kind(request))
                .register(meters)
                .increment();
    }

    private static String kind(RunnerAction.Request request) {
        return switch (request) {
            case RunnerAction.OpenLedgerSession _ -> "open";
            case RunnerAction.ClaimFence _ -> "claim";
            case RunnerAction.AskPermit _ -> "permit";
            case RunnerAction.PatchSize _ -> "patch";
            case RunnerAction.TellGuest _ -> "upscale";
            case RunnerAction.AskGuest _ -> "downscale";
            case RunnerAction.AttachToMonitor _ -> "attach";
            case RunnerAction.Scrape _ -> "scrape";
        };
    }

    void count(Decision decision) {
        decision.reaction().ifPresent(reaction::record);
    }

    /** Each is counted, also where repeats of it are not reported. */
    void count(RunnerEvent event) {
        switch (event) {
            case RunnerEvent.PermitAnswered(var _, PermitReply.Ruled ruled) when shortOf(ruled) -> denied.increment();
            case RunnerEvent.PatchAnswered(var _, var reply) -> patched(outcome(reply));
            case RunnerEvent.GuestAnswered(var _, ResizeReply.Vetoed _) -> vetoes.increment();
            case RunnerEvent.MemoryCried _ -> cries.increment();
            case RunnerEvent.Scraped(var _, MetricsReading.Rejected _) -> scrapesFailed.increment();
            case RunnerEvent.PermitAnswered _, RunnerEvent.GuestAnswered _, RunnerEvent.Scraped _ -> {}
            case RunnerEvent.Started _, RunnerEvent.Woken _, RunnerEvent.VmChanged _, RunnerEvent.VmDeleted _ -> {}
            case RunnerEvent.SessionAnswered _, RunnerEvent.ClaimAnswered _ -> {}
            case RunnerEvent.MonitorAttached _, RunnerEvent.MonitorChanged _, RunnerEvent.RequestLost _ -> {}
        }
    }

    private void patched(String outcome) {
        Counter.builder("sluice.agent.patches")
                .description("Patches by how they ended")
                .tag(OUTCOME, outcome)
                .register(meters)
                .increment();
    }

    private static boolean shortOf(PermitReply.Ruled ruled) {
        return ruled.cpu().shortBy() > 0 || ruled.memory().shortBy() > 0;
    }

    private static String outcome(PatchReply reply) {
        return switch (reply) {
            case PatchReply.Patched _ -> "patched";
            case PatchReply.Conflict _ -> "conflict";
            case PatchReply.Refused _ -> "refused";
            case PatchReply.InDoubt _ -> "in_doubt";
        };
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
