package io.sluice.simulation.engine;

/** Counts what happened in a history, so that a history in which nothing happened is noticed. */
public final class Tally {
    private long permits;
    private long denials;
    private long refusals;
    private long patches;
    private long moves;
    private long loads;
    private long reclaims;
    private long evictions;
    private long gangs;
    private long kept;
    private long keptForGangs;
    private long deferred;
    private long withdrawn;

    public void ruled(boolean cut) {
        permits++;
        denials += cut ? 1 : 0;
    }

    public void refused() {
        refusals++;
    }

    /** Commands that no ledger process could run. */
    public long refusals() {
        return refusals;
    }

    public void patched() {
        patches++;
    }

    public void moved() {
        moves++;
    }

    public void loaded() {
        loads++;
    }

    public void settled() {
        reclaims++;
    }

    public void gathered() {
        gangs++;
    }

    /** Attempts to start a gang in which enough members were held. */
    public long gangs() {
        return gangs;
    }

    public void evicted() {
        evictions++;
    }

    public void deferred() {
        deferred++;
    }

    /** Times that a kubelet deferred a resize of a pod. */
    public long deferrals() {
        return deferred;
    }

    public void withdrawn() {
        withdrawn++;
    }

    /** Withdrawals of resizes of pods that were sent. */
    public long withdrawals() {
        return withdrawn;
    }

    /** A hold was denied because of room that is kept. */
    public void deniedForKeptRoom() {
        kept++;
    }

    /** A ledger keeps room for a gang. */
    public void keptForGang() {
        keptForGangs++;
    }

    /** Requests to keep room for a gang that were granted. */
    public long keptForGangs() {
        return keptForGangs;
    }

    /** Holds that were denied because of room that is kept. */
    public long kept() {
        return kept;
    }

    /** Pods that were evicted for others of higher priority. */
    public long evictions() {
        return evictions;
    }

    /** Permit requests that the ledger decided. */
    public long permits() {
        return permits;
    }

    /** Permit requests that were granted less than was requested. */
    public long denials() {
        return denials;
    }

    /** Patches that were applied. */
    public long patches() {
        return patches;
    }

    /** VMs that were migrated to another node. */
    public long moves() {
        return moves;
    }

    /** Full lists that made a node complete. */
    public long loads() {
        return loads;
    }

    /** Reservations that were reclaimed. */
    public long settles() {
        return reclaims;
    }
}
