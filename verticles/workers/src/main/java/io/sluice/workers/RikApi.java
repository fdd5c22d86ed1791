package io.sluice.workers;

import com.google.protobuf.Empty;
import io.sluice.units.Resources;
import io.sluice.workers.control.v1.StatusEvent;
import io.sluice.workers.core.InstanceReport;
import io.sluice.workers.core.InstanceReport.Observed;
import io.sluice.workers.core.InstanceSpec;
import io.sluice.workers.core.Order;
import io.sluice.workers.core.WorkerHello;
import io.sluice.workers.rik.common.InstanceMetric;
import io.sluice.workers.rik.common.ResourceStatus;
import io.sluice.workers.rik.common.WorkerMetric;
import io.sluice.workers.rik.common.WorkerRegistration;
import io.sluice.workers.rik.common.WorkerStatus;
import io.sluice.workers.rik.common.WorkloadRequestKind;
import io.sluice.workers.rik.controller.WorkloadScheduling;
import io.sluice.workers.rik.worker.InstanceScheduling;
import io.sluice.workers.v1.SchedulerFrame;
import io.vertx.core.Future;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerRequest;
import io.vertx.grpc.server.GrpcServerResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Serves RIK's agents and controllers. Such an agent acknowledges no order, cannot resize, and ends its instances when
 * its stream ends, so each registration is a new start of it.
 */
final class RikApi {
    private static final ServiceName WORKER = ServiceName.create("worker.Worker");
    private static final ServiceName CONTROLLER = ServiceName.create("controller.Controller");
    private static final GrpcMethods.Method<WorkerRegistration, InstanceScheduling> REGISTER = new GrpcMethods.Method<>(
            WORKER, "Register", WorkerRegistration.getDefaultInstance(), InstanceScheduling.getDefaultInstance());
    private static final GrpcMethods.Method<WorkerStatus, Empty> STATUS = new GrpcMethods.Method<>(
            WORKER, "SendStatusUpdates", WorkerStatus.getDefaultInstance(), Empty.getDefaultInstance());
    private static final GrpcMethods.Method<WorkloadScheduling, Empty> SCHEDULE = new GrpcMethods.Method<>(
            CONTROLLER, "ScheduleInstance", WorkloadScheduling.getDefaultInstance(), Empty.getDefaultInstance());
    private static final GrpcMethods.Method<Empty, WorkerStatus> UPDATES = new GrpcMethods.Method<>(
            CONTROLLER, "GetStatusUpdates", Empty.getDefaultInstance(), WorkerStatus.getDefaultInstance());

    /** What an instance has whose definition requests nothing. */
    private static final Resources USUAL = new Resources(250, 200L << 20);

    private static final Set<String> KINDS = Set.of("Pod", "Function");
    private static final long MILLI = 1_000;

    private final FleetRuntime runtime;
    private final double reserve;
    private final Duration held;
    private final Map<String, Agent> agents = new HashMap<>();

    /** An agent's stream, and when it last sent metrics. */
    private static final class Agent {
        private final WorkerSessions.Session session;
        private Optional<Instant> metricsAt = Optional.empty();

        Agent(WorkerSessions.Session session) {
            this.session = session;
        }
    }

    RikApi(FleetRuntime runtime, WorkersConfig config) {
        this.runtime = runtime;
        this.reserve = config.reserve();
        var longer = config.rik().lease().minus(config.lease());
        held = longer.isNegative() ? Duration.ZERO : longer;
    }

    void serveWorkers(GrpcServer server) {
        server.callHandler(REGISTER.served(), request -> request.handler(first -> register(request, first)));
        server.callHandler(STATUS.served(), this::statuses);
    }

    void serveControllers(GrpcServer server) {
        GrpcRefusal.answer(server, SCHEDULE, any -> true, this::schedule);
        server.callHandler(UPDATES.served(), this::watch);
    }

    /** Renews the leases of agents whose metrics came lately: they send them more rarely than frames. */
    void tick() {
        var now = runtime.now();
        agents.values()
                .removeIf(
                        agent -> runtime.sessions().find(agent.session.number()).isEmpty());
        agents.values().stream()
                .filter(agent -> agent.metricsAt
                        .filter(at -> now.isBefore(at.plus(held)))
                        .isPresent())
                .forEach(agent -> agent.session
                        .worker()
                        .ifPresent(worker -> runtime.fleet().frame(worker, agent.session.number(), now)));
    }

