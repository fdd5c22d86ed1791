package io.sluice.gateway.listener;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;
import java.util.Optional;

/** Reads the bearer token of a request. */
public final class BearerToken {
    private static final String SCHEME = "bearer ";

    private BearerToken() {}

    /** Returns the token; empty if the request has none. */
    public static Optional<String> of(HttpServerRequest request) {
        return Optional.ofNullable(request.getHeader(HttpHeaders.AUTHORIZATION))
                .filter(value -> value.toLowerCase(Locale.ROOT).startsWith(SCHEME))
                .map(value -> value.substring(SCHEME.length()).strip());
    }
}
