package io.sluice.gateway;

import io.sluice.gateway.core.identity.AgentNodes;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * How agents are identified by the tokens of their service accounts, which the API server reviews.
 *
 * @param enabled whether tokens are reviewed
 * @param audience the audience that tokens must have
 * @param serviceAccounts the service accounts of agents, each as {@code namespace:name}
 * @param nodes {@code own}: only pods of the node that the token names, and none if it names none; {@code claimed}: the
 *     same, but pods of any node if it names none; {@code any}: pods of any node
 */
public record TokenReviewConfig(boolean enabled, String audience, List<String> serviceAccounts, AgentNodes nodes) {
    private static final Pattern ACCOUNT =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?:[a-z0-9]([-.a-z0-9]*[a-z0-9])?");

    /** Disabled. */
    public static final TokenReviewConfig DEFAULTS =
            new TokenReviewConfig(false, "sluice", List.of("kube-system:sluice-agent"), AgentNodes.OWN);

    /** The section of the config. */
    public static final String SECTION = "gateway.agent.tokenReview";

    public TokenReviewConfig {
        Objects.requireNonNull(nodes, SECTION + ".nodes");
        serviceAccounts = List.copyOf(serviceAccounts);
        if (audience.isBlank()) {
            throw new IllegalArgumentException(
                    SECTION + ".audience must be the audience of the agents' tokens, such as sluice");
        }
        if (serviceAccounts.isEmpty()) {
            throw new IllegalArgumentException(SECTION + ".serviceAccounts must name at least one, as namespace:name");
        }
        serviceAccounts.stream()
                .filter(account -> !ACCOUNT.matcher(account).matches())
                .findFirst()
                .ifPresent(account -> {
                    throw new IllegalArgumentException(
                            SECTION + ".serviceAccounts: " + account + " must be written as namespace:name");
                });
    }
}
