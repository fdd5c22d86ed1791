package io.sluice.simulation;

/**
 * What happened in one history that broke no invariant.
 *
 * @param seed seed of the history
 * @param events number of events; after each, the invariants are checked
 * @param faults number of faults that were injected
 * @param patches number of size patches that were applied
 * @param permits number of permit requests that the ledger decided
 * @param denials number of those that were granted less than was requested
 * @param refusals number of commands that no ledger process could run
 * @param moves number of VMs that migrated to another node
 * @param loads number of full lists that made an incomplete node complete
 * @param reclaims number of recovered or found reservations that were reclaimed
 * @param evictions number of pods that were evicted for others of higher priority
 * @param gangs number of attempts to start a gang in which enough members were held
 * @param kept number of holds that were denied because of room that is kept
 * @param keptForGangs number of requests to keep room for a gang that were granted
 * @param deferrals number of times that a kubelet deferred a resize of a pod
 * @param withdrawals number of withdrawals of such resizes
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
        long reclaims,
        long evictions,
        long gangs,
        long kept,
        long keptForGangs,
        long deferrals,
        long withdrawals) {
    /** The report of no history. */
    public static final HistoryReport NONE = new HistoryReport(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** The sum of both, under the seed of the other. */
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
                reclaims + other.reclaims,
                evictions + other.evictions,
                gangs + other.gangs,
                kept + other.kept,
                keptForGangs + other.keptForGangs,
                deferrals + other.deferrals,
                withdrawals + other.withdrawals);
    }
}
