package io.sluice.placement.core.elastic;

import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** What the quotas of namespaces leave. Of a namespace without one, and of a kind that none names, there is no end. */
public final class ElasticQuota {
    /** No namespace has a quota. */
    public static final ElasticQuota NONE = new ElasticQuota(Map.of());

    private static final String CPU = "cpu";
    private static final String MEMORY = "memory";
    private static final String LIMITS_CPU = "limits.cpu";
    private static final String LIMITS_MEMORY = "limits.memory";

    private final Map<String, Map<String, Long>> left;

    /** @param left what is left, by namespace and kind; CPU in thousandths, memory in bytes */
    public ElasticQuota(Map<String, Map<String, Long>> left) {
        this.left = Map.copyOf(Objects.requireNonNull(left, "left"));
    }

    /** How many more members of a job its namespace allows, at most so many. */
    public int allows(ElasticJob job, int most) {
        long allowed = most;
        for (var kind : left.getOrDefault(job.namespace(), Map.of()).entrySet()) {
            long each = each(job.member(), kind.getKey());
            allowed = each == 0 ? allowed : Math.min(allowed, kind.getValue() / each);
        }
        return (int) Math.max(0, allowed);
    }

    /** The same after that many more members. */
    public ElasticQuota taking(ElasticJob job, int members) {
        if (!left.containsKey(job.namespace()) || members == 0) {
            return this;
        }
        var after = new HashMap<>(left);
        var kinds = new HashMap<>(left.get(job.namespace()));
        kinds.replaceAll((kind, amount) -> amount - each(job.member(), kind) * members);
        after.put(job.namespace(), Map.copyOf(kinds));
        return new ElasticQuota(after);
    }

    /** Whether a namespace allows that much more for a pod that exists. */
    boolean allows(String namespace, Resources more) {
        var kinds = left.getOrDefault(namespace, Map.of());
        return more.milliCpu() <= kinds.getOrDefault(CPU, Long.MAX_VALUE)
                && more.memoryBytes() <= kinds.getOrDefault(MEMORY, Long.MAX_VALUE);
    }

    /** The same after a pod got that much more. */
    ElasticQuota taking(String namespace, Resources more) {
        if (!left.containsKey(namespace)) {
            return this;
        }
        var after = new HashMap<>(left);
        var kinds = new HashMap<>(left.get(namespace));
        kinds.computeIfPresent(CPU, (kind, amount) -> amount - more.milliCpu());
        kinds.computeIfPresent(MEMORY, (kind, amount) -> amount - more.memoryBytes());
        after.put(namespace, Map.copyOf(kinds));
        return new ElasticQuota(after);
    }

    private static long each(ElasticMemberRequest member, String kind) {
        return switch (kind) {
            case CPU -> member.amounts().milliCpu();
            case MEMORY -> member.amounts().memoryBytes();
            case LIMITS_CPU -> member.limits().milliCpu();
            case LIMITS_MEMORY -> member.limits().memoryBytes();
            case FixedAmounts.PODS -> 1;
            default -> member.fixed().of(kind);
        };
    }
}
