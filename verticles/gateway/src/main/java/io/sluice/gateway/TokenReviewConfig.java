package io.sluice.gateway;

import io.sluice.gateway.core.AgentNodes;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * How agents prove who they are by tokens of their service accounts, which the API server reviews.
 *
 * @param on whether they have to
 * @param audience for whom such a token must have been made
 * @param serviceAccounts whose tokens are agents', each as {@code namespace:name}
 * @param nodes {@code own}: pods of the node that the token names, and of no other, also where it names none;
 *     {@code claimed}: the same, but with a token that names none pods of any; {@code any}: pods of any node
 */
public record TokenReviewConfig(boolean on, String audience, List<String> serviceAccounts, AgentNodes nodes) {
    private static final Pattern ACCOUNT =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?:[a-z0-9]([-.a-z0-9]*[a-z0-9])?");

    /** Off. */
    public static final TokenReviewConfig DEFAULTS =
            new TokenReviewConfig(false, "sluice", List.of("kube-system:sluice-agent"), AgentNodes.OWN);

    /** Its section of the config. */
    public static final String SECTION = "gateway.agent.tokenReview";

    public TokenReviewConfig {
        Objects.requireNonNull(nodes, SECTION + ".nodes");
        serviceAccounts = List.copyOf(serviceAccounts);
        if (audience.isBlank()) {
            throw new IllegalArgumentException(
                    SECTION + ".audience must be the one that agents' tokens are made for, such as sluice");
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
