package io.sluice.pods.core;

import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.shell.pods.ScaledPod;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * One resize, from the permit that allows it to its end. A resize that the kubelet has deferred, or not seen, is a
 * grant that comes late: once its permit has lapsed it is withdrawn, and until the status shows that, it counts as
 * possible.
 *
 * @param request the size, and the fence that it needs
 * @param sendBy when the permit lapses
 */
public record ResizeAttempt(PatchVm request, Instant sendBy) {
    /** How long a withdrawal may take until the status shows it. */
    public static final Duration WITHDRAWN_WITHIN = Duration.ofSeconds(3);

    public ResizeAttempt {
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(sendBy, "sendBy");
    }

    /** The next step of an attempt. */
    public sealed interface Step {
        /** Write the next fence and the goal by an ordinary patch. */
        record Advance() implements Step {}

        /** Resize the pod as it was read. */
        record Resize() implements Step {}

        /** Wait until the status shows more, no longer than until then. */
        record Await(Instant until) implements Step {}

        /**
         * Patch the pod back to what the kubelet has accepted.
         *
         * @param limit whether a size as large is refused for some time
         * @param reason in words
         */
        record Withdraw(boolean limit, String reason) implements Step {}

        /** The attempt has ended. */
        record Reply(PatchReply reply) implements Step {}
    }

    /** The first step, with the pod as it was read. */
    public Step begin(ScaledPod pod, Instant now) {
        if (!pod.id().equals(request.vm())) {
            return refused(404, "the pod of that name has another uid now");
        }
        boolean advanced = pod.fence().equals(request.nextFence());
        if (!advanced && !pod.fence().equals(request.fence())) {
            return isDecided(pod) || !owner(pod.fence()).equals(owner(request.fence()))
                    ? new Step.Reply(new PatchReply.Conflict(pod.spec(), pod.fence()))
                    : inDoubt("an earlier resize is not decided yet, and may be withdrawn");
        }
        if (advanced && pod.spec().equals(reached(pod))) {
            return awaited(pod, now);
        }
        if (now.isAfter(sendBy)) {
            return refused(
                    0,
                    "its deadline had passed " + Duration.between(sendBy, now).toMillis() + " ms ago");
        }
        if (!pod.runs()) {
            return refused(0, "the pod does not run");
        }
        if (!pod.obstacles().isEmpty()) {
            return refused(0, pod.obstacles().getFirst());
        }
        return advanced ? new Step.Resize() : new Step.Advance();
    }

    private static String owner(String fence) {
        return fence.substring(0, Math.max(0, fence.lastIndexOf('/')));
    }

    /** Whether what the spec has stays: growth that its kubelet has not accepted may be withdrawn. */
    private static boolean isDecided(ScaledPod pod) {
        return !pod.isGrowing() || KubeletDecision.of(pod) instanceof KubeletDecision.Accepted;
    }

    /** Whether the spec is as this attempt wrote it. */
    private boolean isAsRequested(ScaledPod pod) {
        return ResizePlan.resources(pod, request.target()).equals(pod.resources());
    }

    /** The size that the policy allows. */
    private Resources reached(ScaledPod pod) {
        return request.target().max(pod.others());
    }

    /** The next step after a resize was accepted by the API server, with the pod as its status shows it. */
    public Step awaited(ScaledPod pod, Instant now) {
        if (!pod.id().equals(request.vm()) || pod.isDeleted()) {
            return refused(404, "the pod has ended");
        }
        if (!pod.fence().equals(request.nextFence())) {
            return inDoubt("another runner has claimed the pod while the resize was under way");
        }
        boolean lapsed = !now.isBefore(sendBy);
        if (!isAsRequested(pod)) {
            return isDecided(pod)
                    ? refused(0, "another write has changed its size while the resize was under way")
                    : inDoubt("another write has changed its size while the resize was under way");
        }
        return switch (KubeletDecision.of(pod)) {
            case KubeletDecision.Accepted _ -> new Step.Reply(new PatchReply.Patched(pod.number()));
            case KubeletDecision.Infeasible(var reason) ->
                new Step.Withdraw(true, "the kubelet refuses it as infeasible: " + reason);
            case KubeletDecision.Deferred(var reason) ->
                lapsed
                        ? new Step.Withdraw(false, "the kubelet deferred it until its permit had lapsed: " + reason)
                        : new Step.Await(sendBy);
            case KubeletDecision.Unseen _ -> lapsed ? unseen(pod) : new Step.Await(sendBy);
        };
    }

    /** Less may be applied at any time; what is held counts until the status shows it. */
    private static Step unseen(ScaledPod pod) {
        return pod.isGrowing()
                ? new Step.Withdraw(false, "the kubelet did not accept it before its permit had lapsed")
                : new Step.Reply(new PatchReply.Patched(pod.number()));
    }

    /**
     * The next step after a withdrawal was accepted by the API server. The reply that nothing was applied needs a
     * status that shows it.
     *
     * @param why the resize was withdrawn
     */
    public Step withdrawn(ScaledPod pod, String why, Instant now) {
        var until = sendBy.plus(WITHDRAWN_WITHIN);
        if (pod.isDeleted() || !pod.id().equals(request.vm())) {
            return refused(404, "the pod has ended");
        }
        return switch (KubeletDecision.of(pod)) {
            case KubeletDecision.Accepted _ -> refused(0, why);
            case KubeletDecision.Infeasible _, KubeletDecision.Deferred _, KubeletDecision.Unseen _ ->
                now.isBefore(until) ? new Step.Await(until) : inDoubt(why + "; the status does not show that yet");
        };
    }

    private static Step refused(int status, String reason) {
        return new Step.Reply(new PatchReply.Refused(status, reason));
    }

    private static Step inDoubt(String reason) {
        return new Step.Reply(new PatchReply.InDoubt(reason));
    }
}
