package io.sluice.gateway.core;

import io.sluice.messages.ledger.OpenReply;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.RefusalCause;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.Optional;

/** Puts what the ledger says into the words of the agents' protocol. */
public final class AgentAnswers {
    /** For whoever asks with anything but POST; alone in saying its charset, as agents have always seen it. */
    public static final HttpAnswer MUST_BE_POST =
            new HttpAnswer(400, "text/plain; charset=utf-8", "must be POST", Optional.empty());

    /** For whoever asks while too many others do. */
    public static final HttpAnswer TOO_MANY =
            HttpAnswer.later(503, "too many requests are being answered", Duration.ofSeconds(1));

    /** For whoever has more than its share under way while the door is nearly full. */
    public static final HttpAnswer TOO_MANY_OF_YOURS =
            HttpAnswer.later(429, "too many requests of yours are being answered", Duration.ofSeconds(1));

    /** The program itself is at fault. */
    public static final HttpAnswer DEFECT =
            HttpAnswer.refusal(500, "this request met a defect of the program; its log says which");

    /** For whom the ledger gave no answer in time; the question may have been taken all the same. */
    public static final HttpAnswer NO_ANSWER =
            HttpAnswer.later(503, "the ledger did not answer in time", Duration.ofSeconds(1));

    /** For a body that stays away. */
    public static final HttpAnswer BODY_LATE = HttpAnswer.refusal(400, "bad JSON: the body did not arrive in time");

    /** For whom it could not be found out in time who it is. */
    public static final HttpAnswer UNREVIEWED =
            HttpAnswer.later(503, "the API server could not be asked whose this token is", Duration.ofSeconds(1));

    /** For one whose token says nothing of where it is. */
    static final HttpAnswer NODELESS = HttpAnswer.refusal(
            403,
            "this token names no node: it must be made for a pod, by Kubernetes 1.30 or newer"
                    + " (gateway.agent.tokenReview.nodes=own)");

    private AgentAnswers() {}

    /** For one whose token is no good here. */
    static HttpAnswer wrongToken(String audience) {
        return HttpAnswer.refusal(401, "the API server knows no such token for the audience " + audience);
    }

    /** For one from where too many came whose tokens were no good. */
    public static HttpAnswer tooManyWrongTokens(Duration retryAfter) {
        return HttpAnswer.later(429, "too many tokens from your address were no good", retryAfter);
    }

    /** For one who is somebody else than an agent. */
    static HttpAnswer noAgent(String user) {
        return HttpAnswer.refusal(
                403, user + " is no agent: gateway.agent.tokenReview.serviceAccounts does not name it");
    }

    /** For one who asks for a pod of another node than its own. */
    public static HttpAnswer elsewhere(String agentsNode, AgentPod member) {
        return HttpAnswer.refusal(
                403,
                "an agent on node " + agentsNode + " may not ask for pod " + member.pod() + " on node "
                        + member.node());
    }

    /** For one who asks more often than an agent has reason to. */
    public static HttpAnswer tooOften(Duration retryAfter) {
        return HttpAnswer.later(429, "this pod's agent asks too often", retryAfter);
    }

    /** For one whose turn did not come. */
    static HttpAnswer waitedTooLong() {
        return HttpAnswer.later(503, "an earlier question of this pod is still being answered", Duration.ofSeconds(1));
    }

    /** For one who has too many questions waiting already. */
    static HttpAnswer tooManyWaiting() {
        return HttpAnswer.later(429, "too many questions of this pod are waiting", Duration.ofSeconds(1));
    }

    /** For an asker without sessions whose VM somebody else speaks for. */
    static HttpAnswer superseded(Duration retryAfter) {
        return HttpAnswer.later(409, "superseded", retryAfter);
    }

    /** The answer to one who opens a session: what is booked now, and nothing to grow on. */
    public static HttpAnswer of(AdmittedRequest question, OpenReply reply) {
        return switch (reply) {
            case OpenReply.Opened(long session, var permit, boolean recovered) ->
                PermitText.of(question, permit)
                        .session(session, Duration.ZERO)
                        .recovered(recovered)
                        .answer();
            case OpenReply.NotReady(var _, var retryAfter) -> notReady(retryAfter);
            case OpenReply.Refused(var cause) -> refused(cause);
        };
    }

    /** The answer to a question. */
    public static HttpAnswer of(AdmittedRequest question, PermitReply reply) {
        return switch (reply) {
            case PermitReply.Ruled ruled -> ruled(question, ruled);
            case PermitReply.Late(long _, var permit) -> late(question, permit);
            case PermitReply.Superseded _ -> HttpAnswer.refusal(409, "superseded");
            case PermitReply.OpenAgain _ -> HttpAnswer.refusal(409, "open again");
            case PermitReply.SeqReused(long seq) ->
                HttpAnswer.refusal(400, "seq " + seq + " of this session was used for another question");
            case PermitReply.NotReady(var _, var retryAfter) -> notReady(retryAfter);
            case PermitReply.Refused(var cause) -> refused(cause);
        };
    }

    private static HttpAnswer ruled(AdmittedRequest question, PermitReply.Ruled ruled) {
        var text = PermitText.of(question, ruled.permit()).migrating(ruled.migrating());
        if (question.speaker() instanceof AgentRequest.Speaker.InSession) {
            text.session(ruled.session(), ruled.validFor());
            if (question.target().exceeds(ruled.permit())) {
                text.ruling(ruled.cpu(), ruled.memory());
            }
        }
        return text.answer();
    }

    /** A question overtaken by a newer one learns what is booked, and may start no growth on it. */
    private static HttpAnswer late(AdmittedRequest question, Resources permit) {
        var text = PermitText.of(question, permit);
        if (question.speaker() instanceof AgentRequest.Speaker.InSession(var _, long session, long _)) {
            text.session(session, Duration.ZERO);
        }
        return text.answer();
    }

    private static HttpAnswer notReady(Duration retryAfter) {
        return HttpAnswer.later(503, "the ledger has not listed the node's members yet", retryAfter);
    }

    private static HttpAnswer refused(RefusalCause cause) {
        return switch (cause) {
            case MEMBER_UNKNOWN -> HttpAnswer.refusal(404, "pod not found");
            case NOT_A_VM -> HttpAnswer.refusal(400, "pod is not associated with a VM");
            case ZERO_COMPUTE_UNIT, ZERO_TARGET, OVERFLOW -> HttpAnswer.refusal(400, cause.sentence());
            case NOT_MIGRATABLE, RECOVERED, NODE_NOT_READY, ALREADY_MOVING, ATTEMPT_OVER ->
                HttpAnswer.refusal(409, cause.sentence());
        };
    }
}
