package io.sluice.workers;

import com.google.protobuf.Message;
import io.sluice.units.Resources;
import io.sluice.workers.control.v1.InstanceList;
import io.sluice.workers.control.v1.InstanceRef;
import io.sluice.workers.control.v1.ListRequest;
import io.sluice.workers.control.v1.StatusEvent;
import io.sluice.workers.control.v1.SubmitResult;
import io.sluice.workers.control.v1.UpdateRequest;
import io.sluice.workers.control.v1.WatchRequest;
import io.sluice.workers.control.v1.WorkerList;
import io.sluice.workers.control.v1.WorkloadSpec;
import io.sluice.workers.core.Instance;
import io.sluice.workers.core.InstanceSpec;
import io.sluice.workers.core.InstanceState;
import io.sluice.workers.core.Outcome;
import io.vertx.core.Future;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerRequest;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** What controllers and the command line request. */
final class ControlApi {
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?");

    private final FleetRuntime runtime;

    ControlApi(FleetRuntime runtime) {
        this.runtime = runtime;
    }

    /** A request that is refused with a status of gRPC. */
    private static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final transient GrpcStatus status;

        Refusal(GrpcStatus status, String reason) {
            super(reason, null, false, false);
            this.status = status;
        }
    }

    void serve(GrpcServer server) {
        answer(server, GrpcMethods.SUBMIT, this::submit);
        answer(server, GrpcMethods.UPDATE, this::update);
        answer(server, GrpcMethods.REMOVE, this::remove);
        answer(server, GrpcMethods.INSTANCES, this::instances);
        answer(server, GrpcMethods.WORKERS, this::workers);
        server.callHandler(GrpcMethods.WATCH.served(), this::watch);
    }

    private static <Q extends Message, A extends Message> void answer(
            GrpcServer server, GrpcMethods.Method<Q, A> method, Function<Q, Future<A>> answer) {
        server.callHandler(
                method.served(),
                request -> request.last()
                        .compose(answer)
                        .onSuccess(reply -> request.response().end(reply))
                        .onFailure(failed -> {
                            var status = failed instanceof Refusal refusal ? refusal.status : GrpcStatus.INTERNAL;
                            request.response()
                                    .status(status)
                                    .statusMessage(String.valueOf(failed.getMessage()))
                                    .end();
                        }));
    }

    private Future<SubmitResult> submit(WorkloadSpec request) {
        return unlessStoreDown(() -> {
            var outcome = runtime.fleet().submit(spec(request), runtime.now());
            return runtime.apply().map(durable -> result(outcome, request.getInstanceId()));
        });
    }

    private static InstanceSpec spec(WorkloadSpec request) {
        if (!NAME.matcher(request.getInstanceId()).matches()) {
            throw new Refusal(
                    GrpcStatus.INVALID_ARGUMENT, "an instance's id is of lower-case letters, digits, dots and dashes");
        }
        var amounts = WireForm.amounts(request.getRequestsList());
        if (amounts.hasZero()) {
            throw new Refusal(GrpcStatus.INVALID_ARGUMENT, "an instance requests CPU and memory above zero");
        }
        return new InstanceSpec(
                request.getWorkloadId(),
                request.getInstanceId(),
                request.getDefinition(),
                runtimeOf(request.getDefinition()),
                amounts,
                request.getExclusive(),
                switch (request.getRestart()) {
                    case ON_FAILURE -> InstanceSpec.Restart.ON_FAILURE;
                    case ALWAYS -> InstanceSpec.Restart.ALWAYS;
                    case NEVER -> InstanceSpec.Restart.NEVER;
                    case UNRECOGNIZED ->
                        throw new Refusal(GrpcStatus.INVALID_ARGUMENT, "there is no such restart policy");
                },
                request.getSelectorMap());
    }

    /** The definition itself may have secrets, so no message quotes it. */
    private static String runtimeOf(String definition) {
        try {
            var kind = new JsonObject(definition).getString("kind", "");
            if (!kind.isEmpty()) {
                return kind;
            }
        } catch (DecodeException | ClassCastException unreadable) {
            throw new Refusal(GrpcStatus.INVALID_ARGUMENT, "the definition is no JSON object with a kind");
        }
        throw new Refusal(GrpcStatus.INVALID_ARGUMENT, "the definition has no kind");
    }

    private Future<SubmitResult> update(UpdateRequest request) {
        return unlessStoreDown(() -> {
            var id = request.getInstanceId();
            var target = WireForm.amounts(request.getRequestsList());
            if (target.hasZero()) {
                throw new Refusal(GrpcStatus.INVALID_ARGUMENT, "an instance requests CPU and memory above zero");
            }
            var may = runtime.fleet().mayResize(id, target);
            var found = runtime.fleet().instance(id);
            if (may.code() != Outcome.Code.ACCEPTED || found.isEmpty()) {
                return Future.succeededFuture(result(may, id));
            }
            var instance = found.get();
            boolean grows = instance.state() != InstanceState.PENDING && target.exceeds(instance.granted());
            return grows ? grow(instance, target) : resized(instance, target);
        });
    }

    private Future<SubmitResult> grow(Instance instance, Resources target) {
        return runtime.resizer()
                .grow(instance, target.max(instance.granted()))
                .recover(failed -> Future.failedFuture(new Refusal(GrpcStatus.UNAVAILABLE, failed.getMessage())))
                .compose(missing -> {
                    if (missing.isPresent()) {
                        throw new Refusal(GrpcStatus.RESOURCE_EXHAUSTED, missing.get());
                    }
                    return resized(instance, target);
                });
    }

    private Future<SubmitResult> resized(Instance instance, Resources target) {
        var outcome = runtime.fleet().resized(instance.id(), instance.numbers().generation(), target, runtime.now());
        return runtime.apply().map(durable -> result(outcome, instance.id()));
    }

    private Future<SubmitResult> remove(InstanceRef request) {
        return unlessStoreDown(() -> {
            var outcome = runtime.fleet().remove(request.getInstanceId(), runtime.now());
            return runtime.apply().map(durable -> result(outcome, request.getInstanceId()));
        });
    }

    private Future<SubmitResult> unlessStoreDown(Supplier<Future<SubmitResult>> request) {
        return runtime.storeDown()
                ? Future.failedFuture(new Refusal(GrpcStatus.UNAVAILABLE, "the store cannot be written"))
                : request.get();
    }

    private static SubmitResult result(Outcome outcome, String instance) {
        var status = switch (outcome.code()) {
            case ACCEPTED -> GrpcStatus.OK;
            case ALREADY_EXISTS -> GrpcStatus.ALREADY_EXISTS;
            case NOT_FOUND -> GrpcStatus.NOT_FOUND;
            case NEVER_FITS -> GrpcStatus.FAILED_PRECONDITION;
            case NO_ROOM, TOO_MANY -> GrpcStatus.RESOURCE_EXHAUSTED;
        };
        if (status != GrpcStatus.OK) {
            throw new Refusal(status, outcome.reason());
        }
        return SubmitResult.newBuilder()
                .setAccepted(true)
                .setInstanceId(instance)
                .setGeneration(outcome.generation())
                .build();
    }

    private Future<InstanceList> instances(ListRequest request) {
        return Future.succeededFuture(InstanceList.newBuilder()
                .addAllInstances(runtime.fleet().instances().stream()
                        .map(WireForm::shown)
                        .toList())
                .build());
    }

    private Future<WorkerList> workers(ListRequest request) {
        return Future.succeededFuture(
                WorkerList.newBuilder().addAllWorkers(runtime.workers()).build());
    }

    private void watch(GrpcServerRequest<WatchRequest, StatusEvent> request) {
        var watcher = request.response();
        request.exceptionHandler(failed -> runtime.events().gone(watcher));
        request.errorHandler(failed -> runtime.events().gone(watcher));
        watcher.exceptionHandler(failed -> runtime.events().gone(watcher));
        request.handler(from -> runtime.events().watch(watcher, from.getFromSeq(), runtime::snapshot));
    }
}
