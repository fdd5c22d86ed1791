package io.sluice.gateway.listener;

import io.micrometer.core.instrument.Gauge;
import io.netty.channel.Channel;
import io.sluice.gateway.core.LoginSessions;
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
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A door that listens. Its handler is only ever called for requests that may come in, on the context that opened it;
 * the handler must leave each response's {@code endHandler} to the door.
 *
 * <p>Certificate and tokens are read again every few seconds; what cannot be read leaves the last good ones in force.
 * When a token goes, so do all connections: some may have been let in by it. So they do when a first token comes: they
 * were let in without one.
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
    private final ListenerSpec doorway;
    private final ListenerSecrets secrets;
    private final ConnectionLimit limit;
    private final Connections connections;
    private final ListenerTimeouts patience;
    private final RequestGuard guard;
    private HttpServer server;
    private long tick;
    private long renewal;
    private volatile int port;

    private HttpListener(
            Vertx vertx, Shell shell, ListenerConfig config, ListenerSpec doorway, ListenerTimeouts patience) {
        this.vertx = vertx;
        this.shell = shell;
        this.config = config;
        this.doorway = doorway;
        context = vertx.getOrCreateContext();
        secrets = new ListenerSecrets(vertx, shell, config, doorway);
        this.patience = patience;
        limit = new ConnectionLimit(doorway.capacity());
        connections = new Connections(patience);
        var secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        guard = new RequestGuard(vertx, shell, config, doorway, secrets::tokens, new LoginSessions(secret));
    }

    /** Opens a door; fails with a sentence that names the key to change. To be called on a verticle's context. */
    public static Future<HttpListener> open(Vertx vertx, Shell shell, ListenerConfig config, ListenerSpec doorway) {
        return open(vertx, shell, config, doorway, ListenerTimeouts.USUAL);
    }

    static Future<HttpListener> open(
            Vertx vertx, Shell shell, ListenerConfig config, ListenerSpec doorway, ListenerTimeouts patience) {
        try {
            config.checked(doorway.section(), doorway.reviewing());
        } catch (IllegalArgumentException refused) {
            return Future.failedFuture(refused);
        }
        var door = new HttpListener(vertx, shell, config, doorway, patience);
        return door.secrets
                .first()
                .compose(read -> door.listen(config.port(), PORTS_TRIED_MAX))
                .map(listening -> door.opened(listening));
    }

    /** The port it listens on. Safe from any thread. */
    public int port() {
        return port;
    }

    /** Where it is reached from this machine, such as {@code http://127.0.0.1:8080/}. Safe from any thread. */
    public String url() {
        String host = switch (config.host()) {
            case "0.0.0.0", "::" -> "127.0.0.1";
            default -> config.host().contains(":") ? "[" + config.host() + "]" : config.host();
        };
        return (config.tls().areGiven() ? "https://" : "http://") + host + ":" + port + "/";
    }

    /**
     * Reads certificate, key and tokens from where the new config says. Safe from any thread.
     *
     * @return fails with a sentence where they cannot be read, or where more than they is new; the old go on then
     */
    public Future<Void> reload(ListenerConfig next) {
        return onContext(() -> {
            if (!next.host().equals(config.host()) || next.port() != config.port()) {
                return Future.failedFuture(
                        new IllegalArgumentException(doorway.section() + ": host and port take a restart"));
            }
            if (next.tls().areGiven() != config.tls().areGiven()) {
                return Future.failedFuture(new IllegalArgumentException(doorway.section()
                        + ".tls can be renewed while the door is open;" + " to begin or end with TLS takes a restart"));
            }
            next.checked(doorway.section(), doorway.reviewing());
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
        return ListenerOptions.open(opening, doorway.section(), config.host(), wanted)
                .recover(failure -> {
                    boolean another = doorway.kind() == ListenerSpec.Kind.BROWSERS
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
        renewal = vertx.setPeriodic(patience.renewal().toMillis(), timer -> secrets.again());
        Gauge.builder("sluice.gateway.connections", limit, ConnectionLimit::kept)
                .description("Connections that a door keeps.")
                .tag("door", doorway.label())
                .register(shell.meters());
        boolean unguarded = config.isUnguarded(doorway.reviewing());
        var level = unguarded ? LOG.atWarn() : LOG.atInfo();
        level.addKeyValue(LogKeys.KEY, doorway.section())
                .addKeyValue(LogKeys.ENDPOINT, url())
                .log(unguarded ? "A door is open to whoever reaches it." : "A door is open.");
        return this;
    }

    private void connected(HttpConnection connection) {
        OneRequestAtATime.on(channel(connection), patience.taking());
        connections.opened(connection, now());
    }

    private void handle(HttpServerRequest request) {
        var connection = request.connection();
        boolean forProbes = ConnectionLimit.isForProbes(channel(connection));
        connections.began(connection);
        request.response().endHandler(ended -> {
            connections.ended(connection, now());
            if (forProbes) {
                connection.close();
            }
        });
        if (forProbes) {
            guard.handleProbe(request);
        } else {
            guard.handle(request);
        }
    }

    private static Channel channel(HttpConnection connection) {
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
