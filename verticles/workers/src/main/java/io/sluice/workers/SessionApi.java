package io.sluice.workers;

import com.google.protobuf.ByteString;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.workers.identity.ClientIdentity;
import io.sluice.workers.v1.EnrollRequest;
import io.sluice.workers.v1.EnrollResponse;
import io.sluice.workers.v1.HeartbeatAck;
import io.sluice.workers.v1.Hello;
import io.sluice.workers.v1.SchedulerFrame;
import io.sluice.workers.v1.WorkerFrame;
import io.vertx.core.Future;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerRequest;
import java.time.Instant;

/** The listener's side of a worker's session: frames in, events for the fleet out. */
final class SessionApi {
    private static final int EMPTY_FRAMES_MAX = 10;
    private static final int FOREIGN_REPORTS_MAX = 10;
    private static final int STEPS_WAITING_MAX = 100_000;

    private final FleetRuntime runtime;
    private final double reserve;
    private final int sessionsMax;
    private final MeterRegistry meters;
    private final EnrolApi enrolment;

    SessionApi(FleetRuntime runtime, EnrolApi enrolment, WorkersConfig config, MeterRegistry meters) {
        this.enrolment = enrolment;
        this.runtime = runtime;
        this.reserve = config.reserve();
        this.sessionsMax = config.maxWorkers() * 2;
        this.meters = meters;
    }

    void serve(GrpcServer server) {
        server.callHandler(GrpcMethods.SESSION.served(), this::open);
        GrpcRefusal.answer(server, GrpcMethods.ENROLL, any -> true, this::enroll);
    }

    private Future<EnrollResponse> enroll(EnrollRequest request) {
        return enrolment
                .enroll(request)
                .onFailure(refused -> meters.counter(
                                "sluice.workers.enrolments.refused",
                                "status",
                                refused instanceof GrpcRefusal refusal
                                        ? refusal.status().name()
                                        : "INTERNAL")
                        .increment());
    }

    private void open(GrpcServerRequest<WorkerFrame, SchedulerFrame> request) {
        if (runtime.sessions().size() >= sessionsMax || runtime.stepsWaiting() > STEPS_WAITING_MAX) {
            request.response()
                    .status(GrpcStatus.RESOURCE_EXHAUSTED)
                    .statusMessage("there are too many sessions, or too much waits for the store")
                    .end();
            return;
        }
        var peer = ClientIdentity.of(request.connection());
        if (peer.encrypted() && peer.names().isEmpty()) {
            // It may enroll over this listener. A session would take the place of a worker's.
            request.response()
                    .status(GrpcStatus.PERMISSION_DENIED)
                    .statusMessage("a session needs the certificate of a worker")
                    .end();
            return;
        }
        var session = runtime.sessions().open(WorkerSessions.Stream.of(request), peer.endsAt(), runtime.now());
        request.exceptionHandler(failed -> runtime.ended(session));
        request.errorHandler(failed -> runtime.ended(session));
        request.invalidMessageHandler(invalid -> refuse(session, GrpcStatus.INVALID_ARGUMENT, "no frame of a worker"));
        request.endHandler(end -> runtime.ended(session));
        request.response().exceptionHandler(failed -> runtime.ended(session));
        request.handler(frame -> received(session, peer, frame));
        // Without a first message the worker would not know that its stream is open.
        request.response().writeHead();
    }

    private void refuse(WorkerSessions.Session session, GrpcStatus status, String reason) {
        meters.counter("sluice.workers.sessions.refused", "status", status.name())
                .increment();
        session.worker().ifPresent(worker -> runtime.fleet().closed(worker, session.number(), runtime.now()));
        runtime.sessions().close(session.number(), status, reason);
        runtime.apply();
    }

    private void received(WorkerSessions.Session session, ClientIdentity peer, WorkerFrame frame) {
        if (runtime.sessions().find(session.number()).isEmpty()) {
            return;
        }
        session.received();
        boolean nothing = frame.getFCase() == WorkerFrame.FCase.F_NOT_SET;
        if (session.emptyFrame(nothing) >= EMPTY_FRAMES_MAX) {
            refuse(session, GrpcStatus.INVALID_ARGUMENT, EMPTY_FRAMES_MAX + " frames in a row without contents");
        } else if (nothing) {
            ignored("empty");
        } else if (session.worker().isEmpty()) {
            first(session, peer, frame);
        } else if (!session.isOfEpoch(frame.getSessionEpoch())) {
            ignored("epoch");
        } else {
            next(session, session.worker().get(), peer, frame);
        }
    }

