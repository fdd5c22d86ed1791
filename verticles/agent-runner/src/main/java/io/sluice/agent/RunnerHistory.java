package io.sluice.agent;

import io.sluice.agent.core.runner.RunnerAction;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.vm.PatchReply;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** The history of one VM's runners, for dumps: how the last few ended, and what failed since the current one began. */
final class RunnerHistory {
    private static final int ENDINGS_MAX = 5;

    private final Deque<String> endings = new ArrayDeque<>();
    private Instant startedAt = Instant.EPOCH;
    private boolean running;
    private Optional<Instant> monitorContactAt = Optional.empty();
    private int monitorFailures;
    private int driverFailures;
    private int ledgerFailures;

    void started(Instant now) {
        startedAt = now;
        running = true;
        monitorContactAt = Optional.empty();
        monitorFailures = 0;
        driverFailures = 0;
        ledgerFailures = 0;
    }

    void ended(String sentence) {
        running = false;
        endings.addLast(sentence);
        if (endings.size() > ENDINGS_MAX) {
            endings.removeFirst();
        }
    }

    void answered(RunnerAction.Request request, RunnerEvent event, Instant now) {
        boolean lost = event instanceof RunnerEvent.RequestFailed;
        switch (request) {
            case RunnerAction.OpenLedgerSession _, RunnerAction.RequestPermit _ -> ledgerFailures += lost ? 1 : 0;
            case RunnerAction.ClaimFence _ -> driverFailures += lost ? 1 : 0;
            case RunnerAction.PatchSize _ -> driverFailures += lost || isFailure(event) ? 1 : 0;
            case RunnerAction.UpscaleGuest _, RunnerAction.DownscaleGuest _ ->
                monitorAnswered(lost || isFailure(event), now);
            case RunnerAction.AttachToMonitor _, RunnerAction.Scrape _, RunnerAction.ScrapeLfc _ -> {}
        }
    }

    private void monitorAnswered(boolean failed, Instant now) {
        if (failed) {
            monitorFailures++;
        } else {
            monitorContactAt = Optional.of(now);
        }
    }

    private static boolean isFailure(RunnerEvent event) {
        return event instanceof RunnerEvent.GuestAnswered(var _, ResizeReply.Failed _)
                || event instanceof RunnerEvent.PatchAnswered(var _, PatchReply.Refused _)
                || event instanceof RunnerEvent.PatchAnswered(var _, PatchReply.InDoubt _);
    }

    Instant startedAt() {
        return startedAt;
    }

    /** How the last runner ended; empty while one runs, and before the first. */
    Optional<String> ending() {
        return running ? Optional.empty() : Optional.ofNullable(endings.peekLast());
    }

    /** How the runners before the current or last one ended, the oldest first. */
    List<String> previousEndings() {
        var all = List.copyOf(endings);
        return running || all.isEmpty() ? all : all.subList(0, all.size() - 1);
    }

    Optional<Instant> monitorContactAt() {
        return monitorContactAt;
    }

    int monitorFailures() {
        return monitorFailures;
    }

    int driverFailures() {
        return driverFailures;
    }

    int ledgerFailures() {
        return ledgerFailures;
    }
}
