package io.sluice.ledger.core;

/** When the last permit that an agent names counts although the ledger has no record of it. */
public enum LastPermitTrust {
    /**
     * Only for a reservation that was loaded after a loss and has had no request since: lost state may have granted it.
     */
    RECOVERY,
    /** Always. An agent that names more than it was granted then gets it; for recorded histories only. */
    ALWAYS
}
