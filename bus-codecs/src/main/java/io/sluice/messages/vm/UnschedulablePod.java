package io.sluice.messages.vm;

import java.util.Objects;

/**
 * A pod that no node can take now. Its condition {@code PodScheduled} and an Event get the reason.
 *
 * @param scheduler the name of its scheduler
 * @param reason in a sentence that people read
 */
public record UnschedulablePod(String uid, String namespace, String name, String scheduler, String reason) {
    public UnschedulablePod {
        Objects.requireNonNull(uid, "uid");
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(scheduler, "scheduler");
        Objects.requireNonNull(reason, "reason");
    }
}
