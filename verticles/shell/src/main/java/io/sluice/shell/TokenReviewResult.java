package io.sluice.shell;

import java.util.Objects;
import java.util.Optional;

/** The result of a token's review. */
public sealed interface TokenReviewResult {
    /**
     * The token is valid for the requested audience.
     *
     * @param user its user, such as {@code system:serviceaccount:kube-system:sluice-agent}
     * @param pod the pod that it is bound to; empty if it names none
     * @param node the node of that pod, or the node that it is bound to; empty if it names none
     */
    record Accepted(String user, Optional<String> pod, Optional<String> node) implements TokenReviewResult {
        public Accepted {
            Objects.requireNonNull(user, "user");
            Objects.requireNonNull(pod, "pod");
            Objects.requireNonNull(node, "node");
        }
    }

    /**
     * The token is invalid, or not for that audience.
     *
     * @param reason for users; contains nothing of the token
     */
    record Rejected(String reason) implements TokenReviewResult {
        public Rejected {
            Objects.requireNonNull(reason, "reason");
        }
    }
}
