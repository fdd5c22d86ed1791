package io.sluice.agent;

import io.sluice.agent.core.VmStatusTracker;
import io.sluice.agent.core.runner.ScalingStatus;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.Waiting;
import io.sluice.shell.LogKeys;
import io.sluice.units.VmId;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says where the VMs stand, at the pace of the board. */
final class StatusPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(StatusPublisher.class);

    private final VmStatusTracker board;
    private final InstantSource clock;
    private final Consumer<RunnerStatus> say;

    StatusPublisher(VmStatusTracker board, InstantSource clock, Consumer<RunnerStatus> say) {
        this.board = board;
        this.clock = clock;
        this.say = say;
    }

    /** A VM stands so now. One that nobody scales any more is forgotten once that is said. */
    void note(ScalingStatus standing) {
        var now = clock.instant();
        var message =
                standing.cause().waiting() == Waiting.STOPPED ? board.ended(standing, now) : board.note(standing, now);
        message.ifPresent(this::say);
    }

    /** Somebody else tells where a VM stands. */
    void forget(VmId vm) {
        board.forget(vm);
    }

    /** To be called each {@link VmStatusTracker#PACE}. */
    void tick() {
        board.due(clock.instant()).forEach(this::say);
    }

    /** What was held back is said now, as nobody will ask again. */
    void close() {
        board.due(clock.instant().plus(VmStatusTracker.PACE)).forEach(this::say);
    }

    /** One that cannot be said holds nobody else's up, nor ends a runner: it is said again before long. */
    private void say(RunnerStatus status) {
        try {
            say.accept(status);
        } catch (RuntimeException unsaid) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.VM, status.vm().label())
                    .setCause(unsaid)
                    .log("Where a VM stands could not be said.");
        }
    }

    VmStatusTracker.Census census(Predicate<VmId> counted) {
        return board.census(clock.instant(), counted);
    }
}
