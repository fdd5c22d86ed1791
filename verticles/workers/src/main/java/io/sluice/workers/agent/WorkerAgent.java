package io.sluice.workers.agent;

import io.sluice.shell.Backoff;
import io.sluice.shell.BoundedMap;
import io.sluice.shell.LogKeys;
import io.sluice.workers.ControlClient;
import io.sluice.workers.GrpcMethods;
import io.sluice.workers.WireForm;
import io.sluice.workers.WorkerUse;
import io.sluice.workers.WorkersTls;
import io.sluice.workers.core.FenceLease;
import io.sluice.workers.v1.Capacity;
import io.sluice.workers.v1.CertRequest;
import io.sluice.workers.v1.Goodbye;
import io.sluice.workers.v1.Heartbeat;
import io.sluice.workers.v1.Hello;
import io.sluice.workers.v1.InstanceReport;
import io.sluice.workers.v1.Inventory;
import io.sluice.workers.v1.OrderAck;
import io.sluice.workers.v1.SchedulerFrame;
import io.sluice.workers.v1.Welcome;
import io.sluice.workers.v1.WorkerFrame;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.net.HostAndPort;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.client.GrpcClientRequest;
import io.vertx.grpc.client.GrpcClientResponse;
import io.vertx.grpc.common.GrpcStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers this machine with a scheduler, and does what it orders. Without a scheduler all instances run on, but the
 * exclusive ones, whose guards end them.
 */
