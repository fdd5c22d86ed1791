package io.sluice.ledger.core;

/** When an agent's word for its last permit counts beyond the books. */
public enum LastPermitTrust {
    /** Only while the member was loaded and has not been heard from: what lost books granted may be in use. */
    RECOVERY,
    /** Always. An agent that claims more than it was given is then believed; for recorded histories only. */
    ALWAYS
}
