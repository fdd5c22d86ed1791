package io.sluice.workers.agent;

import com.google.protobuf.ByteString;
import io.sluice.workers.ControlClient;
import io.sluice.workers.GrpcMethods;
import io.sluice.workers.WorkersTls;
import io.sluice.workers.identity.IdentityFiles;
import io.sluice.workers.identity.JoinSecret;
import io.sluice.workers.identity.PinnedAuthority;
import io.sluice.workers.v1.EnrollRequest;
import io.sluice.workers.v1.EnrollResponse;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.net.HostAndPort;
import io.vertx.core.net.TrustOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/** The certificate by which this worker registers: the operator's, or one that it was issued and renews. */
final class WorkerIdentity {
    private static final String NAME = "worker";

    private final Vertx vertx;
    private final WorkerOptions options;
    private final IdentityFiles files;

    WorkerIdentity(Vertx vertx, WorkerOptions options) {
        this.vertx = vertx;
        this.options = options;
        files = new IdentityFiles(options.directory(), NAME);
    }

    /** Completes once there is a certificate, if there is to be one. Files of the operator are read anew each time. */
    Future<WorkersTls> current(HostAndPort scheduler) {
        if (options.tls().namesClients()) {
            return Future.succeededFuture(options.tls());
        }
        return vertx.executeBlocking(() -> files.areValid(Instant.now())).compose(valid -> {
            if (valid) {
                return Future.succeededFuture(WorkersTls.of(files));
            }
            return options.token().isEmpty()
                    ? Future.succeededFuture(WorkersTls.NONE)
                    : enroll(options.token().get(), scheduler);
        });
    }

    private Future<WorkersTls> enroll(Path tokenFile, HostAndPort scheduler) {
        return vertx.executeBlocking(() -> {
                    var token = JoinSecret.read(Files.readString(tokenFile))
                            .orElseThrow(() -> new IOException(tokenFile + " has no token"));
                    var request = EnrollRequest.newBuilder()
                            .setHostname(options.id())
                            .setJoinToken(token.text())
                            .setCsr(ByteString.copyFrom(files.request()))
                            .putAllLabels(options.labels())
                            .build();
                    return new Enrolment(token, request);
                })
                .compose(enrolment -> send(enrolment, scheduler))
                .compose(response -> vertx.executeBlocking(() -> {
                    files.trust(response.getCa().toByteArray());
                    files.issued(response.getCertificate().toByteArray());
                    return WorkersTls.of(files);
                }));
    }

    private record Enrolment(JoinSecret token, EnrollRequest request) {}

    private Future<EnrollResponse> send(Enrolment enrolment, HostAndPort scheduler) {
        HttpClientOptions connection = ControlClient.connection(WorkersTls.NONE)
                .setSsl(true)
                .setUseAlpn(true)
                .setTrustOptions(
                        TrustOptions.wrap(new PinnedAuthority(enrolment.token().authority())));
        var client = new ControlClient(vertx, scheduler.host(), scheduler.port(), connection);
        return client.call(GrpcMethods.ENROLL, enrolment.request()).eventually(client::close);
    }

    /** The request for the next certificate, if it is time; empty bytes otherwise. */
    Future<ByteString> renewal() {
        if (options.tls().namesClients()) {
            return Future.succeededFuture(ByteString.EMPTY);
        }
        return vertx.executeBlocking(() -> {
            var now = Instant.now();
            boolean due = files.areValid(now) && !now.isBefore(files.renewAt());
            return due ? ByteString.copyFrom(files.request()) : ByteString.EMPTY;
        });
    }

    /** Takes the next certificate; it is used from the next connection on. */
    Future<Void> renewed(ByteString certificate) {
        return vertx.executeBlocking(() -> {
            files.issued(certificate.toByteArray());
            return null;
        });
    }
}
