package io.sluice.gateway.listener;

import io.sluice.gateway.core.identity.LoginSessions;
import io.sluice.gateway.core.identity.TokenSet;
import io.sluice.shell.Shell;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import io.vertx.ext.web.handler.HttpException;
import io.vertx.ext.web.handler.PlatformHandler;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Serves logins: a browser sends a token once ({@code POST /login} with {@code {"token": "..."}}) and gets a cookie,
 * which {@code POST /logout} removes.
 */
final class LoginHandler {
    private static final int BODY_BYTES_MAX = 4096;

    private final Shell shell;
    private final LoginSessions logins;
    private final boolean tls;
    private final RefusalCounter refusals;
    private final Supplier<TokenSet> tokens;

    LoginHandler(Shell shell, LoginSessions logins, boolean tls, RefusalCounter refusals, Supplier<TokenSet> tokens) {
        this.shell = shell;
        this.logins = logins;
        this.tls = tls;
        this.refusals = refusals;
        this.tokens = tokens;
    }

    /** Adds the route that needs no credential. */
    void addLogin(Router router) {
        router.post("/login")
                .handler((PlatformHandler) this::begin)
                .handler(BodyHandler.create(false).setBodyLimit(BODY_BYTES_MAX))
                .handler(this::logIn)
                .failureHandler(this::failed);
    }

    /** Adds the route for those who have one. */
    void addLogout(Router router) {
        router.post("/logout").handler(context -> bear(context, "", Duration.ZERO));
    }

    /** Returns the pass that a browser sent. */
    Optional<String> cookie(HttpServerRequest request) {
        return Optional.ofNullable(request.getCookie(name(request))).map(Cookie::getValue);
    }

    boolean lets(String pass, TokenSet accepted) {
        return logins.lets(accepted, pass, shell.clock().instant());
    }

    /**
     * Returns the name of this listener's cookie: browsers share cookies among the ports of a host, where other
     * listeners may be.
     */
    private static String name(HttpServerRequest request) {
        return "sluice-" + request.localAddress().port();
    }

    private void begin(RoutingContext context) {
        if (tokens.get().isEmpty()) {
            throw new HttpException(404, "this listener requires no token");
        }
        Replies.awaitBody(context);
    }

    private void logIn(RoutingContext context) {
        var token = token(context.body().buffer())
                .orElseThrow(() -> new HttpException(400, "the body must be {\"token\": \"...\"}"));
        var pass = logins.pass(tokens.get(), token, shell.clock().instant())
                .orElseThrow(() -> refusals.refuse(context.request(), 401, "wrong", "this token is not accepted"));
        bear(context, pass, LoginSessions.VALID_FOR);
    }

    /** A body that is too long is no token either. */
    private void failed(RoutingContext context) {
        FailureReply.send(context, context.statusCode() == 413 ? 400 : context.statusCode());
    }

    private void bear(RoutingContext context, String pass, Duration atMost) {
        var response = context.response();
        response.addCookie(Cookie.cookie(name(context.request()), pass)
                .setHttpOnly(true)
                .setSecure(tls)
                .setSameSite(CookieSameSite.STRICT)
                .setPath("/")
                .setMaxAge(atMost.toSeconds()));
        response.setStatusCode(204).end();
    }

    private static Optional<String> token(Buffer body) {
        try {
            return body != null && new JsonObject(body).getValue("token") instanceof String token
                    ? Optional.of(token)
                    : Optional.empty();
        } catch (DecodeException garbage) {
            return Optional.empty();
        }
    }
}
