package io.sluice.lab.migration.core;

import io.sluice.units.Resources;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/**
 * Where a plain scheduler puts the target of a migration. It holds no room and asks nobody: what was meant counts only
 * as long as nobody else takes it.
 *
 * @param meant the node that the migration names; empty where it names none
 * @param avoided a node that it must not land on; empty for none
 * @param elsewhere whether it is to miss the node that is meant
 */
public record TargetPlacement(String meant, String avoided, boolean elsewhere) {
    /**
     * What a node has.
     *
     * @param total what it can give
     * @param used what its pods take
     */
    public record Room(Resources total, Resources used) {
        /** The smaller share of CPU and memory that nothing takes. */
        double free() {
            return Math.min(share(total.milliCpu(), used.milliCpu()), share(total.memoryBytes(), used.memoryBytes()));
        }

        private static double share(long total, long used) {
            return total == 0 ? 0 : (double) (total - used) / total;
        }
    }

    /** The node that is meant if it is there, else the one with the most room; the first by name of several. */
    public Optional<String> choose(Map<String, Room> nodes) {
        if (!elsewhere && nodes.containsKey(meant) && !meant.equals(avoided)) {
            return Optional.of(meant);
        }
        return nodes.entrySet().stream()
                .filter(node -> !node.getKey().equals(avoided))
                .filter(node -> !elsewhere || !node.getKey().equals(meant))
                .max(Comparator.<Map.Entry<String, Room>>comparingDouble(
                                node -> node.getValue().free())
                        .thenComparing(Map.Entry::getKey, Comparator.reverseOrder()))
                .map(Map.Entry::getKey);
    }
}
