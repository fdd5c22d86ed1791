package io.sluice.simulation;

/**
 * What happened in one history that broke nothing.
 *
 * @param seed of the history
 * @param events how many events there were, each followed by every invariant that it could have broken
 * @param faults how many faults were done to it
 * @param patches how many patches of sizes were applied
 * @param permits how many questions the ledger ruled on
 * @param denials how many of them it granted less than was asked
 * @param refusals how many commands no ledger process could run
 * @param moves how many VMs came to run on another node
 * @param loads how many listings made empty books complete
 * @param settles how many members nobody asked for were settled
 */
public record HistoryReport(
        long seed,
        long events,
        long faults,
        long patches,
        long permits,
        long denials,
        long refusals,
        long moves,
        long loads,
        long settles) {
    /** Of no history at all. */
    public static final HistoryReport NONE = new HistoryReport(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** Both together, under the seed of the other. */
    public HistoryReport plus(HistoryReport other) {
        return new HistoryReport(
                other.seed,
                events + other.events,
                faults + other.faults,
                patches + other.patches,
                permits + other.permits,
                denials + other.denials,
                refusals + other.refusals,
                moves + other.moves,
                loads + other.loads,
                settles + other.settles);
    }
}
