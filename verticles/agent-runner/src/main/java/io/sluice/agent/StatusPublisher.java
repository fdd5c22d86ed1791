package io.sluice.agent;

import io.sluice.agent.core.VmStatusTracker;
import io.sluice.agent.core.status.ScalingStatus;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.Waiting;
import io.sluice.shell.LogKeys;
import io.sluice.units.VmId;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes the statuses of VMs at the pace of the {@link VmStatusTracker}. */
final class StatusPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(StatusPublisher.class);

    private final VmStatusTracker board;
    private final InstantSource clock;
    private final Consumer<RunnerStatus> publish;

    StatusPublisher(VmStatusTracker board, InstantSource clock, Consumer<RunnerStatus> publish) {
        this.board = board;
        this.clock = clock;
        this.publish = publish;
    }

    /** A new status of a VM. A VM that is not scaled any more is dropped after its last status is published. */
    void record(ScalingStatus status) {
        var now = clock.instant();
        var message =
                status.cause().waiting() == Waiting.STOPPED ? board.ended(status, now) : board.update(status, now);
        message.ifPresent(this::publish);
    }

    /** Another process publishes the VM's status from now on. */
    void forget(VmId vm) {
        board.forget(vm);
    }

    /** To be called each {@link VmStatusTracker#PACE}. */
    void tick() {
        board.due(clock.instant()).forEach(this::publish);
    }

    /** Publishes what the pace held back, as no further tick follows. */
    void close() {
        board.due(clock.instant().plus(VmStatusTracker.PACE)).forEach(this::publish);
    }

    /** A status that cannot be published delays no other VM's and ends no runner: it is published again soon. */
    private void publish(RunnerStatus status) {
        try {
            publish.accept(status);
        } catch (RuntimeException unsaid) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.VM, status.vm().label())
                    .setCause(unsaid)
                    .log("The status of a VM could not be published.");
        }
    }

    VmStatusTracker.Census census(Predicate<VmId> counted, Predicate<VmId> unhealthy) {
        return board.census(clock.instant(), counted, unhealthy);
    }

    Map<Waiting, String> troubles() {
        return board.troubles(clock.instant());
    }

    Map<Waiting, Integer> waiting() {
        return board.waiting();
    }
}
