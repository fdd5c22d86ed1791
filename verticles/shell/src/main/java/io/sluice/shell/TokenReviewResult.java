package io.sluice.shell;

import java.util.Objects;
import java.util.Optional;

/** What was found out about a token. */
public sealed interface TokenReviewResult {
    /**
     * It is good, for the audience that was asked about.
     *
     * @param user whose it is, such as {@code system:serviceaccount:kube-system:sluice-agent}
     * @param pod the pod that it was made for; empty if it names none
     * @param node the node of that pod, or that it was made for; empty if it names none
     */
    record Accepted(String user, Optional<String> pod, Optional<String> node) implements TokenReviewResult {
        public Accepted {
            Objects.requireNonNull(user, "user");
            Objects.requireNonNull(pod, "pod");
            Objects.requireNonNull(node, "node");
        }
    }

    /**
     * It is no good, or not for that audience.
     *
     * @param reason for people; holds nothing of the token
     */
    record Rejected(String reason) implements TokenReviewResult {
        public Rejected {
            Objects.requireNonNull(reason, "reason");
        }
    }
}
