package io.sluice.agent.core.runner;

import io.sluice.agent.core.pace.RestartPace;
import io.sluice.agent.core.status.WaitCause;
import io.sluice.messages.agent.Waiting;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A runner is to end, once the requests that matter have ended.
 *
 * @param reason why
 * @param sentence why, in words
 */
record PendingStop(StopReason reason, String sentence) {
    /** Whether no other runner is expected to need the session with the monitor for now. */
    boolean letsGoOfMonitor() {
        return switch (reason) {
            case GONE, NOT_SERVED, MIGRATING, MOVED, HANDED_OVER -> true;
            case SUPERSEDED, LEDGER_LOST, FENCE_LOST -> false;
        };
    }

    /** What the VM waits for once its runner has ended this way. */
    WaitCause cause() {
        return switch (reason) {
            case GONE, NOT_SERVED -> WaitCause.stopped(sentence);
            case MIGRATING, MOVED -> WaitCause.moving(sentence);
            case SUPERSEDED, HANDED_OVER -> WaitCause.of(Waiting.SUPERSEDED, sentence);
            case LEDGER_LOST, FENCE_LOST -> WaitCause.of(Waiting.RETRY, sentence + "; another runner begins anew");
        };
    }

    /** A runner that lived longer than the longest wait does not count as superseded in a row with those before it. */
    RunnerAction.Stop stop(
            RestartPace pace, RunnerHandover before, RunnerHandover after, Duration lived, RandomGenerator random) {
        int inARow = lived.compareTo(pace.cap()) > 0 ? 0 : before.supersededInARow();
        return switch (reason) {
            case GONE, NOT_SERVED, MIGRATING, MOVED, HANDED_OVER ->
                new RunnerAction.Stop(reason, sentence, Optional.empty(), after);
            case LEDGER_LOST, FENCE_LOST ->
                new RunnerAction.Stop(reason, sentence, Optional.of(pace.afterFault(lived, random)), after);
            case SUPERSEDED ->
                new RunnerAction.Stop(
                        reason,
                        sentence,
                        Optional.of(pace.afterSuperseded(inARow, random)),
                        new RunnerHandover(after.lastSession(), after.pod(), inARow + 1, after.overrides()));
        };
    }
}
