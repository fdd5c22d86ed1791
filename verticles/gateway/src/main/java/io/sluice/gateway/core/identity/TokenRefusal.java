package io.sluice.gateway.core.identity;

import java.util.Locale;

/** Why a client with a token is refused. */
public enum TokenRefusal {
    /** The token is invalid or has another audience. */
    TOKEN,
    /** The user of the token is no agent. */
    ACCOUNT,
    /** The token names no node. */
    NODELESS,
    /** The token names another node than that of the requested pod. */
    ELSEWHERE;

    /** Returns its name in metrics and logs. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
