package io.sluice.gateway.core;

import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.RefusalCause;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.Optional;

/** Maps replies of the ledger to replies of the agents' protocol. */
public final class AgentAnswers {
    /** The reply to any method but POST; it alone has a charset, as in the reference. */
    public static final HttpAnswer MUST_BE_POST =
            new HttpAnswer(400, "text/plain; charset=utf-8", "must be POST", Optional.empty());

    /** The reply when the limit of all clients is reached. */
    public static final HttpAnswer TOO_MANY =
            HttpAnswer.later(503, "too many requests are under way", Duration.ofSeconds(1));

    /** The reply to a client that has more than its share under way while the limit is nearly reached. */
    public static final HttpAnswer TOO_MANY_OF_YOURS =
            HttpAnswer.later(429, "too many requests of yours are under way", Duration.ofSeconds(1));

    /** The reply when the program has an error. */
    public static final HttpAnswer DEFECT =
            HttpAnswer.refusal(500, "this request failed because of a program error; the log has the cause");

    /** The reply when the ledger did not reply in time; the request is in doubt. */
    public static final HttpAnswer NO_ANSWER =
            HttpAnswer.later(503, "the ledger did not reply in time", Duration.ofSeconds(1));

    /** The reply to a body that does not arrive in time. */
    public static final HttpAnswer BODY_LATE = HttpAnswer.refusal(400, "bad JSON: the body did not arrive in time");

    /** The reply to a body that is too long; the same as to one whose value does not end within the bound. */
    public static final HttpAnswer BODY_TOO_LONG =
            HttpAnswer.refusal(400, "bad JSON: the value does not end within " + Admission.BODY_BYTES_MAX + " bytes");

    /** The reply when the token could not be reviewed in time. */
    public static final HttpAnswer UNREVIEWED =
            HttpAnswer.later(503, "the API server could not review this token", Duration.ofSeconds(1));

    /** The reply to a token without a node. */
    public static final HttpAnswer NODELESS = HttpAnswer.refusal(
            403,
            "this token names no node: it must be made for a pod, by Kubernetes 1.30 or newer"
                    + " (gateway.agent.tokenReview.nodes=own)");

    private AgentAnswers() {}

    /** The reply to a token that the API server rejects. */
    public static HttpAnswer wrongToken(String audience) {
        return HttpAnswer.refusal(401, "the API server rejects this token for the audience " + audience);
    }

    /** The reply to an address from which too many rejected tokens came. */
    public static HttpAnswer tooManyWrongTokens(Duration retryAfter) {
        return HttpAnswer.later(429, "too many tokens from your address were rejected", retryAfter);
    }

    /** The reply to a valid token of a user that is no agent. */
    public static HttpAnswer noAgent(String user) {
        return HttpAnswer.refusal(
                403, user + " is no agent: gateway.agent.tokenReview.serviceAccounts does not name it");
    }

    /** The reply to an agent that requests a permit for a pod of another node. */
    public static HttpAnswer elsewhere(String agentsNode, AgentPod pod) {
        return HttpAnswer.refusal(
                403,
                "the agent on node " + agentsNode + " may not request permits for pod " + pod.pod() + " on node "
                        + pod.node());
    }

    /** The reply to an agent beyond its rate limit. */
    public static HttpAnswer tooOften(Duration retryAfter) {
        return HttpAnswer.later(429, "this pod's agent sends requests too often", retryAfter);
    }

    /** The reply to a request that waited too long for earlier ones. */
    static HttpAnswer waitedTooLong() {
        return HttpAnswer.later(503, "an earlier request of this pod is still under way", Duration.ofSeconds(1));
    }

    /** The reply to an agent that has too many requests waiting. */
    static HttpAnswer tooManyWaiting() {
        return HttpAnswer.later(429, "too many requests of this pod are waiting", Duration.ofSeconds(1));
    }

    /** The reply to an agent without sessions whose VM has a newer session of another agent. */
    static HttpAnswer superseded(Duration retryAfter) {
        return HttpAnswer.later(409, "superseded", retryAfter);
    }

    /** Returns the reply to the opening of a session: the current reservation as permit, valid for no time. */
    public static HttpAnswer of(AdmittedRequest request, OpenReply reply) {
        return switch (reply) {
            case OpenReply.Opened(long session, var reserved, boolean recovered) ->
                PermitText.of(request, reserved)
                        .session(session, Duration.ZERO)
                        .recovered(recovered)
                        .answer();
            case OpenReply.NotReady(var _, var retryAfter) -> notReady(retryAfter);
            case OpenReply.Refused(var cause) -> refused(cause);
        };
    }

    /** Returns the reply to a permit request. */
    public static HttpAnswer of(AdmittedRequest request, PermitReply reply) {
        return switch (reply) {
            case PermitReply.Ruled ruled -> ruled(request, ruled);
            case PermitReply.Late(long _, var permit) -> late(request, permit);
            case PermitReply.Superseded _ -> HttpAnswer.refusal(409, "superseded");
            case PermitReply.OpenAgain _ -> HttpAnswer.refusal(409, "open again");
            case PermitReply.SeqReused(long seq) ->
                HttpAnswer.refusal(400, "seq " + seq + " of this session was used for another request");
            case PermitReply.NotReady(var _, var retryAfter) -> notReady(retryAfter);
            case PermitReply.Refused(var cause) -> refused(cause);
        };
    }

    private static HttpAnswer ruled(AdmittedRequest request, PermitReply.Ruled ruled) {
        var text = PermitText.of(request, ruled.permit()).migrating(ruled.migrating());
        if (request.speaker() instanceof AgentRequest.Speaker.InSession) {
            text.session(ruled.session(), ruled.validFor());
            if (request.target().exceeds(ruled.permit())) {
                text.ruling(ruled.cpu(), ruled.memory());
            }
        }
        return text.answer();
    }

    /** A request overtaken by a newer one gets the current reservation as permit, valid for no time. */
    private static HttpAnswer late(AdmittedRequest request, Resources permit) {
        var text = PermitText.of(request, permit);
        if (request.speaker() instanceof AgentRequest.Speaker.InSession(var _, long session, long _)) {
            text.session(session, Duration.ZERO);
        }
        return text.answer();
    }

    private static HttpAnswer notReady(Duration retryAfter) {
        return HttpAnswer.later(503, "the ledger has no full list of the node's pods yet", retryAfter);
    }

    private static HttpAnswer refused(RefusalCause cause) {
        return switch (cause) {
            case POD_UNKNOWN -> HttpAnswer.refusal(404, "pod not found");
            case NOT_A_VM -> HttpAnswer.refusal(400, "pod is not associated with a VM");
            case ZERO_COMPUTE_UNIT, ZERO_TARGET, OVERFLOW -> HttpAnswer.refusal(400, cause.sentence());
            case NOT_MIGRATABLE, RECOVERED, NODE_NOT_READY, ALREADY_MOVING, ATTEMPT_OVER, VM_UNOBSERVED ->
                HttpAnswer.refusal(409, cause.sentence());
        };
    }
}
