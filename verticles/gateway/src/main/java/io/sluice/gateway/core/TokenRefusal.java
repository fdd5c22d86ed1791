package io.sluice.gateway.core;

import java.util.Locale;

/** Why somebody with a token is turned away. */
public enum TokenRefusal {
    /** The token is no good, or was made for others. */
    TOKEN,
    /** Whose it is may not ask. */
    ACCOUNT,
    /** It names no node. */
    NODELESS,
    /** It names another node than that of the pod that was asked for. */
    ELSEWHERE;

    /** By which metrics and logs know it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
