package io.sluice.workers;

import com.google.protobuf.Message;
import io.sluice.units.Resources;
import io.sluice.workers.control.v1.BanRequest;
import io.sluice.workers.control.v1.DrainRequest;
import io.sluice.workers.control.v1.ExplainRequest;
import io.sluice.workers.control.v1.Explanation;
import io.sluice.workers.control.v1.InstanceList;
import io.sluice.workers.control.v1.InstanceRef;
import io.sluice.workers.control.v1.ListRequest;
import io.sluice.workers.control.v1.StatusEvent;
import io.sluice.workers.control.v1.SubmitResult;
import io.sluice.workers.control.v1.UpdateRequest;
import io.sluice.workers.control.v1.UpdateStrategy;
import io.sluice.workers.control.v1.WatchRequest;
import io.sluice.workers.control.v1.WorkerInfo;
import io.sluice.workers.control.v1.WorkerList;
import io.sluice.workers.control.v1.WorkloadSpec;
import io.sluice.workers.core.FleetExplanation;
import io.sluice.workers.core.Instance;
import io.sluice.workers.core.InstanceSpec;
import io.sluice.workers.core.InstanceState;
import io.sluice.workers.core.Outcome;
import io.sluice.workers.core.Worker;
import io.sluice.workers.identity.ClientIdentity;
import io.sluice.workers.kubernetes.PodObject;
import io.vertx.core.Future;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerRequest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** What controllers and the command line request. */
final class ControlApi {
    private final FleetRuntime runtime;
    private final EnrolApi enrolment;

    ControlApi(FleetRuntime runtime, EnrolApi enrolment) {
        this.runtime = runtime;
        this.enrolment = enrolment;
    }

    void serve(GrpcServer server) {
        answer(server, GrpcMethods.SUBMIT, this::submit);
        answer(server, GrpcMethods.UPDATE, this::update);
        answer(server, GrpcMethods.REMOVE, this::remove);
        answer(server, GrpcMethods.INSTANCES, this::instances);
        answer(server, GrpcMethods.WORKERS, this::workers);
        answer(server, GrpcMethods.JOIN_TOKEN, request -> unlessStoreDown(() -> enrolment.token(request)));
        answer(server, GrpcMethods.CERTIFICATE, enrolment::controller);
        answer(server, GrpcMethods.EXPLAIN, this::explain);
        answer(server, GrpcMethods.BAN, this::ban);
        answer(server, GrpcMethods.DRAIN, this::drain);
        server.callHandler(GrpcMethods.WATCH.served(), this::watch);
    }

    private static <Q extends Message, A extends Message> void answer(
            GrpcServer server, GrpcMethods.Method<Q, A> method, Function<Q, Future<A>> answer) {
        GrpcRefusal.answer(server, method, ControlApi::isController, answer);
    }

    private static boolean isController(GrpcServerRequest<?, ?> request) {
        return ClientIdentity.of(request.connection()).mayControl();
    }

    private Future<SubmitResult> submit(WorkloadSpec request) {
        return unlessStoreDown(() -> {
            var outcome = runtime.fleet().submit(spec(request), runtime.now());
            return runtime.apply().map(durable -> result(outcome, request.getInstanceId()));
        });
    }

