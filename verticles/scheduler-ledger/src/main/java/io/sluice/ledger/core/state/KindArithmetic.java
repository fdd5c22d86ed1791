package io.sluice.ledger.core.state;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.util.function.ToLongFunction;

/** Arithmetic for each kind of resource, and the conversion between a VM's scale and its node's scale. */
public final class KindArithmetic {
    private static final long NONE_MILLI = 1000;

    private KindArithmetic() {}

    public static Resources each(ToLongFunction<ResourceKind> amount) {
        return new Resources(amount.applyAsLong(ResourceKind.CPU), amount.applyAsLong(ResourceKind.MEMORY));
    }

    static long factor(Overcommit overcommit, ResourceKind kind) {
        return switch (kind) {
            case CPU -> overcommit.cpuMilli();
            case MEMORY -> overcommit.memoryMilli();
        };
    }

    /** Converts a pod's amount to the node's scale: {@code amount * 1000 / factor}, rounded down. */
    static Resources onNode(Resources amount, Overcommit overcommit) {
        if (overcommit.equals(Overcommit.OFF)) {
            return amount;
        }
        return each(kind -> scaled(amount.of(kind), NONE_MILLI, factor(overcommit, kind)));
    }

    /** Converts an amount of the node to a pod's scale: {@code amount * factor / 1000}, rounded down. */
    public static long forMember(long onNode, Overcommit overcommit, ResourceKind kind) {
        return scaled(onNode, factor(overcommit, kind), NONE_MILLI);
    }

    /** Divides before it multiplies, so that only a result beyond 64 bits overflows. */
    private static long scaled(long amount, long times, long by) {
        long whole = Math.multiplyExact(amount / by, times);
        return Math.addExact(whole, Math.multiplyExact(amount % by, times) / by);
    }
}
