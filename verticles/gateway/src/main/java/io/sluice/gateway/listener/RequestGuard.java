package io.sluice.gateway.listener;

import io.sluice.gateway.core.identity.RequestOrigin;
import io.sluice.gateway.core.identity.RequestOriginRule;
import io.sluice.gateway.core.identity.TokenSet;
import io.sluice.gateway.listener.ListenerSpec.Kind;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.handler.HttpException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Checks each request before the listener's routes; a refused one fails with its status and sentence.
 *
 * <p>The library's own authentication handlers are not used: they let every {@code OPTIONS} request through whose
 * {@code Access-Control-Request-Headers} names {@code Authorization}.
 */
final class RequestGuard {
    private final ListenerSpec spec;
    private final RequestOriginRule rule;
    private final RefusalCounter refusals;
    private final LoginHandler login;
    private final Supplier<TokenSet> tokens;

    /** @param tokens the tokens that are accepted now; none if no token is required */
    RequestGuard(
            ListenerConfig config,
            ListenerSpec spec,
            RefusalCounter refusals,
            LoginHandler login,
            Supplier<TokenSet> tokens) {
        this.spec = spec;
        this.refusals = refusals;
        this.login = login;
        this.tokens = tokens;
        rule = rule(config, spec);
    }

    /**
     * Refuses a request whose query cannot be decoded, one that a foreign page may have caused, and on a connection
     * that is reserved for probes one that is no probe.
     */
    void checkOrigin(HttpServerRequest request) {
        checkQuery(request);
        if (ConnectionLimit.isForProbes(HttpListener.channel(request.connection()))
                && !spec.exempt().test(request)) {
            throw refusals.refuse(request, 503, "full", "the connection limit is reached: only probes are served");
        }
        rule.weigh(origin(request)).ifPresent(found -> {
            throw refusals.refuse(request, found.status(), found.word(), found.sentence());
        });
    }

    /** Refuses a request without a valid credential. Where the routes review tokens, it only refuses a missing one. */
    void checkCredential(HttpServerRequest request) {
        var bearer = BearerToken.of(request);
        if (spec.reviewing()) {
            if (bearer.filter(token -> !token.isEmpty()).isEmpty()) {
                throw missing(request);
            }
        } else if (!tokens.get().isEmpty() && !spec.exempt().test(request)) {
            weighCredential(request, bearer);
        }
    }

    /** Vert.x decodes a query on first access, and throws if its encoding is invalid. */
    private void checkQuery(HttpServerRequest request) {
        try {
            if (request.query() != null) {
                request.params();
            }
        } catch (IllegalArgumentException undecodable) {
            throw refusals.refuse(request, 400, "query", "the query of this request cannot be decoded");
        }
    }

    private void weighCredential(HttpServerRequest request, Optional<String> bearer) {
        var cookie = spec.kind() == Kind.BROWSERS ? login.cookie(request) : Optional.<String>empty();
        boolean valid = bearer.isPresent()
                ? tokens.get().contains(bearer.get())
                : cookie.filter(pass -> login.lets(pass, tokens.get())).isPresent();
        if (!valid) {
            throw bearer.isPresent() || cookie.isPresent()
                    ? refusals.refuse(request, 401, "wrong", "this credential is not accepted")
                    : missing(request);
        }
    }

    private HttpException missing(HttpServerRequest request) {
        return refusals.refuse(request, 401, "missing", "this listener requires a token: Authorization: Bearer ...");
    }

    private static RequestOriginRule rule(ListenerConfig config, ListenerSpec spec) {
        var rule = RequestOriginRule.anyName(config.tls().areGiven());
        if (spec.kind() == Kind.BROWSERS) {
            rule = rule.withPaths();
        }
        return spec.kind() == Kind.PROGRAMS || !config.isLoopback() ? rule : rule.onlyNamed(spec.names());
    }

    private static RequestOrigin origin(HttpServerRequest request) {
        return new RequestOrigin(
                request.path() == null ? "" : request.path(),
                Optional.ofNullable(request.getHeader(HttpHeaders.HOST)),
                Optional.ofNullable(request.getHeader(HttpHeaders.ORIGIN)),
                Optional.ofNullable(request.getHeader("Sec-Fetch-Site")),
                Optional.ofNullable(request.getHeader("Sec-Fetch-Mode")));
    }
}
