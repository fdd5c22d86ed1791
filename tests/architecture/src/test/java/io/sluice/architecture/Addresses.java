package io.sluice.architecture;

import io.sluice.bus.AgentAddresses;
import io.sluice.bus.BillingAddresses;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.EventAddress;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.MemberAddresses;
import io.sluice.bus.MonitorAddresses;
import io.sluice.bus.PlacementAddresses;
import io.sluice.bus.PodAddresses;
import io.sluice.bus.PressureAddresses;
import io.sluice.bus.RequestAddress;
import io.sluice.bus.VmAddresses;
import io.sluice.bus.WorkerAddresses;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The bus' addresses by the constants that main code names them by: {@code LedgerAddresses.OPEN}, {@code ledger.open}.
 */
final class Addresses {
    private static final List<Class<?>> OWNERS = List.of(
            AgentAddresses.class,
            BillingAddresses.class,
            ClusterAddresses.class,
            LedgerAddresses.class,
            MemberAddresses.class,
            MonitorAddresses.class,
            PlacementAddresses.class,
            PodAddresses.class,
            PressureAddresses.class,
            VmAddresses.class,
            WorkerAddresses.class);

    private Addresses() {}

    /** Each address by its constant. */
    static Map<String, String> byConstant() {
        var names = new TreeMap<String, String>();
        for (var owner : OWNERS) {
            for (var field : owner.getDeclaredFields()) {
                if (Modifier.isPublic(field.getModifiers())) {
                    names.put(owner.getSimpleName() + "." + field.getName(), name(field));
                }
            }
        }
        return names;
    }

    private static String name(Field field) {
        try {
            return switch (field.get(null)) {
                case RequestAddress<?, ?> request -> request.name();
                case EventAddress<?> event -> event.name();
                case Object other -> throw new IllegalStateException(field + " is no address: " + other);
            };
        } catch (IllegalAccessException hidden) {
            throw new AssertionError(hidden);
        }
    }
}
