package io.sluice.agent.core.runner;

import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.shell.Denial;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What a runner says of its VM. Patches are all said; what only repeats itself is said now and then. */
final class RunnerReports {
    /** What warnings are about; each has its own pace. */
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

    private final VmPod member;
    private final RunnerRequests out;
    private final ReportThrottle<Decision.Kind> decisions;
    private final ReportThrottle<Topic> warnings;

    RunnerReports(VmPod member, Duration every, RunnerRequests out) {
        this.member = member;
        this.out = out;
        this.decisions = new ReportThrottle<>(every);
        this.warnings = new ReportThrottle<>(every);
    }

    /** A patch was acknowledged. One that changed nothing, but shut out another, is not worth a word. */
    void scaled(Resources from, Resources to, Optional<Duration> reaction, GoalBasis basis) {
        if (from.exceeds(to)) {
            say(Decision.Kind.SCALED_DOWN, from, to, Optional.empty(), basis, ReasonText.ofGoal(basis));
        } else if (to.exceeds(from)) {
            say(Decision.Kind.SCALED_UP, from, to, reaction, basis, ReasonText.ofGoal(basis));
        }
    }

    void denied(PermitRequest question, PermitReply.Ruled ruled, GoalBasis basis, Instant now) {
        if (decisions.lets(Decision.Kind.DENIED, List.of(question.target(), ruled.permit()), now)) {
            var before = new Resources(ruled.cpu().before(), ruled.memory().before());
            var reason = Denial.reason(ruled, member.node());
            say(Decision.Kind.DENIED, before, question.target(), Optional.empty(), basis, reason);
        }
    }

    void vetoed(Resources from, Resources to, String status, GoalBasis basis, Instant now) {
        if (decisions.lets(Decision.Kind.VETOED, to, now)) {
            var reason = status.isEmpty() ? "the monitor gave no reason" : status;
            say(Decision.Kind.VETOED, from, to, Optional.empty(), basis, reason);
        }
    }

    void cried(Resources using, Resources desired, GoalBasis basis, Instant now) {
        if (decisions.lets(Decision.Kind.CRIED, using, now)) {
            say(Decision.Kind.CRIED, using, desired, Optional.empty(), basis, ReasonText.ofGoal(basis));
        }
    }

    void superseded(Resources using, GoalBasis basis, String sentence) {
        say(Decision.Kind.SUPERSEDED, using, using, Optional.empty(), basis, sentence);
    }

    /** Says what is wrong with the VM's annotations, when that changed and now and then while it lasts. */
    void complaints(List<String> sentences, Resources using, GoalBasis basis, Instant now) {
        if (decisions.lets(Decision.Kind.CONFIG_REFUSED, sentences, now) && !sentences.isEmpty()) {
            say(Decision.Kind.CONFIG_REFUSED, using, using, Optional.empty(), basis, String.join("; ", sentences));
        }
    }

    void warn(Topic topic, String sentence, Instant now) {
        if (warnings.lets(topic, topic, now)) {
            out.act(new RunnerAction.Warn(sentence));
        }
    }

    private void say(
            Decision.Kind kind,
            Resources from,
            Resources to,
            Optional<Duration> reaction,
            GoalBasis basis,
            String why) {
        out.act(new RunnerAction.Report(
                new Decision(kind, member.vm(), member.node(), from, to, reaction, basis, why)));
    }
}
