package io.sluice.gateway.listener;

import io.sluice.gateway.core.identity.LoginSessions;
import io.sluice.gateway.core.identity.TokenSet;
import io.sluice.shell.Shell;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;

/**
 * Serves logins: a browser sends a token once ({@code POST /login} with {@code {"token": "..."}}) and gets a cookie,
 * which {@code POST /logout} removes.
 */
final class LoginHandler {
    private static final String LOGIN = "/login";
    private static final String LOGOUT = "/logout";
    private static final int BODY_BYTES_MAX = 4096;
    private static final Duration BODY_WITHIN = Duration.ofSeconds(5);

    private final Vertx vertx;
    private final Shell shell;
    private final LoginSessions logins;
    private final boolean tls;
    private final RefusalCounter refusals;

    LoginHandler(Vertx vertx, Shell shell, LoginSessions logins, boolean tls, RefusalCounter refusals) {
        this.vertx = vertx;
        this.shell = shell;
        this.logins = logins;
        this.tls = tls;
        this.refusals = refusals;
    }

    static boolean isLogin(HttpServerRequest request) {
        return request.method().equals(HttpMethod.POST) && LOGIN.equals(request.path());
    }

    static boolean isLogout(HttpServerRequest request) {
        return request.method().equals(HttpMethod.POST) && LOGOUT.equals(request.path());
    }

    /**
     * Returns the name of this listener's cookie: browsers share cookies among the ports of a host, where other
     * listeners may be.
     */
    static String cookie(HttpServerRequest request) {
        return "sluice-" + request.localAddress().port();
    }

    boolean lets(String pass, TokenSet tokens) {
        return logins.lets(tokens, pass, shell.clock().instant());
    }

    void logOut(HttpServerRequest request) {
        bear(request, "", Duration.ZERO);
    }

    void logIn(HttpServerRequest request, TokenSet tokens) {
        if (tokens.isEmpty()) {
            ShortReplies.error(request, 404, "this listener requires no token");
        } else {
            BodyStart.of(vertx, request, BODY_BYTES_MAX, BODY_WITHIN)
                    .onFailure(late -> ShortReplies.error(request, 408, "the body did not arrive in time"))
                    .onSuccess(body -> logIn(request, body, tokens));
        }
    }

    private void logIn(HttpServerRequest request, byte[] body, TokenSet tokens) {
        var token = token(body);
        if (token.isEmpty()) {
            ShortReplies.error(request, 400, "the body must be {\"token\": \"...\"}");
            return;
        }
        logins.pass(tokens, token.get(), shell.clock().instant())
                .ifPresentOrElse(
                        pass -> bear(request, pass, LoginSessions.VALID_FOR),
                        () -> refusals.refuse(request, 401, "wrong", "this token is not accepted"));
    }

    private void bear(HttpServerRequest request, String pass, Duration atMost) {
        var response = request.response();
        if (response.closed()) {
            return;
        }
        response.addCookie(Cookie.cookie(cookie(request), pass)
                .setHttpOnly(true)
                .setSecure(tls)
                .setSameSite(CookieSameSite.STRICT)
                .setPath("/")
                .setMaxAge(atMost.toSeconds()));
        response.setStatusCode(204).end();
    }

    private static Optional<String> token(byte[] body) {
        try {
            return new JsonObject(Buffer.buffer(body)).getValue("token") instanceof String token
                    ? Optional.of(token)
                    : Optional.empty();
        } catch (DecodeException garbage) {
            return Optional.empty();
        }
    }
}
