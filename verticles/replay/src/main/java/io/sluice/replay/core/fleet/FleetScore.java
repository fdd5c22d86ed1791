package io.sluice.replay.core.fleet;

import java.util.List;

/**
 * What a day cost. The names of the three shares are those of the paper.
 *
 * @param policy its name
 * @param kilowattHours the energy of all nodes
 * @param migrations how many were begun
 * @param slatah the share of the time of nodes that are on in which they had less than was requested
 * @param pdm the share of the requested CPU that migrations took
 * @param shutdowns how often a node was switched off; one that was never used counts once
 * @param use for each period a character for each node: {@code -} if it is off, else the tenth of its CPU in use
 * @param migrationsByPeriod how many were begun in each period
 */
public record FleetScore(
        String policy,
        double kilowattHours,
        int migrations,
        double slatah,
        double pdm,
        int shutdowns,
        List<String> use,
        List<Integer> migrationsByPeriod) {
    public FleetScore {
        use = List.copyOf(use);
        migrationsByPeriod = List.copyOf(migrationsByPeriod);
    }

    /** The product of both shares. */
    public double slav() {
        return slatah * pdm;
    }

    /** Energy times SLAV. */
    public double esv() {
        return kilowattHours * slav();
    }
}
