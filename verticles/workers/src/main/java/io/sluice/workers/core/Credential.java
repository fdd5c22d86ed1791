package io.sluice.workers.core;

import java.time.Instant;
import java.util.Map;
import java.util.Set;

/**
 * What a worker was issued when it enrolled.
 *
 * @param key the fingerprint of the only key that it may register with; empty if any certificate of its name will do
 * @param endsAt when its newest certificate ends
 * @param labels those of its token; it cannot claim others of these keys
 * @param runtimes the only kinds of instances that it may run; empty for all
 */
public record Credential(String key, Instant endsAt, Map<String, String> labels, Set<String> runtimes) {
    /** Of a worker that never enrolled. */
    public static final Credential NONE = new Credential("", Instant.EPOCH, Map.of(), Set.of());

    public Credential {
        labels = Map.copyOf(labels);
        runtimes = Set.copyOf(runtimes);
    }

    boolean refuses(String other) {
        return !key.isEmpty() && !key.equals(other);
    }

    Credential until(Instant end) {
        return new Credential(key, end, labels, runtimes);
    }
}
