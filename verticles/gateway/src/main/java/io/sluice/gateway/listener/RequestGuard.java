package io.sluice.gateway.listener;

import io.sluice.gateway.core.LoginSessions;
import io.sluice.gateway.core.RequestOrigin;
import io.sluice.gateway.core.RequestOriginRule;
import io.sluice.gateway.core.TokenSet;
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

/** Looks at each request before the door's handler does, and hands on only what may come in. */
final class RequestGuard {
    private static final Logger LOG = LoggerFactory.getLogger(RequestGuard.class);

    private final ListenerSpec doorway;
    private final RequestOriginRule provenance;
    private final RefusalCounter refusals;
    private final LoginHandler desk;
    private final Supplier<TokenSet> tokens;

    /**
     * A guard.
     *
     * @param tokens those that let in at the moment; none if everybody may come in
     */
    RequestGuard(
            Vertx vertx,
            Shell shell,
            ListenerConfig config,
            ListenerSpec doorway,
            Supplier<TokenSet> tokens,
            LoginSessions logins) {
        this.doorway = doorway;
        this.tokens = tokens;
        provenance = rule(config, doorway);
        refusals = new RefusalCounter(shell, doorway);
        desk = new LoginHandler(vertx, shell, logins, config.tls().areGiven(), refusals);
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
            desk.logIn(request, tokens.get());
        } else if (doorway.reviewing()) {
            weighPresence(request);
        } else if (tokens.get().isEmpty() || doorway.exempt().test(request)) {
            handOn(request);
        } else {
            weighCredential(request);
        }
    }

    /** On one of the connections that are left when all others are taken. */
    void handleProbe(HttpServerRequest request) {
        if (refusesQuery(request)) {
            return;
        }
        if (doorway.exempt().test(request)) {
            handle(request);
        } else {
            refusals.refuse(request, 503, "full", "as many connections are open as are kept: only probes are answered");
        }
    }

    /** Vert.x decodes a query when it is looked at, and throws at one that is not encoded as it must be. */
    private boolean refusesQuery(HttpServerRequest request) {
        try {
            return request.query() != null && request.params() == null;
        } catch (IllegalArgumentException undecodable) {
            refusals.refuse(request, 400, "query", "the query of this request cannot be decoded");
            return true;
        }
    }

    /** Its handler looks at the token; who shows none is turned away before that. */
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
                shown ? "this credential does not let in" : "this door asks for a token: Authorization: Bearer ...");
    }

    /** A defect met by one request must not leave it open, nor go unheard. */
    private void handOn(HttpServerRequest request) {
        try {
            if (isForBrowsers() && LoginHandler.isLogout(request)) {
                desk.logOut(request);
            } else {
                doorway.handler().handle(request);
            }
        } catch (RuntimeException defect) {
            LOG.atError().setCause(defect).log("A request met a defect of the program.");
            ShortReplies.error(request, 500, "this request met a defect of the program; its log says which");
        }
    }

    private boolean isForBrowsers() {
        return doorway.kind() == Kind.BROWSERS;
    }

    private boolean lets(Cookie cookie) {
        return desk.lets(cookie.getValue(), tokens.get());
    }

    private static Optional<Cookie> noCookie() {
        return Optional.empty();
    }

    private static RequestOriginRule rule(ListenerConfig config, ListenerSpec doorway) {
        var rule = RequestOriginRule.anyName(config.tls().areGiven());
        if (doorway.kind() == Kind.BROWSERS) {
            rule = rule.withPaths();
        }
        return doorway.kind() == Kind.PROGRAMS || !config.isLoopback() ? rule : rule.onlyNamed(doorway.names());
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
