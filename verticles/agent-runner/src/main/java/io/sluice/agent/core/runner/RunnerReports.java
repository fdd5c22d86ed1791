package io.sluice.agent.core.runner;

import io.sluice.agent.core.pace.ReportThrottle;
import io.sluice.agent.core.status.ReasonText;
import io.sluice.agent.core.status.VmPod;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.shell.explain.Denial;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A runner's decisions and warnings. Patches are always reported; repeats of other reports are throttled. */
final class RunnerReports {
    /** The kinds of warnings; each is throttled by itself. */
    enum Topic {
        SESSION,
        FENCE,
        PERMIT,
        PATCH,
        GUEST,
        MONITOR,
        METRICS,
        LFC
    }

    private final VmPod pod;
    private final RunnerRequests out;
    private final ReportThrottle<Decision.Kind> decisions;
    private final ReportThrottle<Topic> warnings;

    RunnerReports(VmPod pod, Duration every, RunnerRequests out) {
        this.pod = pod;
        this.out = out;
        this.decisions = new ReportThrottle<>(every);
        this.warnings = new ReportThrottle<>(every);
    }

    /** A patch was acknowledged. One that changed nothing, but excluded another patch, is not reported. */
    void scaled(Resources from, Resources to, Optional<Duration> reaction, GoalBasis basis) {
        if (from.exceeds(to)) {
            publish(Decision.Kind.SCALED_DOWN, from, to, Optional.empty(), basis, ReasonText.ofGoal(basis), 1);
        } else if (to.exceeds(from)) {
            publish(Decision.Kind.SCALED_UP, from, to, reaction, basis, ReasonText.ofGoal(basis), 1);
        }
    }

    void denied(PermitRequest request, PermitReply.Ruled ruled, GoalBasis basis, Instant now) {
        int count = decisions.pass(Decision.Kind.DENIED, List.of(request.target(), ruled.permit()), now);
        if (count > 0) {
            var before = new Resources(ruled.cpu().before(), ruled.memory().before());
            var reason = Denial.reason(ruled, pod.node());
            publish(Decision.Kind.DENIED, before, request.target(), Optional.empty(), basis, reason, count);
        }
    }

    void downscaleDenied(Resources from, Resources to, String status, GoalBasis basis, Instant now) {
        int count = decisions.pass(Decision.Kind.DOWNSCALE_DENIED, to, now);
        if (count > 0) {
            var reason = status.isEmpty() ? "the monitor gave no reason" : status;
            publish(Decision.Kind.DOWNSCALE_DENIED, from, to, Optional.empty(), basis, reason, count);
        }
    }

    void upscaleRequested(Resources using, Resources desired, GoalBasis basis, Instant now) {
        int count = decisions.pass(Decision.Kind.UPSCALE_REQUESTED, using, now);
        if (count > 0) {
            var reason = ReasonText.ofGoal(basis);
            publish(Decision.Kind.UPSCALE_REQUESTED, using, desired, Optional.empty(), basis, reason, count);
        }
    }

    void superseded(Resources using, GoalBasis basis, String sentence) {
        publish(Decision.Kind.SUPERSEDED, using, using, Optional.empty(), basis, sentence, 1);
    }

    /** Reports what is wrong with the VM's annotations, when that changed and periodically while it lasts. */
    void complaints(List<String> sentences, Resources using, GoalBasis basis, Instant now) {
        int count = decisions.pass(Decision.Kind.CONFIG_REFUSED, sentences, now);
        if (count > 0 && !sentences.isEmpty()) {
            var reason = String.join("; ", sentences);
            publish(Decision.Kind.CONFIG_REFUSED, using, using, Optional.empty(), basis, reason, count);
        }
    }

    void warn(Topic topic, String sentence, Instant now) {
        if (warnings.pass(topic, topic, now) > 0) {
            out.act(new RunnerAction.Warn(sentence));
        }
    }

    private void publish(
            Decision.Kind kind,
            Resources from,
            Resources to,
            Optional<Duration> reaction,
            GoalBasis basis,
            String why,
            int count) {
        var decision = new Decision(kind, pod.vm(), pod.node(), from, to, reaction, basis, why, count);
        out.act(new RunnerAction.Report(decision));
    }
}
