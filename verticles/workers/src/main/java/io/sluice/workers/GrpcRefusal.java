package io.sluice.workers;

import com.google.protobuf.Message;
import io.sluice.workers.core.Outcome;
import io.vertx.core.Future;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerRequest;
import java.util.function.Function;
import java.util.function.Predicate;

/** A request that is refused with a status of gRPC. */
final class GrpcRefusal extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient GrpcStatus status;

    GrpcRefusal(GrpcStatus status, String reason) {
        super(reason, null, false, false);
        this.status = status;
    }

    GrpcStatus status() {
        return status;
    }

    static GrpcRefusal of(Outcome outcome) {
        var status = switch (outcome.code()) {
            case ACCEPTED -> GrpcStatus.OK;
            case ALREADY_EXISTS -> GrpcStatus.ALREADY_EXISTS;
            case NOT_FOUND -> GrpcStatus.NOT_FOUND;
            case NEVER_FITS -> GrpcStatus.FAILED_PRECONDITION;
            case NO_ROOM, TOO_MANY -> GrpcStatus.RESOURCE_EXHAUSTED;
            case UNAUTHENTICATED -> GrpcStatus.UNAUTHENTICATED;
            case PERMISSION_DENIED -> GrpcStatus.PERMISSION_DENIED;
        };
        return new GrpcRefusal(status, outcome.reason());
    }

    static void unlessAccepted(Outcome outcome) {
        if (outcome.code() != Outcome.Code.ACCEPTED) {
            throw of(outcome);
        }
    }

    /** Serves a method whose request is one message, for peers that are admitted. */
    static <Q extends Message, A extends Message> void answer(
            GrpcServer server,
            GrpcMethods.Method<Q, A> method,
            Predicate<GrpcServerRequest<Q, A>> admitted,
            Function<Q, Future<A>> answer) {
        server.callHandler(method.served(), request -> {
            if (!admitted.test(request)) {
                end(request, new GrpcRefusal(GrpcStatus.PERMISSION_DENIED, "the certificate is none of a controller"));
                return;
            }
            request.last()
                    .compose(answer)
                    .onSuccess(reply -> request.response().end(reply))
                    .onFailure(failed -> end(request, failed));
        });
    }

    private static void end(GrpcServerRequest<?, ?> request, Throwable failed) {
        request.response()
                .status(failed instanceof GrpcRefusal refusal ? refusal.status : GrpcStatus.INTERNAL)
                .statusMessage(String.valueOf(failed.getMessage()))
                .end();
    }
}
