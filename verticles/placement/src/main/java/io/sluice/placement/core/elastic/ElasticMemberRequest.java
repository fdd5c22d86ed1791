package io.sluice.placement.core.elastic;

import io.sluice.units.FixedAmounts;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.util.Objects;

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

    /** How many members there is room for, at most so many. */
    int times(Resources free, FixedAmounts freeFixed, int most) {
        long times = most;
        for (var kind : ResourceKind.values()) {
            times = Math.min(times, amounts.of(kind) == 0 ? most : free.of(kind) / amounts.of(kind));
        }
        for (var kind : fixed.byKind().entrySet()) {
            times = Math.min(times, freeFixed.of(kind.getKey()) / kind.getValue());
        }
        return (int) Math.max(0, times);
    }

    FixedAmounts fixedTimes(int members) {
        var sum = fixed.byKind();
        sum.replaceAll((kind, amount) -> Math.multiplyExact(amount, (long) members));
        return FixedAmounts.of(sum);
    }
}
