package io.sluice.simulation.model;

/** Counts what happened in a history, so that one in which nothing did is told from others. */
public final class Tally {
    private long permits;
    private long denials;
    private long refusals;
    private long patches;
    private long moves;
    private long loads;
    private long settles;

    void ruled(boolean cut) {
        permits++;
        denials += cut ? 1 : 0;
    }

    void refused() {
        refusals++;
    }

    /** Commands that no ledger process could run. */
    public long refusals() {
        return refusals;
    }

    void patched() {
        patches++;
    }

    void moved() {
        moves++;
    }

    void loaded() {
        loads++;
    }

    void settled() {
        settles++;
    }

    /** Questions that the ledger ruled on. */
    public long permits() {
        return permits;
    }

    /** Those of them that were granted less than was asked. */
    public long denials() {
        return denials;
    }

    /** Patches that were applied. */
    public long patches() {
        return patches;
    }

    /** VMs that came to run on another node by a migration. */
    public long moves() {
        return moves;
    }

    /** Listings that made books complete. */
    public long loads() {
        return loads;
    }

    /** Members that were settled. */
    public long settles() {
        return settles;
    }
}
