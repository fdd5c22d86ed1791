package io.sluice.lab.migration.core;

import io.sluice.units.Resources;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/**
 * How a plain scheduler places the target of a migration. It makes no hold and requests nothing from the ledger: the
 * intended node has room only as long as no other pod takes it.
 *
 * @param meant the node that the migration names; empty if it names none
 * @param avoided a node that must not be chosen; empty for none
 * @param elsewhere whether the node in {@code meant} must not be chosen
 */
public record TargetPlacement(String meant, String avoided, boolean elsewhere) {
    /**
     * The room of a node.
     *
     * @param total its total
     * @param used what its pods take
     */
    public record Room(Resources total, Resources used) {
        /** The smaller free share of CPU and memory. */
        double free() {
            return Math.min(share(total.milliCpu(), used.milliCpu()), share(total.memoryBytes(), used.memoryBytes()));
        }

        private static double share(long total, long used) {
            return total == 0 ? 0 : (double) (total - used) / total;
        }
    }

    /** The intended node if it exists, otherwise the one with the most room; of several, the first by name. */
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
