package io.sluice.placement.core.elastic;

import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.spec.PodSpec;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * What each member of a job takes of a node; all members of a job are alike.
 *
 * @param amounts CPU and memory
 * @param fixed the other kinds
 * @param limits of CPU and memory, for quotas alone
 */
public record ElasticMemberRequest(Resources amounts, FixedAmounts fixed, Resources limits) {
    public ElasticMemberRequest {
        Objects.requireNonNull(amounts, "amounts");
        Objects.requireNonNull(fixed, "fixed");
        Objects.requireNonNull(limits, "limits");
    }

    /** A member without limits. */
    public ElasticMemberRequest(Resources amounts, FixedAmounts fixed) {
        this(amounts, fixed, Resources.NONE);
    }

    /** So many members as pods that are to be placed, each of which takes one place among the pods of its node. */
    List<PendingPod> pods(String namespace, int members) {
        var requests = fixed.only(kind -> !kind.equals(FixedAmounts.PODS)).byKind();
        return IntStream.range(0, members)
                .mapToObj(Integer::toString)
                .map(name -> new PodSpec.PodId(name, namespace, name, 0))
                .map(id -> new PendingPod(PodSpec.requesting(id, 0, requests), amounts))
                .toList();
    }
}
