package io.sluice.ledger.core.state;

import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.util.function.ToLongFunction;

/** Arithmetic for each kind of resource. */
public final class KindArithmetic {
    private KindArithmetic() {}

    public static Resources each(ToLongFunction<ResourceKind> amount) {
        return new Resources(amount.applyAsLong(ResourceKind.CPU), amount.applyAsLong(ResourceKind.MEMORY));
    }
}