    private void register(
            GrpcServerRequest<WorkerRegistration, InstanceScheduling> request, WorkerRegistration registration) {
        var response = request.response();
        var host = registration.getHostname();
        boolean taken = Optional.ofNullable(agents.get(host))
                .flatMap(agent -> runtime.sessions().find(agent.session.number()))
                .isPresent();
        if (!Names.isName(host)) {
            end(response, GrpcStatus.FAILED_PRECONDITION, "a hostname is " + Names.FORM);
        } else if (taken) {
            end(response, GrpcStatus.ALREADY_EXISTS, "hostname " + host + " is registered");
        } else {
            var session = runtime.sessions().open(new Orders(request), Instant.MAX, runtime.now());
            agents.put(host, new Agent(session));
            request.exceptionHandler(failed -> runtime.ended(session));
            response.exceptionHandler(failed -> runtime.ended(session));
            response.writeHead();
        }
    }

    private static void end(GrpcServerResponse<?, ?> response, GrpcStatus status, String reason) {
        response.status(status).statusMessage(reason).end();
    }

    /** Orders as RIK's agents read them. */
    private final class Orders implements WorkerSessions.Stream {
        private final GrpcServerRequest<WorkerRegistration, InstanceScheduling> request;

        Orders(GrpcServerRequest<WorkerRegistration, InstanceScheduling> request) {
            this.request = request;
        }

        @Override
        public boolean isFull() {
            return request.response().writeQueueFull();
        }

        @Override
        public void write(SchedulerFrame frame) {
            switch (frame.getFCase()) {
                case ASSIGN ->
                    order(
                            frame.getAssign().getInstanceId(),
                            frame.getAssign().getDefinition(),
                            WorkloadRequestKind.CREATE);
                case STOP ->
                    order(
                            frame.getStop().getInstanceId(),
                            runtime.fleet()
                                    .instance(frame.getStop().getInstanceId())
                                    .map(instance -> instance.spec().definition())
                                    .orElse("{}"),
                            WorkloadRequestKind.DESTROY);
                case WELCOME, RESIZE, DRAIN, HEARTBEAT_ACK, CERT, INVENTORY, F_NOT_SET -> {
                    // RIK has no such message.
                }
            }
        }

        private void order(String instance, String definition, WorkloadRequestKind action) {
            request.response()
                    .write(InstanceScheduling.newBuilder()
                            .setInstanceId(instance)
                            .setDefinition(definition)
                            .setAction(action)
                            .build());
        }

        @Override
        public void close(GrpcStatus status, String reason) {
            end(request.response(), status, reason);
        }

        @Override
        public void pause() {
            // It sends nothing here.
        }

        @Override
        public void resume() {
            // It sends nothing here.
        }
    }

    private void statuses(GrpcServerRequest<WorkerStatus, Empty> request) {
        request.handler(status ->
                Optional.ofNullable(agents.get(status.getIdentifier())).ifPresent(agent -> received(agent, status)));
        request.endHandler(end -> request.response().end(Empty.getDefaultInstance()));
    }

    private void received(Agent agent, WorkerStatus status) {
        var now = runtime.now();
        switch (status.getStatusCase()) {
            case WORKER -> {
                if (status.getWorker().getStatus() == ResourceStatus.RUNNING) {
                    agent.metricsAt = Optional.of(now);
                    metrics(agent, status.getIdentifier(), status.getWorker().getMetrics());
                }
            }
            case INSTANCE -> agent.session.worker().ifPresent(worker -> report(agent, worker, status.getInstance()));
            case STATUS_NOT_SET -> {
                // Without contents.
            }
        }
        runtime.apply();
    }

    private void metrics(Agent agent, String host, String metrics) {
        long number = agent.session.number();
        if (agent.session.worker().isPresent()) {
            runtime.fleet().frame(agent.session.worker().get(), number, runtime.now());
            return;
        }
        capacity(metrics).ifPresent(total -> {
            var id = WorkerHello.RIK + host;
            agent.session.registered(id);
            var hello = new WorkerHello(
                    id,
                    "",
                    runtime.now().toEpochMilli(),
                    WireForm.withoutReserve(total, reserve),
                    Map.of(),
                    KINDS,
                    false,
                    List.of(),
                    0);
            runtime.fleet().opened(hello, number, runtime.now());
        });
    }

    private static Optional<Resources> capacity(String metrics) {
        try {
            var json = new JsonObject(metrics);
            long cpu = json.getJsonObject("cpu").getInteger("total") * MILLI;
            long memory = json.getJsonObject("memory").getLong("total");
            return cpu > 0 && memory > 0 ? Optional.of(new Resources(cpu, memory)) : Optional.empty();
        } catch (DecodeException | ClassCastException | NullPointerException unreadable) {
            return Optional.empty();
        }
    }

