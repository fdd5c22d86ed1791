package io.sluice.gateway;

import io.sluice.gateway.core.Admission;
import io.sluice.gateway.core.AgentAnswers;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.AuthenticationHandler;
import io.vertx.ext.web.handler.BodyHandler;
import io.vertx.ext.web.handler.PlatformHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The route of the agent API, for any path. Requests are admitted, and their clients identified, before any byte of a
 * body is read. Only this class of the API depends on the router.
 */
final class AgentRoute {
    private static final Logger LOG = LoggerFactory.getLogger(AgentRoute.class);
    private static final String EXCHANGE = "exchange";
    private static final Buffer NO_BODY = Buffer.buffer();

    private final AgentApi api;

    AgentRoute(AgentApi api) {
        this.api = api;
    }

    void addTo(Router router) {
        router.route()
                .handler((PlatformHandler) this::admit)
                .handler((AuthenticationHandler) this::identify)
                .failureHandler(AgentRoute::failed);
        router.route()
                .handler(BodyHandler.create(false).setBodyLimit(Admission.BODY_BYTES_MAX))
                .handler(this::serve);
    }

    private void admit(RoutingContext context) {
        api.admit(context.request())
                .ifPresent(exchange -> context.put(EXCHANGE, exchange).next());
    }

    /** A body that arrives during a review waits in the connection. */
    private void identify(RoutingContext context) {
        var request = context.request();
        var identified = api.identify(exchange(context));
        if (!identified.isComplete()) {
            request.pause();
        }
        identified.onSuccess(known -> {
            // The body handler takes forms apart; here every body is JSON, whatever its media type.
            request.headers().remove(HttpHeaders.CONTENT_TYPE);
            context.next();
            if (!request.isEnded()) {
                request.resume();
            }
        });
    }

    private void serve(RoutingContext context) {
        var body = context.body().buffer();
        api.serve(exchange(context), body == null ? NO_BODY : body);
    }

    private static void failed(RoutingContext context) {
        var exchange = exchange(context);
        if (exchange == null) {
            context.next();
            return;
        }
        switch (context.statusCode()) {
            case 413 -> exchange.answer(AgentAnswers.BODY_TOO_LONG);
            case 500 -> {
                LOG.atError().setCause(context.failure()).log("A request failed because of a program error.");
                exchange.answer(AgentAnswers.DEFECT);
            }
            default -> exchange.answer(AgentAnswers.BODY_LATE);
        }
    }

    private static Exchange exchange(RoutingContext context) {
        return context.get(EXCHANGE);
    }
}
