package io.sluice.agent.core;

import io.sluice.agent.core.runner.RunnerAction;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.vm.PatchReply;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Whether one VM's runner is stuck by the rules of Neon's agent, whatever it waits for: its monitor has no session, or
 * too many of its requests failed. Also for how long the guest has denied every downscale.
 */
public final class RunnerHealth {
    private static final Duration SILENCE_MAX = Duration.ofSeconds(20);
    private static final Duration WINDOW = Duration.ofSeconds(120);

    /** A guest that still denies repeats its denial sooner than this. */
    private static final Duration DENIAL_REPEATS = Duration.ofMinutes(1);

    /** Why a runner is stuck. */
    public enum Cause {
        /** There has been no session with its monitor for 20 s. */
        MONITOR_SILENT(Integer.MAX_VALUE),
        /** More than 2 requests to its monitor failed in 2 minutes. A denial is a reply. */
        MONITOR(2),
        /** More than 5 permit requests failed or were cut in 2 minutes. */
        SCHEDULER(5),
        /** More than 2 patches failed in 2 minutes. */
        DRIVER(2);

        private final int failuresMax;

        Cause(int failuresMax) {
            this.failuresMax = failuresMax;
        }
    }

    private final Map<Cause, Deque<Instant>> failures = new EnumMap<>(Cause.class);
    private Optional<Instant> silentSince;
    private Optional<Instant> deniedSince = Optional.empty();
    private Instant deniedAt = Instant.EPOCH;

    /** The monitor's session is awaited from now on. */
    public RunnerHealth(Instant now) {
        silentSince = Optional.of(now);
    }

    /** The runner receives an event. */
    public void received(RunnerEvent event, Instant now) {
        switch (event) {
            case RunnerEvent.MonitorAttached(var _, var state) -> connected(state.connected(), now);
            case RunnerEvent.MonitorChanged(var state) -> connected(state.connected(), now);
            default -> {}
        }
    }

    private void connected(boolean is, Instant now) {
        silentSince = is ? Optional.empty() : silentSince.or(() -> Optional.of(now));
    }

    /** The reply to a request, or its loss. */
    public void answered(RunnerAction.Request request, RunnerEvent event, Instant now) {
        switch (request) {
            case RunnerAction.RequestPermit _ -> ended(Cause.SCHEDULER, isWhole(event), now);
            case RunnerAction.PatchSize _ -> ended(Cause.DRIVER, isPatched(event), now);
            case RunnerAction.UpscaleGuest _ -> ended(Cause.MONITOR, isReplied(event), now);
            case RunnerAction.DownscaleGuest _ -> {
                ended(Cause.MONITOR, isReplied(event), now);
                downscale(event, now);
            }
            default -> {}
        }
    }

    private static boolean isWhole(RunnerEvent event) {
        return event instanceof RunnerEvent.PermitAnswered(var _, PermitReply.Ruled ruled) && !ruled.isShort();
    }

    private static boolean isPatched(RunnerEvent event) {
        return event instanceof RunnerEvent.PatchAnswered(var _, PatchReply.Patched _);
    }

    private static boolean isReplied(RunnerEvent event) {
        return event instanceof RunnerEvent.GuestAnswered(var _, var reply) && !(reply instanceof ResizeReply.Failed);
    }

    private void downscale(RunnerEvent event, Instant now) {
        switch (event) {
            case RunnerEvent.GuestAnswered(var _, ResizeReply.Denied _) -> {
                deniedSince = denying(now).or(() -> Optional.of(now));
                deniedAt = now;
            }
            case RunnerEvent.GuestAnswered(var _, ResizeReply.Accepted _) -> deniedSince = Optional.empty();
            default -> {}
        }
    }

    private Optional<Instant> denying(Instant now) {
        return deniedSince.filter(since -> now.isBefore(deniedAt.plus(DENIAL_REPEATS)));
    }

    /** For how long the guest has denied every downscale; zero if it does not now. */
    public Duration deniedFor(Instant now) {
        return denying(now).map(since -> Duration.between(since, now)).orElse(Duration.ZERO);
    }

    private void ended(Cause cause, boolean succeeded, Instant now) {
        if (!succeeded) {
            var latest = failures.computeIfAbsent(cause, unknown -> new ArrayDeque<>());
            latest.addLast(now);
            if (latest.size() > cause.failuresMax + 1) {
                latest.removeFirst();
            }
        }
    }

    /** Why it is stuck now; empty if it is not. */
    public Set<Cause> stuck(Instant now) {
        var causes = EnumSet.noneOf(Cause.class);
        if (silentSince.filter(since -> since.plus(SILENCE_MAX).isBefore(now)).isPresent()) {
            causes.add(Cause.MONITOR_SILENT);
        }
        failures.forEach((cause, latest) -> {
            if (latest.size() > cause.failuresMax
                    && latest.getFirst().plus(WINDOW).isAfter(now)) {
                causes.add(cause);
            }
        });
        return causes;
    }
}