    /** A report stands for the acknowledgement of what it shows. */
    private void report(Agent agent, String worker, InstanceMetric metric) {
        var observed = switch (metric.getStatus()) {
            case CREATING -> Optional.of(Observed.CREATING);
            case RUNNING -> Optional.of(Observed.RUNNING);
            case FAILED -> Optional.of(Observed.FAILED);
            case TERMINATED -> Optional.of(Observed.TERMINATED);
            case DESTROYING -> Optional.of(Observed.DESTROYING);
            case UNKNOWN, PENDING, UNRECOGNIZED -> Optional.<Observed>empty();
        };
        var instance =
                runtime.fleet().instanceOn(worker, metric.getInstanceId()).filter(known -> observed.isPresent());
        instance.ifPresent(known -> {
            var now = runtime.now();
            boolean ends = !observed.get().isLive() || observed.get() == Observed.DESTROYING;
            runtime.fleet().orders(worker).stream()
                    .filter(order -> order.instance().equals(known.id()))
                    .filter(order -> order.kind() == Order.Kind.ASSIGN || ends)
                    .forEach(order ->
                            runtime.fleet().acknowledged(worker, agent.session.number(), order.seq(), true, "", now));
            runtime.fleet()
                    .reported(
                            worker,
                            agent.session.number(),
                            new InstanceReport(
                                    known.id(), known.numbers().generation(), observed.get(), "as RIK reports", 0),
                            now);
        });
    }

    private Future<Empty> schedule(WorkloadScheduling request) {
        if (runtime.storeDown()) {
            throw new GrpcRefusal(GrpcStatus.UNAVAILABLE, "the store cannot be written");
        }
        var outcome = switch (request.getAction()) {
            case CREATE -> runtime.fleet().submit(spec(request), runtime.now());
            case DESTROY -> runtime.fleet().remove(request.getInstanceId(), runtime.now());
            case UNRECOGNIZED -> throw new GrpcRefusal(GrpcStatus.INVALID_ARGUMENT, "there is no such action");
        };
        return runtime.apply().map(durable -> {
            GrpcRefusal.unlessAccepted(outcome);
            return Empty.getDefaultInstance();
        });
    }

    /** RIK does not start what failed again. */
    private static InstanceSpec spec(WorkloadScheduling request) {
        if (!Names.isName(request.getInstanceId())) {
            throw new GrpcRefusal(GrpcStatus.INVALID_ARGUMENT, "an instance's id is " + Names.FORM);
        }
        try {
            var kind = new JsonObject(request.getDefinition()).getString("kind", "");
            if (KINDS.contains(kind)) {
                return new InstanceSpec(
                        request.getWorkloadId(),
                        request.getInstanceId(),
                        request.getDefinition(),
                        kind,
                        USUAL,
                        false,
                        InstanceSpec.Restart.NEVER,
                        Map.of(),
                        InstanceSpec.Gang.NONE);
            }
        } catch (DecodeException | ClassCastException unreadable) {
            throw new GrpcRefusal(GrpcStatus.INVALID_ARGUMENT, "the definition is no JSON object with a kind");
        }
        throw new GrpcRefusal(GrpcStatus.INVALID_ARGUMENT, "the kind of a definition is Pod or Function");
    }

    private void watch(GrpcServerRequest<Empty, WorkerStatus> request) {
        var watcher = runtime.events().watcher(request, RikApi::shown);
        request.handler(empty -> {
            request.response().writeHead();
            runtime.events().watch(watcher, runtime.events().last(), List::of);
        });
    }

    private static WorkerStatus shown(StatusEvent event) {
        var status = WorkerStatus.newBuilder();
        if (event.hasInstance()) {
            var instance = event.getInstance();
            return status.setIdentifier(instance.getWorkerId())
                    .setInstance(InstanceMetric.newBuilder()
                            .setStatus(state(instance.getState()))
                            .setInstanceId(instance.getInstanceId())
                            .setMetrics(new JsonObject()
                                    .put("workload_id", instance.getWorkloadId())
                                    .encode()))
                    .build();
        }
        return status.setIdentifier(event.getWorker().getWorkerId())
                .setWorker(WorkerMetric.newBuilder()
                        .setStatus(
                                event.getWorker().getState().equals("READY")
                                        ? ResourceStatus.RUNNING
                                        : ResourceStatus.UNKNOWN)
                        .setMetrics("null"))
                .build();
    }

    private static ResourceStatus state(String state) {
        return switch (state) {
            case "PENDING", "ASSIGNED" -> ResourceStatus.PENDING;
            case "CREATING", "RECREATING" -> ResourceStatus.CREATING;
            case "RUNNING" -> ResourceStatus.RUNNING;
            case "DESTROYING" -> ResourceStatus.DESTROYING;
            case "TERMINATED" -> ResourceStatus.TERMINATED;
            case "FAILED" -> ResourceStatus.FAILED;
            default -> ResourceStatus.UNKNOWN;
        };
    }
}