    private static InstanceSpec spec(WorkloadSpec request) {
        if (!Names.isName(request.getInstanceId())) {
            throw new GrpcRefusal(GrpcStatus.INVALID_ARGUMENT, "an instance's id is " + Names.FORM);
        }
        var amounts = WireForm.amounts(request.getRequestsList());
        if (amounts.hasZero()) {
            throw new GrpcRefusal(GrpcStatus.INVALID_ARGUMENT, "an instance requests CPU and memory above zero");
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
                        throw new GrpcRefusal(GrpcStatus.INVALID_ARGUMENT, "there is no such restart policy");
                },
                request.getSelectorMap(),
                gang(request),
                target(request));
    }

    /** What a pod of Kubernetes lacks is found before the instance is accepted. */
    private static InstanceSpec.Target target(WorkloadSpec request) {
        var target = switch (request.getOn()) {
            case WORKERS -> InstanceSpec.Target.WORKERS;
            case ANYWHERE -> InstanceSpec.Target.ANYWHERE;
            case KUBERNETES -> InstanceSpec.Target.KUBERNETES;
            case UNRECOGNIZED -> throw new GrpcRefusal(GrpcStatus.INVALID_ARGUMENT, "there is no such target");
        };
        if (target != InstanceSpec.Target.WORKERS) {
            PodObject.unfit(request.getDefinition()).ifPresent(reason -> {
                throw new GrpcRefusal(GrpcStatus.INVALID_ARGUMENT, reason);
            });
        }
        return target;
    }

    private static InstanceSpec.Gang gang(WorkloadSpec request) {
        if (!request.hasGang()) {
            return InstanceSpec.Gang.NONE;
        }
        var gang = request.getGang();
        if (!Names.isName(gang.getName())) {
            throw new GrpcRefusal(GrpcStatus.INVALID_ARGUMENT, "a gang's name is " + Names.FORM);
        }
        if (gang.getMinMembers() < 1 || gang.getMinMembers() > InstanceSpec.Gang.LEAST_MAX) {
            throw new GrpcRefusal(
                    GrpcStatus.INVALID_ARGUMENT,
                    "min_members of a gang is 1 to " + InstanceSpec.Gang.LEAST_MAX + ", not " + gang.getMinMembers());
        }
        return new InstanceSpec.Gang(gang.getName(), gang.getMinMembers());
    }

    /** The definition itself may have secrets, so no message quotes it. */
    private static String runtimeOf(String definition) {
        try {
            var kind = new JsonObject(definition).getString("kind", "");
            if (!kind.isEmpty()) {
                return kind;
            }
        } catch (DecodeException | ClassCastException unreadable) {
            throw new GrpcRefusal(GrpcStatus.INVALID_ARGUMENT, "the definition is no JSON object with a kind");
        }
        throw new GrpcRefusal(GrpcStatus.INVALID_ARGUMENT, "the definition has no kind");
    }

    private Future<SubmitResult> update(UpdateRequest request) {
        return unlessStoreDown(() -> {
            var id = request.getInstanceId();
            var target = WireForm.amounts(request.getRequestsList());
            if (target.hasZero()) {
                throw new GrpcRefusal(GrpcStatus.INVALID_ARGUMENT, "an instance requests CPU and memory above zero");
            }
            if (request.getStrategy() == UpdateStrategy.RECREATE || request.getStrategy() == UpdateStrategy.REPLACE) {
                return amend(request, target);
            }
            if (request.getStrategy() != UpdateStrategy.IN_PLACE
                    || !request.getDefinition().isEmpty()) {
                throw new GrpcRefusal(
                        GrpcStatus.INVALID_ARGUMENT, "another definition needs the strategy RECREATE or REPLACE");
            }
            var may = runtime.fleet().mayResize(id, target);
            var found = runtime.fleet().instance(id);
            if (may.code() != Outcome.Code.ACCEPTED || found.isEmpty()) {
                return Future.succeededFuture(result(may, id));
            }
            var instance = found.get();
            boolean grows = instance.state() != InstanceState.PENDING && target.exceeds(instance.granted());
            return grows ? granted(instance, target, () -> resized(instance, target)) : resized(instance, target);
        });
    }

    /** Another content, or a start elsewhere. */
    private Future<SubmitResult> amend(UpdateRequest request, Resources target) {
        var id = request.getInstanceId();
        var definition = request.getDefinition();
        var found = runtime.fleet().instance(id);
        if (found.isEmpty()) {
            throw new GrpcRefusal(GrpcStatus.NOT_FOUND, "there is no instance " + id);
        }
        var instance = found.get();
        var spec = instance.spec().amended(definition, definition.isEmpty() ? "" : runtimeOf(definition), target);
        boolean elsewhere = request.getStrategy() == UpdateStrategy.REPLACE;
        GrpcRefusal.unlessAccepted(runtime.fleet().mayAmend(spec, elsewhere));
        if (elsewhere) {
            return replace(instance, spec);
        }
        boolean grows = instance.state() != InstanceState.PENDING && target.exceeds(instance.granted());
        return grows ? granted(instance, target, () -> recreate(instance, spec)) : recreate(instance, spec);
    }

    private Future<SubmitResult> recreate(Instance instance, InstanceSpec spec) {
        var outcome =
                runtime.fleet().recreated(instance.id(), instance.numbers().generation(), spec, runtime.now());
        return runtime.apply().map(durable -> result(outcome, instance.id()));
    }

    /** The reply waits for the first attempt to place it: without room nothing changes. */
    private Future<SubmitResult> replace(Instance instance, InstanceSpec spec) {
        var outcome = runtime.fleet().replaced(instance.id(), instance.numbers().generation(), spec, runtime.now());
        if (outcome.code() != Outcome.Code.ACCEPTED || instance.state() == InstanceState.PENDING) {
            return runtime.apply().map(durable -> result(outcome, instance.id()));
        }
        var successor = runtime.fleet().instance(instance.id()).orElseThrow();
        return runtime.apply()
                .compose(durable -> runtime.placed(successor.uid()))
                .map(missing -> {
                    if (missing.isPresent()) {
                        throw new GrpcRefusal(GrpcStatus.RESOURCE_EXHAUSTED, missing.get());
                    }
                    return result(outcome, instance.id());
                });
    }

    /** Fails if the ledger does not grant all of it. */
    private Future<SubmitResult> granted(Instance instance, Resources target, Supplier<Future<SubmitResult>> change) {
        return runtime.resizes()
                .more(
                        instance,
                        target,
                        permit -> target.exceeds(permit)
                                ? Future.<SubmitResult>failedFuture(shortOf(instance, target.minus(permit)))
                                : change.get())
                .recover(failed -> Future.failedFuture(new GrpcRefusal(GrpcStatus.UNAVAILABLE, failed.getMessage())))
                .compose(Function.identity());
    }

    private static GrpcRefusal shortOf(Instance instance, Resources missing) {
        return new GrpcRefusal(
                GrpcStatus.RESOURCE_EXHAUSTED,
                "worker " + instance.worker() + " is short of " + missing.milliCpu() + "m CPU and "
                        + missing.memoryBytes() + " bytes");
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

    private <A> Future<A> unlessStoreDown(Supplier<Future<A>> request) {
        return runtime.storeDown()
                ? Future.failedFuture(new GrpcRefusal(GrpcStatus.UNAVAILABLE, "the store cannot be written"))
                : request.get();
    }

    private static SubmitResult result(Outcome outcome, String instance) {
        GrpcRefusal.unlessAccepted(outcome);
        return SubmitResult.newBuilder()
                .setAccepted(true)
                .setInstanceId(instance)
                .setGeneration(outcome.generation())
                .build();
    }

    private Future<WorkerInfo> ban(BanRequest request) {
        return unlessStoreDown(() -> {
            var id = request.getWorkerId();
            if (!Names.isPattern(id)) {
                throw new GrpcRefusal(
                        GrpcStatus.INVALID_ARGUMENT,
                        "a ban is of " + Names.FORM + ", or of all that begin so, with a star at the end");
            }
            var worker = request.getLift()
                    ? runtime.fleet().liftBan(id, runtime.now())
                    : Optional.of(runtime.fleet().ban(id, runtime.now()));
            return shown(id, worker);
        });
    }

    private Future<WorkerInfo> drain(DrainRequest request) {
        return unlessStoreDown(() -> {
            long within = request.getDeadlineMs();
            var deadline = within > 0 ? runtime.now().plusMillis(within) : Instant.MAX;
            var drain = request.getLift() ? Worker.Drain.OFF : Worker.Drain.until(deadline);
            return shown(request.getWorkerId(), runtime.fleet().drain(request.getWorkerId(), drain));
        });
    }

    private Future<WorkerInfo> shown(String id, Optional<Worker> worker) {
        return runtime.apply()
                .map(durable -> worker.map(runtime::shown)
                        .orElseThrow(() -> new GrpcRefusal(GrpcStatus.NOT_FOUND, "there is no worker " + id)));
    }

    private Future<Explanation> explain(ExplainRequest request) {
        var lines = switch (request.getSubjectCase()) {
            case INSTANCE_ID ->
                FleetExplanation.instance(runtime.fleet(), request.getInstanceId(), runtime.timing(), runtime.now());
            case WORKER_ID -> FleetExplanation.worker(runtime.fleet(), request.getWorkerId());
            case SUBJECT_NOT_SET -> List.<String>of();
        };
        if (lines.isEmpty()) {
            throw new GrpcRefusal(GrpcStatus.NOT_FOUND, "there is no such instance or worker");
        }
        return Future.succeededFuture(
                Explanation.newBuilder().addAllLines(lines).build());
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
        if (!isController(request)) {
            request.response().status(GrpcStatus.PERMISSION_DENIED).end();
            return;
        }
        var watcher = runtime.events().watcher(request, event -> event);
        request.handler(from -> runtime.events().watch(watcher, from.getFromSeq(), runtime::snapshot));
    }
}