public final class WorkerAgent extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerAgent.class);
    private static final Duration RETRY_FIRST = Duration.ofMillis(500);
    private static final Duration RETRY_LONGEST = Duration.ofSeconds(15);
    private static final Duration CONNECT_MAX = Duration.ofSeconds(5);
    private static final Duration HEARTBEAT_FIRST = Duration.ofSeconds(5);
    private static final int HEARTBEATS_PER_LEASE = 3;
    private static final long RENEWAL_MS = 1_000;
    private static final int ANSWERED_MAX = 1_000;
    private static final int SECONDS_BEYOND_GRACE = 3;

    private final WorkerOptions options;
    private final RandomGenerator random;
    private final long boot = System.currentTimeMillis();
    private final BoundedMap<Long, OrderAck> answered = BoundedMap.ofNewest(ANSWERED_MAX);
    private Backoff.Failures retry;
    private Guards guards;
    private Definitions definitions;
    private List<Guards.Guard> earlier = List.of();
    private final MachineUse use = new MachineUse();
    private Instances instances;
    private WorkerIdentity identity;
    private Optional<GrpcClient> client = Optional.empty();
    private Optional<Link> link = Optional.empty();
    private FenceLease fence = FenceLease.NONE;
    private Duration grace = Duration.ofSeconds(10);
    private long lastSeq;
    private int connects;
    private boolean ending;

    public WorkerAgent(WorkerOptions options, RandomGenerator random) {
        this.options = Objects.requireNonNull(options, "options");
        this.random = random;
    }

    /** One session, from its connection on. */
    private static final class Link {
        private final GrpcClientRequest<WorkerFrame, SchedulerFrame> request;
        private Welcome welcome = Welcome.getDefaultInstance();
        private Optional<Long> timer = Optional.empty();
        private Duration every = HEARTBEAT_FIRST;
        private Duration answeredAt = BootClock.now();

        Link(GrpcClientRequest<WorkerFrame, SchedulerFrame> request) {
            this.request = request;
        }

        boolean isWelcome() {
            return welcome.getSessionEpoch() > 0;
        }

        /** On a stream that has just ended it does nothing; its end is noticed by its handlers. */
        void send(WorkerFrame.Builder frame) {
            try {
                request.write(frame.setSessionEpoch(welcome.getSessionEpoch()).build());
            } catch (IllegalStateException ended) {
                LOG.atDebug().addKeyValue(LogKeys.ERROR, ended.toString()).log("The stream has ended.");
            }
        }
    }

    @Override
    public Future<?> start() {
        retry = new Backoff(RETRY_FIRST, RETRY_LONGEST).failures(random);
        return context.executeBlocking(() -> {
                    guards = Guards.in(options.directory(), grace, BootClock.UPTIME);
                    definitions = Definitions.of(options);
                    earlier = guards.earlier();
                    return ControlGroups.below(Path.of("/sys/fs/cgroup"), options.directory());
                })
                .onSuccess(groups -> {
                    if (!groups.limits()) {
                        LOG.atWarn().log("No control groups may be made here, so nothing limits instances.");
                    }
                    instances = new Instances(
                            guards, groups, definitions, task -> context.runOnContext(go -> task.run()), this::report);
                    instances.adopt(earlier);
                    identity = new WorkerIdentity(vertx, options);
                    vertx.setPeriodic(RENEWAL_MS, timer -> renew());
                    connect();
                });
    }

    private void connect() {
        if (ending) {
            return;
        }
        var next = options.schedulers().get(connects++ % options.schedulers().size());
        var requested = identity.current(next).compose(tls -> request(tls, next));
        // A process that is stopped takes connections and never replies.
        requested
                .timeout(CONNECT_MAX.toMillis(), TimeUnit.MILLISECONDS)
                .onSuccess(this::opened)
                .onFailure(failed -> {
                    requested.onSuccess(GrpcClientRequest::cancel);
                    again(failed.toString());
                });
    }

    /** Each connection has a client of its own, as certificates change. */
    private Future<GrpcClientRequest<WorkerFrame, SchedulerFrame>> request(WorkersTls tls, HostAndPort scheduler) {
        client.ifPresent(GrpcClient::close);
        var next = GrpcClient.client(vertx, ControlClient.connection(tls));
        client = Optional.of(next);
        return next.request(
                SocketAddress.inetSocketAddress(scheduler.port(), scheduler.host()), GrpcMethods.SESSION.called());
    }

    private void renew() {
        link.filter(Link::isWelcome)
                .ifPresent(open -> identity.renewal()
                        .onSuccess(request -> {
                            if (!request.isEmpty() && isCurrent(open)) {
                                open.send(WorkerFrame.newBuilder()
                                        .setCert(CertRequest.newBuilder().setCsr(request)));
                            }
                        })
                        .onFailure(WorkerAgent::unusable));
    }

    private static void unusable(Throwable failed) {
        LOG.atError()
                .addKeyValue(LogKeys.ERROR, failed.toString())
                .log("The certificate of this worker could not be renewed.");
    }

    private void opened(GrpcClientRequest<WorkerFrame, SchedulerFrame> request) {
        var opened = new Link(request);
        link = Optional.of(opened);
        request.exceptionHandler(failed -> lost(opened, failed.toString()));
        opened.send(WorkerFrame.newBuilder().setHello(hello()));
        request.response()
                .onSuccess(response -> listen(opened, response))
                .onFailure(failed -> lost(opened, failed.toString()));
        startHeartbeats(opened, HEARTBEAT_FIRST);
    }

    private Hello.Builder hello() {
        return Hello.newBuilder()
                .setWorkerId(options.id())
                .setBootEpoch(boot)
                .setCapacity(Capacity.newBuilder().addAllTotal(WireForm.resources(options.capacity())))
                .putAllLabels(options.labels())
                .addAllRuntimes(definitions.kinds())
                .setSupportsResize(true)
                .addAllInventory(instances.inventory())
                .setLastOrderSeq(lastSeq);
    }

    private void listen(Link opened, GrpcClientResponse<WorkerFrame, SchedulerFrame> response) {
        response.exceptionHandler(failed -> lost(opened, failed.toString()));
        response.errorHandler(failed -> lost(opened, failed.toString()));
        response.endHandler(end -> {
            if (response.status() == GrpcStatus.ABORTED) {
                LOG.atError()
                        .addKeyValue(LogKeys.NODE, options.id())
                        .log("Another program has registered under the name of this worker.");
            }
            lost(opened, String.valueOf(response.statusMessage()));
        });
        response.handler(frame -> {
            if (isCurrent(opened)) {
                received(opened, frame);
            }
        });
    }

    private boolean isCurrent(Link opened) {
        return link.filter(current -> current == opened).isPresent();
    }

    private void lost(Link opened, String reason) {
        if (isCurrent(opened)) {
            link = Optional.empty();
            opened.timer.ifPresent(vertx::cancelTimer);
            opened.request.cancel();
            again(reason);
        }
    }

    private void again(String reason) {
        if (ending) {
            return;
        }
        LOG.atInfo()
                .addKeyValue(LogKeys.REASON, reason)
                .log("There is no session with the scheduler; instances run on.");
        vertx.setTimer(retry.nextMs(), timer -> connect());
    }

    private void startHeartbeats(Link opened, Duration every) {
        opened.timer.ifPresent(vertx::cancelTimer);
        opened.timer = Optional.of(vertx.setPeriodic(every.toMillis(), timer -> beat(opened)));
        opened.every = every;
    }

    private void pace(Link opened, Duration every) {
        if (every.isPositive() && !every.equals(opened.every)) {
            startHeartbeats(opened, every);
        }
    }

    private void beat(Link opened) {
        var silent = BootClock.now().minus(opened.answeredAt);
        long lease = opened.isWelcome()
                ? Math.max(opened.welcome.getLeaseMs(), opened.every.toMillis() * HEARTBEATS_PER_LEASE)
                : RETRY_LONGEST.toMillis();
        if (silent.toMillis() > lease) {
            lost(opened, "nothing came for " + silent.toSeconds() + " s");
        } else if (opened.isWelcome()) {
            heartbeat(opened);
        }
    }

    private void heartbeat(Link opened) {
        opened.send(WorkerFrame.newBuilder()
                .setHeartbeat(Heartbeat.newBuilder()
                        .setAtMs(BootClock.now().toMillis())
                        .setUsage(use.node())
                        .addAllInstances(instances.use(use))
                        .setInstanceSetHash(WorkerUse.hash(instances.live()))));
    }

    private void received(Link opened, SchedulerFrame frame) {
        opened.answeredAt = BootClock.now();
        switch (frame.getFCase()) {
            case WELCOME -> welcomed(opened, frame.getWelcome());
            case HEARTBEAT_ACK -> {
                acknowledged(opened, frame.getHeartbeatAck().getAtMs());
                pace(opened, Duration.ofMillis(frame.getHeartbeatAck().getHeartbeatMs()));
            }
            case ASSIGN, STOP, RESIZE, DRAIN -> order(opened, frame);
            case INVENTORY ->
                opened.send(WorkerFrame.newBuilder()
                        .setInventory(Inventory.newBuilder().addAllItems(instances.inventory())));
            case CERT -> identity.renewed(frame.getCert().getCertificate()).onFailure(WorkerAgent::unusable);
            case F_NOT_SET -> {
                // Nothing that this version requests.
            }
        }
    }

    private void welcomed(Link opened, Welcome welcome) {
        opened.welcome = welcome;
        // The scheduler counts on it before it starts an exclusive instance elsewhere.
        grace = Duration.ofMillis(welcome.getStopGraceMs());
        guards.grace(grace);
        retry.reset();
        startHeartbeats(opened, Duration.ofMillis(welcome.getHeartbeatMs()));
        heartbeat(opened);
        LOG.atInfo()
                .addKeyValue(LogKeys.NODE, options.id())
                .addKeyValue(LogKeys.COUNT, welcome.getSessionEpoch())
                .log("Registered.");
    }

    private void acknowledged(Link opened, long sentAtMs) {
        var next = fence.acknowledged(Duration.ofMillis(sentAtMs), Duration.ofMillis(opened.welcome.getSelfFenceMs()));
        if (!next.equals(fence)) {
            fence = next;
            try {
                guards.extend(fence.until());
            } catch (IOException full) {
                throw new UncheckedIOException("the lease of exclusive instances cannot be written", full);
            }
        }
    }

    private void order(Link opened, SchedulerFrame frame) {
        // Orders of a scheduler that was replaced have an older epoch.
        if (frame.getSessionEpoch() != opened.welcome.getSessionEpoch()) {
            return;
        }
        var ack = answered.computeIfAbsent(frame.getSeq(), seq -> obey(frame));
        lastSeq = Math.max(lastSeq, frame.getSeq());
        opened.send(WorkerFrame.newBuilder().setAck(ack));
    }

    private OrderAck obey(SchedulerFrame frame) {
        var refused = switch (frame.getFCase()) {
            case ASSIGN -> assign(frame);
            case STOP ->
                instances.stop(frame.getStop()) ? Optional.<String>empty() : Optional.of("it does not run here");
            case RESIZE -> instances.resize(frame.getResize());
            case DRAIN -> Optional.of("this version does not drain");
            case WELCOME, HEARTBEAT_ACK, CERT, INVENTORY, F_NOT_SET -> Optional.of("no order");
        };
        return OrderAck.newBuilder()
                .setSeq(frame.getSeq())
                .setAccepted(refused.isEmpty())
                .setReason(refused.orElse(""))
                .build();
    }

    private Optional<String> assign(SchedulerFrame frame) {
        if (frame.getAssign().getExclusive() && fence.isOver(BootClock.now())) {
            return Optional.of("no lease for exclusive instances was acknowledged yet");
        }
        return instances.assign(frame.getAssign());
    }

    private void report(InstanceReport report) {
        link.filter(Link::isWelcome)
                .ifPresent(open -> open.send(WorkerFrame.newBuilder().setReport(report)));
        LOG.atInfo()
                .addKeyValue(LogKeys.VM, report.getInstanceId())
                .addKeyValue(LogKeys.KIND, report.getState())
                .addKeyValue(LogKeys.REASON, report.getReason())
                .log("An instance has another state here.");
    }

    /** Ends all instances, and leaves. */
    @Override
    public Future<?> stop() {
        ending = true;
        if (instances == null) {
            return Future.succeededFuture();
        }
        Promise<Void> ended = Promise.promise();
        long limit =
                BootClock.now().plus(grace).plusSeconds(SECONDS_BEYOND_GRACE).toMillis();
        vertx.setPeriodic(100, timer -> {
            if (instances.stopAll() == 0 || BootClock.now().toMillis() > limit) {
                vertx.cancelTimer(timer);
                ended.complete();
            }
        });
        return ended.future()
                .compose(stopped -> goodbye())
                .eventually(() -> client.map(GrpcClient::close).orElseGet(Future::succeededFuture));
    }

    private Future<Void> goodbye() {
        return link.filter(open -> instances.stopAll() == 0)
                .map(open -> open.request.end(WorkerFrame.newBuilder()
                        .setSessionEpoch(open.welcome.getSessionEpoch())
                        .setGoodbye(Goodbye.newBuilder().setReason("it ends"))
                        .build()))
                .orElseGet(Future::succeededFuture);
    }
}
