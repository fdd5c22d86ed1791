package io.sluice.agent.metrics;

import io.sluice.agent.core.VmStatusTracker.Census;
import io.sluice.agent.core.runner.RunnerAction;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.agent.core.runner.RunnerMeasurements;
import io.sluice.agent.core.runner.RunnerState.Stage;
import io.sluice.agent.core.runner.StopReason;
import io.sluice.agent.core.status.ScalingStatus;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.agent.ScalingRecorded;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.shell.Shell;
import io.sluice.units.VmId;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * All metrics of the agent. Sluice's own and those of Neon's agent count the same events, each under its own name; a
 * caller reports an event once.
 */
public final class AgentMetrics {
    private static final String FAULT = "FAULT";

    private final RunnerMetrics runners;
    private final ReferenceMetrics reference;
    private final RunnerLifeMetrics lives;
    private final StageMetrics stages;
    private final VmMetrics vms;

    /** {@code cuMultiplier}: how many external compute units one compute unit of {@code agent.computeUnit} is. */
    public AgentMetrics(Shell shell, double cuMultiplier) {
        this.runners = new RunnerMetrics(shell.meters());
        this.reference = new ReferenceMetrics(shell.meters());
        this.lives = new RunnerLifeMetrics(shell.meters());
        this.stages = new StageMetrics(shell.meters());
        this.vms = new VmMetrics(shell.vmMeters(), cuMultiplier);
    }

    /** Adds or changes the series of a VM. */
    public void observed(VmObserved vm) {
        vms.observed(vm);
    }

    /** Removes the series of a VM. */
    public void gone(VmId vm) {
        vms.gone(vm);
    }

    /** A runner starts. */
    public void started(boolean inPlaceOfAnother) {
        lives.started(inPlaceOfAnother);
    }

    /** A runner receives an event; repeats that no decision reports count too. */
    public void received(RunnerEvent event) {
        runners.count(event);
        if (event instanceof RunnerEvent.UpscaleRequested) {
            reference.upscaleRequested();
        }
    }

    /** What a runner measured in one step. */
    public void measured(RunnerMeasurements measures) {
        lives.measured(measures);
    }

    /** The stage that a runner is in after a step. */
    public void stage(VmId vm, Stage stage) {
        runners.stage(vm, stage);
    }

    /** A stage of a resize has ended. */
    public void took(ResizeStage stage, Duration duration) {
        stages.took(stage, duration);
    }

    /** What the policy in force asks for, and the one beside it, after a step of a runner. */
    public void goals(VmId vm, int goalCu, Optional<Integer> shadowCu) {
        runners.goals(vm, goalCu, shadowCu.orElse(0));
    }

    /** A VM's status is published. A VM that nobody scales has no goal. */
    public void published(ScalingStatus status) {
        boolean served = status.cause().waiting() != Waiting.STOPPED;
        vms.goal(status.pod().vm(), served ? status.basis() : GoalBasis.NONE);
    }

    /** A runner reports a decision. */
    public void reported(Decision decision) {
        runners.count(decision);
    }

    /** A runner records a size for the scaling events. */
    public void recorded(ScalingRecorded recorded) {
        reference.recorded(recorded.kind());
    }

    /** A runner sends a request. */
    public void requested(RunnerAction.Request request) {
        runners.count(request);
        reference.requested(request);
    }

    /** The reply to a request, or its failure. */
    public void answered(RunnerAction.Request request, RunnerEvent event) {
        reference.answered(request, event);
        if (event instanceof RunnerEvent.RequestFailed) {
            runners.lost(request);
        }
    }

    /** Another runner follows one that ended. */
    public void restarts(StopReason cause) {
        runners.restarted(cause.name());
    }

    /** A runner failed; another follows it. */
    public void failed() {
        runners.restarted(FAULT);
        lives.failed();
    }

    /** A runner ended. */
    public void ended(VmId vm) {
        runners.left(vm);
    }

    /**
     * Counts runners by state.
     *
     * @param elsewhere the number of VMs that other processes serve
     * @param census counts the runners of some VMs
     * @param waiting the number of VMs by what they wait for
     */
    public void counted(int elsewhere, Function<Predicate<VmId>, Census> census, Map<Waiting, Integer> waiting) {
        runners.elsewhere(elsewhere);
        runners.waiting(waiting);
        lives.counted(census.apply(vms::isEndpoint), census.apply(vm -> !vms.isEndpoint(vm)));
    }

    /** Removes all series of VMs. */
    public void close() {
        vms.close();
    }
}
