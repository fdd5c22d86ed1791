package io.sluice.gateway.listener;

import io.sluice.gateway.core.identity.LoginSessions;
import io.sluice.gateway.core.identity.RequestOrigin;
import io.sluice.gateway.core.identity.RequestOriginRule;
import io.sluice.gateway.core.identity.TokenSet;
import io.sluice.gateway.listener.ListenerSpec.Kind;
import io.sluice.shell.Shell;
import io.vertx.core.Vertx;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks each request before the listener's handler, and passes on only admitted ones. */
final class RequestGuard {
    private static final Logger LOG = LoggerFactory.getLogger(RequestGuard.class);

    private final ListenerSpec spec;
    private final RequestOriginRule provenance;
    private final RefusalCounter refusals;
    private final LoginHandler login;
    private final Supplier<TokenSet> tokens;

    /**
     * Creates a guard.
     *
     * @param tokens the tokens that are accepted now; none if no token is required
     */
    RequestGuard(
            Vertx vertx,
            Shell shell,
            ListenerConfig config,
            ListenerSpec spec,
            Supplier<TokenSet> tokens,
            LoginSessions logins) {
        this.spec = spec;
        this.tokens = tokens;
        provenance = rule(config, spec);
        refusals = new RefusalCounter(shell, spec);
        login = new LoginHandler(vertx, shell, logins, config.tls().areGiven(), refusals);
    }

    void handle(HttpServerRequest request) {
        if (isForBrowsers()) {
            PageHeaders.put(request.response().headers());
        }
        if (refusesQuery(request)) {
            return;
        }
        var refusal = provenance.weigh(provenance(request));
        if (refusal.isPresent()) {
            refusals.refuse(
                    request,
                    refusal.get().status(),
                    refusal.get().word(),
                    refusal.get().sentence());
        } else if (isForBrowsers() && LoginHandler.isLogin(request)) {
            login.logIn(request, tokens.get());
        } else if (spec.reviewing()) {
            weighPresence(request);
        } else if (tokens.get().isEmpty() || spec.exempt().test(request)) {
            handOn(request);
        } else {
            weighCredential(request);
        }
    }

    /** Handles a request on one of the connections that are reserved for probes. */
    void handleProbe(HttpServerRequest request) {
        if (refusesQuery(request)) {
            return;
        }
        if (spec.exempt().test(request)) {
            handle(request);
        } else {
            refusals.refuse(request, 503, "full", "the connection limit is reached: only probes are served");
        }
    }

    /** Vert.x decodes a query on first access, and throws if its encoding is invalid. */
    private boolean refusesQuery(HttpServerRequest request) {
        try {
            return request.query() != null && request.params() == null;
        } catch (IllegalArgumentException undecodable) {
            refusals.refuse(request, 400, "query", "the query of this request cannot be decoded");
            return true;
        }
    }

    /** The handler checks the token; a request without one is refused before that. */
    private void weighPresence(HttpServerRequest request) {
        if (BearerToken.of(request).filter(token -> !token.isEmpty()).isPresent()) {
            handOn(request);
        } else {
            refuseCredential(request, false);
        }
    }

    private void weighCredential(HttpServerRequest request) {
        var bearer = BearerToken.of(request);
        var cookie =
                isForBrowsers() ? Optional.ofNullable(request.getCookie(LoginHandler.cookie(request))) : noCookie();
        if (bearer.isPresent()
                ? tokens.get().contains(bearer.get())
                : cookie.filter(this::lets).isPresent()) {
            handOn(request);
        } else {
            refuseCredential(request, bearer.isPresent() || cookie.isPresent());
        }
    }

    private void refuseCredential(HttpServerRequest request, boolean shown) {
        request.response().putHeader("WWW-Authenticate", "Bearer");
        refusals.refuse(
                request,
                401,
                shown ? "wrong" : "missing",
                shown
                        ? "this credential is not accepted"
                        : "this listener requires a token: Authorization: Bearer ...");
    }

    /** A program error in one request must not leave the request open and must be logged. */
    private void handOn(HttpServerRequest request) {
        try {
            if (isForBrowsers() && LoginHandler.isLogout(request)) {
                login.logOut(request);
            } else {
                spec.handler().handle(request);
            }
        } catch (RuntimeException defect) {
            LOG.atError().setCause(defect).log("A request failed because of a program error.");
            ShortReplies.error(request, 500, "this request failed because of a program error; the log has the cause");
        }
    }

    private boolean isForBrowsers() {
        return spec.kind() == Kind.BROWSERS;
    }

    private boolean lets(Cookie cookie) {
        return login.lets(cookie.getValue(), tokens.get());
    }

    private static Optional<Cookie> noCookie() {
        return Optional.empty();
    }

    private static RequestOriginRule rule(ListenerConfig config, ListenerSpec spec) {
        var rule = RequestOriginRule.anyName(config.tls().areGiven());
        if (spec.kind() == Kind.BROWSERS) {
            rule = rule.withPaths();
        }
        return spec.kind() == Kind.PROGRAMS || !config.isLoopback() ? rule : rule.onlyNamed(spec.names());
    }

    private static RequestOrigin provenance(HttpServerRequest request) {
        return new RequestOrigin(
                request.path() == null ? "" : request.path(),
                Optional.ofNullable(request.getHeader(HttpHeaders.HOST)),
                Optional.ofNullable(request.getHeader(HttpHeaders.ORIGIN)),
                Optional.ofNullable(request.getHeader("Sec-Fetch-Site")),
                Optional.ofNullable(request.getHeader("Sec-Fetch-Mode")));
    }
}