    private void ignored(String cause) {
        meters.counter("sluice.workers.frames.ignored", "cause", cause).increment();
    }

    private void first(WorkerSessions.Session session, ClientIdentity peer, WorkerFrame frame) {
        if (!frame.hasHello()) {
            refuse(session, GrpcStatus.FAILED_PRECONDITION, "the first frame must be Hello");
            return;
        }
        var hello = frame.getHello();
        var id = hello.getWorkerId().isEmpty() ? peer.onlyWorker().orElse("") : hello.getWorkerId();
        var unfit = WireForm.unfit(hello);
        if (!Names.isName(id)) {
            refuse(session, GrpcStatus.INVALID_ARGUMENT, "a worker's id is " + Names.FORM);
        } else if (unfit.isPresent()) {
            refuse(session, GrpcStatus.INVALID_ARGUMENT, unfit.get());
        } else if (!peer.mayBeWorker(id)) {
            refuse(session, GrpcStatus.PERMISSION_DENIED, "the certificate is not of worker " + id);
        } else {
            register(session, id, peer.key(), hello);
        }
    }

    private void register(WorkerSessions.Session session, String id, String key, Hello hello) {
        session.registered(id);
        runtime.fleet().opened(WireForm.hello(id, key, hello, reserve), session.number(), runtime.now());
        runtime.apply();
    }

    private void next(WorkerSessions.Session session, String worker, ClientIdentity peer, WorkerFrame frame) {
        var now = runtime.now();
        long number = session.number();
        switch (frame.getFCase()) {
            case HEARTBEAT -> {
                if (runtime.fleet().frame(worker, number, now)) {
                    acknowledge(number, worker, frame.getHeartbeat().getAtMs());
                    if (runtime.use().received(worker, frame.getHeartbeat(), now)) {
                        runtime.requestInventory(number);
                    }
                }
            }
            case REPORT ->
                WireForm.report(frame.getReport())
                        .ifPresentOrElse(
                                report -> {
                                    if (!runtime.fleet().reported(worker, number, report, now)) {
                                        foreign(session);
                                    }
                                },
                                () -> ignored("state"));
            case ACK -> {
                var ack = frame.getAck();
                runtime.fleet().acknowledged(worker, number, ack.getSeq(), ack.getAccepted(), ack.getReason(), now);
            }
            case INVENTORY ->
                runtime.fleet()
                        .inventory(
                                worker,
                                number,
                                WireForm.reports(frame.getInventory().getItemsList()),
                                now);
            case GOODBYE -> runtime.fleet().left(worker, number, now);
            case HELLO -> refuse(session, GrpcStatus.FAILED_PRECONDITION, "Hello comes once in a session");
            case CERT -> renew(session, worker, peer, frame.getCert().getCsr());
            case RESIZE -> runtime.resize(worker, frame.getResize()).ifPresent(this::ignored);
            case F_NOT_SET -> ignored("empty");
        }
        runtime.apply();
    }

    private void renew(WorkerSessions.Session session, String worker, ClientIdentity peer, ByteString request) {
        if (!session.renews(runtime.now())) {
            ignored("renewal");
            return;
        }
        try {
            enrolment.renew(worker, peer, request).ifPresent(issued -> {
                session.certified(Instant.ofEpochMilli(issued.getNotAfterMs()), runtime.now());
                runtime.sessions()
                        .send(
                                session.number(),
                                SchedulerFrame.newBuilder().setCert(issued).build());
            });
        } catch (GrpcRefusal refused) {
            refuse(session, refused.status(), refused.getMessage());
        }
    }

    private void acknowledge(long session, String worker, long atMs) {
        runtime.sessions()
                .send(
                        session,
                        SchedulerFrame.newBuilder()
                                .setHeartbeatAck(
                                        HeartbeatAck.newBuilder().setAtMs(atMs).setHeartbeatMs((int) runtime.fleet()
                                                .heartbeat(worker)
                                                .toMillis()))
                                .build());
    }

    private void foreign(WorkerSessions.Session session) {
        meters.counter("sluice.workers.reports.foreign").increment();
        if (session.foreignReport() >= FOREIGN_REPORTS_MAX) {
            refuse(session, GrpcStatus.PERMISSION_DENIED, "the worker reports instances that are not its own");
        }
    }
}
