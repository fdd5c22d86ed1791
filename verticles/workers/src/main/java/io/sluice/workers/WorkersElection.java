package io.sluice.workers;

import io.sluice.shell.LogKeys;
import io.sluice.shell.Shell;
import io.sluice.workers.store.FleetTerm;
import io.sluice.workers.store.PostgresDatabase;
import io.sluice.workers.store.PostgresFleetStore;
import io.sluice.workers.store.PostgresLeadership;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.grpc.common.GrpcStatus;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves workers while this process leads those that share a database; while another does, it refuses them with the
 * address of that one. A leader that cannot reach the database goes on with what needs no write, for less time than its
 * successor waits before it counts workers as lost.
 */
public final class WorkersElection extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(WorkersElection.class);
    private static final String PART = "workers.leader";

    /** How long a term goes on by the database's clock. */
    private static final Duration TERM = Duration.ofSeconds(6);

    private static final long RENEW_MS = 2_000;
    private static final int IDLE_SECONDS = 10;

    private final WorkersConfig config;
    private final Shell shell;
    private final PostgresDatabase database;
    private final PostgresLeadership leadership;
    private final List<HttpServer> refusing = new ArrayList<>();
    private Optional<Term> term = Optional.empty();
    private Future<Void> retreat = Future.succeededFuture();
    private String leader = "";
    private boolean failing;

    /** A term of this process. */
    private final class Term implements FleetTerm {
        private final long number;
        private volatile long renewedAtNanos;
        private final Promise<String> deployment = Promise.promise();

        Term(long number, long takenAtNanos) {
            this.number = number;
            this.renewedAtNanos = takenAtNanos;
        }

        @Override
        public boolean goesOn() {
            return System.nanoTime() - renewedAtNanos
                    < TERM.plus(config.recoveryWindow()).toNanos();
        }

        @Override
        public void fenced() {
            over(this, "another process writes the store");
        }
    }

    WorkersElection(WorkersConfig config, Shell shell) {
        this.config = Objects.requireNonNull(config, "config");
        this.shell = Objects.requireNonNull(shell, "shell");
        database = new PostgresDatabase(config.store());
        leadership = new PostgresLeadership(database, address(), TERM);
    }

    /** What serves workers with that store: a file of this process alone, or a database of several. */
    public static VerticleBase of(WorkersConfig config, Shell shell) {
        return config.store().startsWith(PostgresDatabase.SCHEME)
                ? new WorkersElection(config, shell)
                : new WorkersVerticle(config, shell);
    }

    private String address() {
        try {
            boolean every = InetAddress.getByName(config.host()).isAnyLocalAddress();
            return (every ? InetAddress.getLocalHost().getHostName() : config.host()) + ":" + config.port();
        } catch (UnknownHostException unnamed) {
            return config.host() + ":" + config.port();
        }
    }

    @Override
    public Future<?> start() {
        shell.readiness().waitFor(PART, "its database");
        return refuse().onSuccess(listening -> turn());
    }

    private Future<Void> refuse() {
        return context.executeBlocking(
                        () -> ListenerTls.of(config, shell.clock().instant()))
                .compose(tls -> refuse(config.host(), config.port(), tls.workers())
                        .compose(opened -> refuse(config.controlHost(), config.controlPort(), tls.controllers())));
    }

    private Future<Void> refuse(String host, int port, Optional<ServerSSLOptions> identity) {
        return vertx.createHttpServer(WorkersVerticle.listener(host, port, identity, IDLE_SECONDS))
                .requestHandler(this::refuse)
                .listen()
                .onSuccess(refusing::add)
                .mapEmpty();
    }

    private void refuse(HttpServerRequest request) {
        request.response()
                .putHeader("content-type", "application/grpc")
                .putHeader("grpc-status", Integer.toString(GrpcStatus.UNAVAILABLE.code))
                .putHeader(
                        "grpc-message", leader.isEmpty() ? "no process leads" : "the process that leads is " + leader)
                .end();
    }

    private Future<Void> admit() {
        var closed = refusing.stream().map(HttpServer::close).toList();
        refusing.clear();
        return Future.join(closed).mapEmpty();
    }

    /** One turn of the election; the next one follows a while after its end. */
    private void turn() {
        var turned = term.map(this::renew).orElseGet(this::take);
        turned.onFailure(this::failed).onComplete(ended -> vertx.setTimer(RENEW_MS, timer -> turn()));
    }

    private void failed(Throwable failed) {
        if (!failing) {
            LOG.atError()
                    .addKeyValue(LogKeys.ERROR, failed.toString())
                    .log("The database of workers cannot be reached, or does not serve.");
        }
        failing = true;
        term.filter(current -> !current.goesOn())
                .ifPresent(current -> over(current, "its term could not be prolonged"));
    }

    private Future<Void> renew(Term current) {
        long sentAt = System.nanoTime();
        return context.executeBlocking(() -> leadership.renew(current.number)).map(renewed -> {
            failing = false;
            if (renewed) {
                current.renewedAtNanos = sentAt;
            } else {
                over(current, "another process leads");
            }
            return null;
        });
    }

    private Future<Void> take() {
        if (!retreat.isComplete()) {
            return Future.succeededFuture();
        }
        long sentAt = System.nanoTime();
        return context.executeBlocking(() -> {
                    var taken = leadership.take();
                    leader = leadership.leader();
                    return taken;
                })
                .compose(taken -> {
                    failing = false;
                    shell.readiness().ready(PART);
                    return taken.map(number -> lead(new Term(number, sentAt))).orElseGet(Future::succeededFuture);
                });
    }

    private Future<Void> lead(Term begun) {
        term = Optional.of(begun);
        LOG.atInfo().addKeyValue(LogKeys.COUNT, begun.number).log("This process serves the workers now.");
        var verticle = new WorkersVerticle(
                config,
                shell,
                () -> new PostgresFleetStore(
                        database, begun.number, shell.clock().instant()),
                begun);
        // Not awaited: the term is to be prolonged while all rows are read.
        admit().compose(open -> vertx.deployVerticle(verticle))
                .onFailure(failed -> {
                    failed(failed);
                    over(begun, "its store or its listeners could not be opened");
                })
                .onComplete(begun.deployment);
        return Future.succeededFuture();
    }

    private void over(Term ended, String reason) {
        if (term.filter(current -> current == ended).isEmpty()) {
            return;
        }
        term = Optional.empty();
        LOG.atWarn()
                .addKeyValue(LogKeys.COUNT, ended.number)
                .addKeyValue(LogKeys.REASON, reason)
                .log("This process serves the workers no more.");
        retreat = ended.deployment
                .future()
                .compose(vertx::undeploy)
                .transform(undeployed -> refuse())
                .onFailure(this::failed);
    }

    @Override
    public Future<?> stop() {
        var leading = term;
        term = Optional.empty();
        var stopped = leading.map(current -> current.deployment.future().compose(vertx::undeploy))
                .orElseGet(Future::succeededFuture);
        return stopped.transform(done -> context.executeBlocking(() -> {
            leading.ifPresent(current -> leadership.release(current.number));
            leadership.close();
            return null;
        }));
    }
}
