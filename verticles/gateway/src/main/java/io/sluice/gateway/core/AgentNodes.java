package io.sluice.gateway.core;

/** Whose pods an agent may ask for, by the node that its token names. */
public enum AgentNodes {
    /** Those of that node. A token that names none lets in nobody. */
    OWN,

    /** Those of that node; with a token that names none, those of any. */
    CLAIMED,

    /** Those of any node, whatever the token names. */
    ANY
}
