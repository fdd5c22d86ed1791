package io.sluice.gateway.listener;

import io.micrometer.core.instrument.Gauge;
import io.netty.channel.Channel;
import io.sluice.gateway.core.identity.LoginSessions;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Shell;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.Router;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open listener. Its routes get only admitted requests, on the context that opened the listener; they must not set a
 * response's {@code endHandler}, nor add one to the routing context, which would replace the listener's own.
 *
 * <p>Certificate and tokens are read again every few seconds; if they cannot be read, the last good ones stay in force.
 * When a token is removed, all connections are closed: some may have been admitted by it. When a first token is added,
 * they are closed too: they were admitted without one.
 */
public final class HttpListener {
    private static final Logger LOG = LoggerFactory.getLogger(HttpListener.class);
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final int PORTS_TRIED_MAX = 50;
    private static final int PORT_MAX = 65_535;
    private static final int SECRET_BYTES = 32;

    private final Vertx vertx;
    private final Context context;
    private final Shell shell;
    private final ListenerConfig config;
    private final ListenerSpec spec;
    private final ListenerSecrets secrets;
    private final ConnectionLimit limit;
    private final Connections connections;
    private final ListenerTimeouts timeouts;
    private final Router router;
    private HttpServer server;
    private long tick;
    private long renewal;
    private volatile int port;

    private HttpListener(
            Vertx vertx, Shell shell, ListenerConfig config, ListenerSpec spec, ListenerTimeouts timeouts) {
        this.vertx = vertx;
        this.shell = shell;
        this.config = config;
        this.spec = spec;
        context = vertx.getOrCreateContext();
        secrets = new ListenerSecrets(vertx, shell, config, spec);
        this.timeouts = timeouts;
        limit = new ConnectionLimit(spec.capacity());
        connections = new Connections(timeouts);
        var secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        var refusals = new RefusalCounter(shell, spec);
        var login =
                new LoginHandler(shell, new LoginSessions(secret), config.tls().areGiven(), refusals, secrets::tokens);
        router =
                ListenerRoutes.of(vertx, spec, new RequestGuard(config, spec, refusals, login, secrets::tokens), login);
    }

    /** Opens a listener; fails with a sentence that names the key to change. To be called on a verticle's context. */
    public static Future<HttpListener> open(Vertx vertx, Shell shell, ListenerConfig config, ListenerSpec spec) {
        return open(vertx, shell, config, spec, ListenerTimeouts.USUAL);
    }

    static Future<HttpListener> open(
            Vertx vertx, Shell shell, ListenerConfig config, ListenerSpec spec, ListenerTimeouts timeouts) {
        try {
            config.checked(spec.section(), spec.reviewing());
        } catch (IllegalArgumentException refused) {
            return Future.failedFuture(refused);
        }
        var listener = new HttpListener(vertx, shell, config, spec, timeouts);
        return listener.secrets
                .first()
                .compose(read -> listener.listen(config.port(), PORTS_TRIED_MAX))
                .map(listening -> listener.opened(listening));
    }

    /** Returns its port. Safe from any thread. */
    public int port() {
        return port;
    }

    /** Returns its URL on this machine, such as {@code http://127.0.0.1:8080/}. Safe from any thread. */
    public String url() {
        String host = switch (config.host()) {
            case "0.0.0.0", "::" -> "127.0.0.1";
            default -> config.host().contains(":") ? "[" + config.host() + "]" : config.host();
        };
        return (config.tls().areGiven() ? "https://" : "http://") + host + ":" + port + "/";
    }

    /**
     * Reads certificate, key and tokens from the files of the new config. Safe from any thread.
     *
     * @return fails with a sentence if they cannot be read, or if more than the files changed; then the old config
     *     stays in force
     */
    public Future<Void> reload(ListenerConfig next) {
        return onContext(() -> {
            if (!next.host().equals(config.host()) || next.port() != config.port()) {
                return Future.failedFuture(
                        new IllegalArgumentException(spec.section() + ": a change of host or port needs a restart"));
            }
            if (next.tls().areGiven() != config.tls().areGiven()) {
                return Future.failedFuture(new IllegalArgumentException(spec.section()
                        + ".tls can be renewed while the listener is open;"
                        + " to begin or end TLS needs a restart"));
            }
            next.checked(spec.section(), spec.reviewing());
            return secrets.from(next);
        });
    }

    /** Closes it. Safe from any thread. */
    public Future<Void> close() {
        return onContext(() -> {
            vertx.cancelTimer(tick);
            vertx.cancelTimer(renewal);
            return secrets.quiet().compose(quiet -> server.close());
        });
    }

    private Future<HttpServer> listen(int wanted, int triesLeft) {
        var options = ListenerOptions.options(config.host(), wanted, secrets.identity());
        var opening = LimitedVertx.server(vertx, options, limit::admits)
                .connectionHandler(this::connected)
                .requestHandler(this::handle);
        return ListenerOptions.open(opening, spec.section(), config.host(), wanted)
                .recover(failure -> {
                    boolean another = spec.kind() == ListenerSpec.Kind.BROWSERS
                            && ListenerOptions.isTaken(failure)
                            && triesLeft > 1
                            && wanted < PORT_MAX;
                    return another ? listen(wanted + 1, triesLeft - 1) : Future.failedFuture(failure);
                });
    }

    private HttpListener opened(HttpServer listening) {
        server = listening;
        port = listening.actualPort();
        secrets.handTo(identity -> listening.updateSSLOptions(identity.options()), connections::closeAll);
        tick = vertx.setPeriodic(TICK.toMillis(), timer -> connections.tick(now()));
        renewal = vertx.setPeriodic(timeouts.renewal().toMillis(), timer -> secrets.again());
        Gauge.builder("sluice.gateway.connections", limit, ConnectionLimit::kept)
                .description("Open connections of a listener.")
                .tag("listener", spec.label())
                .register(shell.meters());
        boolean unguarded = config.isUnguarded(spec.reviewing());
        var level = unguarded ? LOG.atWarn() : LOG.atInfo();
        level.addKeyValue(LogKeys.KEY, spec.section())
                .addKeyValue(LogKeys.ENDPOINT, url())
                .log(unguarded ? "A listener is open without access control." : "A listener is open.");
        return this;
    }

    private void connected(HttpConnection connection) {
        OneRequestAtATime.on(channel(connection), timeouts.taking());
        connections.opened(connection, now());
    }

    private void handle(HttpServerRequest request) {
        var connection = request.connection();
        connections.began(connection);
        request.response().endHandler(ended -> {
            connections.ended(connection, now());
            if (ConnectionLimit.isForProbes(channel(connection))) {
                connection.close();
            } else if (!request.isEnded()) {
                connections.discardBody(request, now());
            }
        });
        router.handle(request);
    }

    static Channel channel(HttpConnection connection) {
        return ((ConnectionBase) connection).channel();
    }

    private Instant now() {
        return shell.clock().instant();
    }

    private Future<Void> onContext(Supplier<Future<Void>> action) {
        var promise = Promise.<Void>promise();
        context.runOnContext(
                go -> Future.succeededFuture().compose(now -> action.get()).onComplete(promise));
        return promise.future();
    }
}
