package io.sluice.gateway.listener;

import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.AuthenticationHandler;
import io.vertx.ext.web.handler.CSPHandler;
import io.vertx.ext.web.handler.SecurityPolicyHandler;
import io.vertx.ext.web.handler.XFrameHandler;
import java.util.List;

/** Builds the router of a listener: its checks come before the routes of its specification, its failures after them. */
final class ListenerRoutes {
    private static final CSPHandler POLICY = CSPHandler.create()
            .addDirective("base-uri", "none")
            .addDirective("object-src", "none")
            .addDirective("form-action", "self")
            .addDirective("frame-ancestors", "none");

    /** What the router itself replies with, where no handler failed. */
    private static final List<Integer> UNROUTED = List.of(400, 404, 405);

    private ListenerRoutes() {}

    static Router of(Vertx vertx, ListenerSpec spec, RequestGuard guard, LoginHandler login) {
        var router = Router.router(vertx);
        boolean browsers = spec.kind() == ListenerSpec.Kind.BROWSERS;
        if (browsers) {
            router.route()
                    .handler(POLICY)
                    .handler(XFrameHandler.create(XFrameHandler.DENY))
                    .handler((SecurityPolicyHandler) ListenerRoutes::keepPageSafe);
        }
        router.route().handler((SecurityPolicyHandler) context -> {
            guard.checkOrigin(context.request());
            context.next();
        });
        if (browsers) {
            login.addLogin(router);
        }
        router.route().handler((AuthenticationHandler) context -> {
            guard.checkCredential(context.request());
            context.next();
        });
        if (browsers) {
            login.addLogout(router);
        }
        spec.routes().accept(router);
        router.route().failureHandler(context -> FailureReply.send(context, context.statusCode()));
        UNROUTED.forEach(status -> router.errorHandler(status, context -> FailureReply.send(context, status)));
        return router;
    }

    /** A handler may replace {@code Cache-Control} if its reply has no secret. */
    private static void keepPageSafe(RoutingContext context) {
        context.response()
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Referrer-Policy", "no-referrer")
                .putHeader("Cross-Origin-Opener-Policy", "same-origin")
                .putHeader("Cross-Origin-Resource-Policy", "same-origin")
                .putHeader("Cache-Control", "no-store");
        context.next();
    }
}
