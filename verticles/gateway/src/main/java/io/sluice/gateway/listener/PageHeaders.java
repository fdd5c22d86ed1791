package io.sluice.gateway.listener;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;

/**
 * What every answer to a browser bears, so that a page shows and runs nothing that does not come from this door, and
 * nobody else's page shows it. A handler may replace {@code Cache-Control} where its answer is no secret.
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
