package io.sluice.gateway.listener;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;

/**
 * The headers of every reply to a browser: a page loads and runs only content of this listener, and no other page
 * frames it. A handler may replace {@code Cache-Control} if its reply has no secret.
 */
final class PageHeaders {
    private static final String POLICY =
            "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self';" + " frame-ancestors 'none'";

    private PageHeaders() {}

    static void put(MultiMap headers) {
        headers.set("Content-Security-Policy", POLICY)
                .set("X-Content-Type-Options", "nosniff")
                .set("X-Frame-Options", "DENY")
                .set("Referrer-Policy", "no-referrer")
                .set("Cross-Origin-Opener-Policy", "same-origin")
                .set("Cross-Origin-Resource-Policy", "same-origin")
                .set(HttpHeaders.CACHE_CONTROL, "no-store");
    }
}
