package io.sluice.gateway.core.identity;

import io.sluice.gateway.core.AgentAnswers;
import io.sluice.gateway.core.Caller;
import io.sluice.shell.TokenReviewResult;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;

/** Decides which tokens are agents', and for the pods of which node they are accepted. */
public final class IdentityRule {
    private static final String SERVICE_ACCOUNT = "system:serviceaccount:";

    private final String audience;
    private final Set<String> users;
    private final AgentNodes nodes;

    /**
     * Creates a rule.
     *
     * @param serviceAccounts the agents', as {@code namespace:name}
     */
    public IdentityRule(String audience, Collection<String> serviceAccounts, AgentNodes nodes) {
        this.audience = audience;
        this.nodes = nodes;
        users = serviceAccounts.stream()
                .map(account -> SERVICE_ACCOUNT + account)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the identity for a review. */
    public IdentityResult weigh(TokenReviewResult result) {
        return switch (result) {
            case TokenReviewResult.Rejected(var reason) ->
                new IdentityResult.Stranger(TokenRefusal.TOKEN, AgentAnswers.wrongToken(audience), reason);
            case TokenReviewResult.Accepted accepted
            when !users.contains(accepted.user()) ->
                new IdentityResult.Stranger(
                        TokenRefusal.ACCOUNT, AgentAnswers.noAgent(accepted.user()), accepted.user());
            case TokenReviewResult.Accepted accepted
            when nodes == AgentNodes.OWN && accepted.node().isEmpty() ->
                new IdentityResult.Stranger(TokenRefusal.NODELESS, AgentAnswers.NODELESS, name(accepted));
            case TokenReviewResult.Accepted accepted -> new IdentityResult.Agent(caller(accepted));
        };
    }

    private Caller caller(TokenReviewResult.Accepted accepted) {
        return new Caller(name(accepted), nodes == AgentNodes.ANY ? Caller.ANYBODY.onlyNode() : accepted.node());
    }

    private static String name(TokenReviewResult.Accepted accepted) {
        return accepted.pod().orElse(accepted.user());
    }
}
