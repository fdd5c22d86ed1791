package io.sluice.gateway;

import io.sluice.shell.TokenReviewResult;
import io.sluice.shell.TokenReviewer;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** Reviews tokens as a test sets it up, and records which. */
final class StandInReviewer implements TokenReviewer {
    static final String AGENT = "system:serviceaccount:kube-system:sluice-agent";

    final List<String> requested = new CopyOnWriteArrayList<>();
    private volatile Function<String, Future<TokenReviewResult>> answer = StandInReviewer::usual;

    @Override
    public Future<TokenReviewResult> review(String token, String audience) {
        requested.add(token);
        return answer.apply(token);
    }

    void answers(Function<String, Future<TokenReviewResult>> other) {
        answer = other;
    }

    /**
     * {@code agent-n1} is an agent on node n1, {@code nodeless} one on none, {@code other} a user that is no agent on
     * n1.
     */
    static Future<TokenReviewResult> usual(String token) {
        return Future.succeededFuture(
                switch (token) {
                    case "agent-n1", "agent-n2" -> accepted(AGENT, Optional.of(token.substring("agent-".length())));
                    case "nodeless" -> accepted(AGENT, Optional.empty());
                    case "other" -> accepted("system:serviceaccount:default:other", Optional.of("n1"));
                    default -> new TokenReviewResult.Rejected("the API server knows no such token");
                });
    }

    static TokenReviewResult accepted(String user, Optional<String> node) {
        return new TokenReviewResult.Accepted(user, node.map(name -> "kube-system/agent-on-" + name), node);
    }
}
