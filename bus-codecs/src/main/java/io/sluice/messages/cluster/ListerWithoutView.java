package io.sluice.messages.cluster;

import java.util.Objects;

/**
 * A process has not observed the whole Kubernetes cluster for long. Published each second while that is so: this
 * process does not lead full lists as long as another process observes the whole.
 *
 * @param member id of the process
 * @param reason what it does not observe, in words
 */
public record ListerWithoutView(String member, String reason) {
    public ListerWithoutView {
        Objects.requireNonNull(member, "member");
        Objects.requireNonNull(reason, "reason");
    }
}
