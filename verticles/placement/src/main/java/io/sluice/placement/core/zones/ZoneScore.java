package io.sluice.placement.core.zones;

import io.sluice.devices.NodeZones;
import io.sluice.devices.Zone;
import io.sluice.devices.ZoneFit;
import io.sluice.devices.ZoneRequest;
import io.sluice.units.FixedAmounts;
import java.util.Arrays;
import java.util.stream.LongStream;

/** How well a pod would be aligned on a node, 0 to 100, as it is written in the config. Resources weigh the same. */
public enum ZoneScore {
    /** The emptier the zone would be, the better. */
    LEAST_ALLOCATED {
        @Override
        long of(FixedAmounts wanted, Zone zone) {
            return mean(wanted, zone, (amount, free) -> (free - amount) * HUNDRED / free);
        }
    },
    /** The fuller the zone would be, the better. */
    MOST_ALLOCATED {
        @Override
        long of(FixedAmounts wanted, Zone zone) {
            return mean(wanted, zone, (amount, free) -> amount * HUNDRED / free);
        }
    },
    /** The more equally its resources would be used, the better. */
    BALANCED {
        @Override
        long of(FixedAmounts wanted, Zone zone) {
            var parts = wanted.byKind().entrySet().stream()
                    .mapToDouble(resource -> {
                        long free = zone.available().of(resource.getKey());
                        return free == 0 ? 1 : (double) resource.getValue() / free;
                    })
                    .toArray();
            double mean = Arrays.stream(parts).average().orElse(0);
            double variance = Arrays.stream(parts)
                    .map(part -> (part - mean) * (part - mean))
                    .average()
                    .orElse(0);
            boolean fits = Arrays.stream(parts).allMatch(part -> part <= 1);
            return fits ? (long) ((1 - variance) * HUNDRED) : 0;
        }
    },
    /** The fewer zones, and the nearer, the better. */
    FEWEST_ZONES {
        @Override
        long of(FixedAmounts wanted, Zone zone) {
            throw new UnsupportedOperationException("this score is not of one zone");
        }

        @Override
        long of(NodeZones node, FixedAmounts wanted) {
            return FewestZones.score(node, wanted);
        }
    };

    private static final long HUNDRED = 100;

    /** The part of an amount that is free. */
    private interface Share {
        long of(long amount, long free);
    }

    abstract long of(FixedAmounts wanted, Zone zone);

    /** The smallest score of a zone that is not zero. */
    long of(NodeZones node, FixedAmounts wanted) {
        return node.zones().stream()
                .mapToLong(zone -> of(wanted, zone))
                .filter(score -> score > 0)
                .min()
                .orElse(0);
    }

    /** The score of a node: the mean of what is aligned there. Who requests nothing of zones is aligned anywhere. */
    public long score(NodeZones node, ZoneRequest pod) {
        var scores =
                ZoneFit.parts(node, pod).stream().mapToLong(wanted -> wanted.isNone() ? HUNDRED : of(node, wanted));
        return (long) LongStream.of(scores.toArray()).average().orElse(HUNDRED);
    }

    private static long mean(FixedAmounts wanted, Zone zone, Share share) {
        long sum = 0;
        for (var resource : wanted.byKind().entrySet()) {
            long free = zone.available().of(resource.getKey());
            sum += free == 0 || resource.getValue() > free ? 0 : share.of(resource.getValue(), free);
        }
        return sum / wanted.byKind().size();
    }
}
