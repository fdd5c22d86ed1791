package io.sluice.gateway.core;

import io.sluice.shell.TokenVerdict;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;

/** Whose tokens let in an agent, and for the pods of which node. */
public final class IdentityRule {
    private static final String SERVICE_ACCOUNT = "system:serviceaccount:";

    private final String audience;
    private final Set<String> users;
    private final AgentNodes nodes;

    /**
     * A rule.
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

    /** Who that is. */
    public Identified weigh(TokenVerdict verdict) {
        return switch (verdict) {
            case TokenVerdict.Rejected(var reason) ->
                new Identified.Stranger(Distrust.TOKEN, AgentAnswers.wrongToken(audience), reason);
            case TokenVerdict.Accepted accepted
            when !users.contains(accepted.user()) ->
                new Identified.Stranger(Distrust.ACCOUNT, AgentAnswers.noAgent(accepted.user()), accepted.user());
            case TokenVerdict.Accepted accepted
            when nodes == AgentNodes.OWN && accepted.node().isEmpty() ->
                new Identified.Stranger(Distrust.NODELESS, AgentAnswers.NODELESS, name(accepted));
            case TokenVerdict.Accepted accepted -> new Identified.Agent(caller(accepted));
        };
    }

    private Caller caller(TokenVerdict.Accepted accepted) {
        return new Caller(name(accepted), nodes == AgentNodes.ANY ? Caller.ANYBODY.onlyNode() : accepted.node());
    }

    private static String name(TokenVerdict.Accepted accepted) {
        return accepted.pod().orElse(accepted.user());
    }
}
