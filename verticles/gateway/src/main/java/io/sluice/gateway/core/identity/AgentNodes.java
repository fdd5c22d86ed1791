package io.sluice.gateway.core.identity;

/** The pods for which an agent may request permits, by the node that its token names. */
public enum AgentNodes {
    /** Those of that node. A token that names none is refused. */
    OWN,

    /** Those of that node; with a token that names none, those of any node. */
    CLAIMED,

    /** Those of any node, whatever the token names. */
    ANY
}
