package io.sluice.workers;

import com.google.protobuf.Message;
import io.sluice.workers.control.v1.BanRequest;
import io.sluice.workers.control.v1.CertificateIssued;
import io.sluice.workers.control.v1.CertificateRequest;
import io.sluice.workers.control.v1.DrainRequest;
import io.sluice.workers.control.v1.ExplainRequest;
import io.sluice.workers.control.v1.Explanation;
import io.sluice.workers.control.v1.InstanceList;
import io.sluice.workers.control.v1.InstanceRef;
import io.sluice.workers.control.v1.JoinTokenIssued;
import io.sluice.workers.control.v1.JoinTokenRequest;
import io.sluice.workers.control.v1.ListRequest;
import io.sluice.workers.control.v1.StatusEvent;
import io.sluice.workers.control.v1.SubmitResult;
import io.sluice.workers.control.v1.UpdateRequest;
import io.sluice.workers.control.v1.WatchRequest;
import io.sluice.workers.control.v1.WorkerInfo;
import io.sluice.workers.control.v1.WorkerList;
import io.sluice.workers.control.v1.WorkloadSpec;
import io.sluice.workers.v1.EnrollRequest;
import io.sluice.workers.v1.EnrollResponse;
import io.sluice.workers.v1.SchedulerFrame;
import io.sluice.workers.v1.WorkerFrame;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.common.ServiceName;

/** The methods of both services, with their types. */
public final class GrpcMethods {
    private static final ServiceName WORKER = ServiceName.create("sluice.worker.v1.WorkerGateway");
    private static final ServiceName CONTROL = ServiceName.create("sluice.control.v1.Control");

    /** The session of a worker. */
    public static final Method<WorkerFrame, SchedulerFrame> SESSION =
            new Method<>(WORKER, "Session", WorkerFrame.getDefaultInstance(), SchedulerFrame.getDefaultInstance());

    /** A machine presents a token, and gets a certificate. */
    public static final Method<EnrollRequest, EnrollResponse> ENROLL =
            new Method<>(WORKER, "Enroll", EnrollRequest.getDefaultInstance(), EnrollResponse.getDefaultInstance());

    /** A controller wants a token for machines. */
    public static final Method<JoinTokenRequest, JoinTokenIssued> JOIN_TOKEN = new Method<>(
            CONTROL, "IssueJoinToken", JoinTokenRequest.getDefaultInstance(), JoinTokenIssued.getDefaultInstance());

    /** A controller wants a certificate for another one. */
    public static final Method<CertificateRequest, CertificateIssued> CERTIFICATE = new Method<>(
            CONTROL,
            "IssueCertificate",
            CertificateRequest.getDefaultInstance(),
            CertificateIssued.getDefaultInstance());

    /** A worker is to be emptied. */
    public static final Method<DrainRequest, WorkerInfo> DRAIN =
            new Method<>(CONTROL, "DrainWorker", DrainRequest.getDefaultInstance(), WorkerInfo.getDefaultInstance());

    /** A worker's name is revoked. */
    public static final Method<BanRequest, WorkerInfo> BAN =
            new Method<>(CONTROL, "BanWorker", BanRequest.getDefaultInstance(), WorkerInfo.getDefaultInstance());

    /** A controller wants an instance. */
    public static final Method<WorkloadSpec, SubmitResult> SUBMIT =
            new Method<>(CONTROL, "Submit", WorkloadSpec.getDefaultInstance(), SubmitResult.getDefaultInstance());

    /** A controller wants another size. */
    public static final Method<UpdateRequest, SubmitResult> UPDATE =
            new Method<>(CONTROL, "Update", UpdateRequest.getDefaultInstance(), SubmitResult.getDefaultInstance());

    /** A controller no longer wants an instance. */
    public static final Method<InstanceRef, SubmitResult> REMOVE =
            new Method<>(CONTROL, "Remove", InstanceRef.getDefaultInstance(), SubmitResult.getDefaultInstance());

    /** All instances. */
    public static final Method<ListRequest, InstanceList> INSTANCES =
            new Method<>(CONTROL, "ListInstances", ListRequest.getDefaultInstance(), InstanceList.getDefaultInstance());

    /** All workers. */
    public static final Method<ListRequest, WorkerList> WORKERS =
            new Method<>(CONTROL, "ListWorkers", ListRequest.getDefaultInstance(), WorkerList.getDefaultInstance());

    /** Why an instance or a worker is in its state. */
    public static final Method<ExplainRequest, Explanation> EXPLAIN =
            new Method<>(CONTROL, "Explain", ExplainRequest.getDefaultInstance(), Explanation.getDefaultInstance());

    /** Every change of a state. */
    public static final Method<WatchRequest, StatusEvent> WATCH =
            new Method<>(CONTROL, "Watch", WatchRequest.getDefaultInstance(), StatusEvent.getDefaultInstance());

    private GrpcMethods() {}

    /** One method. */
    public record Method<Q extends Message, A extends Message>(ServiceName service, String name, Q request, A reply) {
        /** As it is served. */
        ServiceMethod<Q, A> served() {
            return ServiceMethod.server(
                    service, name, GrpcMessageEncoder.encoder(), GrpcMessageDecoder.decoder(request));
        }

        /** As it is called. */
        public ServiceMethod<A, Q> called() {
            return ServiceMethod.client(service, name, GrpcMessageEncoder.encoder(), GrpcMessageDecoder.decoder(reply));
        }
    }
}
