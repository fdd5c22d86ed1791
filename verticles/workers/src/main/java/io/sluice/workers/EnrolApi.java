package io.sluice.workers;

import com.google.protobuf.ByteString;
import io.sluice.shell.LogKeys;
import io.sluice.workers.control.v1.CertificateIssued;
import io.sluice.workers.control.v1.CertificateRequest;
import io.sluice.workers.control.v1.JoinTokenIssued;
import io.sluice.workers.control.v1.JoinTokenRequest;
import io.sluice.workers.core.JoinToken;
import io.sluice.workers.core.Outcome;
import io.sluice.workers.identity.CertificateAuthority;
import io.sluice.workers.identity.CertificateAuthority.Issued;
import io.sluice.workers.identity.CertificateName;
import io.sluice.workers.identity.ClientIdentity;
import io.sluice.workers.identity.JoinSecret;
import io.sluice.workers.v1.CertIssued;
import io.sluice.workers.v1.EnrollRequest;
import io.sluice.workers.v1.EnrollResponse;
import io.vertx.core.Future;
import io.vertx.grpc.common.GrpcStatus;
import java.security.PublicKey;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Issues tokens and certificates, and renews the latter. */
final class EnrolApi {
    private static final Logger LOG = LoggerFactory.getLogger(EnrolApi.class);

    private final FleetRuntime runtime;
    private final WorkersEnrolment config;
    private final Optional<CertificateAuthority> authority;

    EnrolApi(FleetRuntime runtime, WorkersEnrolment config, Optional<CertificateAuthority> authority) {
        this.runtime = runtime;
        this.config = config;
        this.authority = authority;
    }

    private CertificateAuthority authority() {
        return authority.orElseThrow(() -> new GrpcRefusal(
                GrpcStatus.FAILED_PRECONDITION,
                "workers.enrolment.enabled is false: the operator issues certificates"));
    }

    Future<JoinTokenIssued> token(JoinTokenRequest request) {
        var now = runtime.now();
        var pattern = request.getPattern();
        if (!Names.isPattern(pattern)) {
            throw new GrpcRefusal(
                    GrpcStatus.INVALID_ARGUMENT,
                    "a token is for " + Names.FORM + ", or for all that" + " begin so, with a star at the end");
        }
        int uses = request.getUses() == 0 ? 1 : request.getUses();
        if (uses < 0 || uses > JoinToken.USES_MAX) {
            throw new GrpcRefusal(GrpcStatus.INVALID_ARGUMENT, "a token has at most " + JoinToken.USES_MAX + " uses");
        }
        var endsAt = now.plus(life(request.getTtlMs(), config.tokenLife()));
        var secret = authority().token();
        var token = new JoinToken(
                secret.id(),
                secret.hash(),
                pattern,
                uses,
                endsAt,
                request.getLabelsMap(),
                new HashSet<>(request.getRuntimesList()),
                List.of());
        var outcome = runtime.fleet().issue(token);
        return runtime.apply().map(durable -> {
            GrpcRefusal.unlessAccepted(outcome);
            LOG.atInfo().addKeyValue(LogKeys.NODE, pattern).log("A token for workers was issued.");
            return JoinTokenIssued.newBuilder()
                    .setToken(secret.text())
                    .setEndsAtMs(endsAt.toEpochMilli())
                    .build();
        });
    }

    /** The usual time is the longest, too. */
    private static Duration life(long wantedMs, Duration longest) {
        return wantedMs <= 0 || wantedMs > longest.toMillis() ? longest : Duration.ofMillis(wantedMs);
    }

    Future<CertificateIssued> controller(CertificateRequest request) {
        if (!Names.isName(request.getName())) {
            throw new GrpcRefusal(GrpcStatus.INVALID_ARGUMENT, "the name of a controller is " + Names.FORM);
        }
        var key = key(request.getCsr());
        var life = life(request.getTtlMs(), config.certificateLife());
        var issued =
                authority().issue(key, List.of(CertificateName.controller(request.getName())), life, runtime.now());
        LOG.atInfo().addKeyValue(LogKeys.TARGET, request.getName()).log("A certificate of a controller was issued.");
        return Future.succeededFuture(CertificateIssued.newBuilder()
                .setCertificate(ByteString.copyFrom(issued.pem()))
                .setCa(ByteString.copyFrom(authority().pem()))
                .setNotAfterMs(issued.endsAt().toEpochMilli())
                .build());
    }

    private static PublicKey key(ByteString request) {
        try {
            return CertificateAuthority.requested(request.toByteArray());
        } catch (CertificateAuthority.Refused refused) {
            throw new GrpcRefusal(GrpcStatus.INVALID_ARGUMENT, refused.getMessage());
        }
    }

    Future<EnrollResponse> enroll(EnrollRequest request) {
        if (runtime.storeDown()) {
            throw new GrpcRefusal(GrpcStatus.UNAVAILABLE, "the store cannot be written");
        }
        var issuer = authority();
        var worker = request.getHostname();
        if (!Names.isPattern(worker)) {
            throw new GrpcRefusal(GrpcStatus.INVALID_ARGUMENT, "a worker's id is " + Names.FORM);
        }
        var secret = JoinSecret.read(request.getJoinToken())
                .orElseThrow(() -> new GrpcRefusal(GrpcStatus.UNAUTHENTICATED, "that is no token"));
        var now = runtime.now();
        if (!runtime.fleet().hasToken(secret.id(), secret.hash(), now)) {
            return refused(
                    worker,
                    Outcome.Code.UNAUTHENTICATED.name(),
                    new GrpcRefusal(
                            GrpcStatus.UNAUTHENTICATED,
                            "the token is unknown, used, or has ended, or is not for this worker"));
        }
        var key = key(request.getCsr());
        var issued = issuer.issue(key, List.of(CertificateName.worker(worker)), config.certificateLife(), now);
        var outcome = runtime.fleet().enroll(secret.id(), secret.hash(), worker, issued.key(), issued.endsAt(), now);
        return runtime.apply()
                .compose(durable -> outcome.code() == Outcome.Code.ACCEPTED
                        ? Future.succeededFuture(response(worker, issued, issuer))
                        : refused(worker, outcome.code().name(), GrpcRefusal.of(outcome)));
    }

    private static Future<EnrollResponse> refused(String worker, String cause, GrpcRefusal refusal) {
        LOG.atWarn()
                .addKeyValue(LogKeys.NODE, worker)
                .addKeyValue(LogKeys.REASON, cause)
                .log("A machine was not enrolled.");
        return Future.failedFuture(refusal);
    }

    private static EnrollResponse response(String worker, Issued issued, CertificateAuthority issuer) {
        return EnrollResponse.newBuilder()
                .setWorkerId(worker)
                .setCertificate(ByteString.copyFrom(issued.pem()))
                .setCa(ByteString.copyFrom(issuer.pem()))
                .setNotAfterMs(issued.endsAt().toEpochMilli())
                .build();
    }

    /** Another certificate of the same names and the same key; empty if the peer has none of this authority. */
    Optional<CertIssued> renew(String worker, ClientIdentity peer, ByteString request) {
        if (authority.isEmpty() || !peer.encrypted()) {
            return Optional.empty();
        }
        var key = key(request);
        if (!CertificateAuthority.fingerprint(key).equals(peer.key())) {
            throw new GrpcRefusal(GrpcStatus.PERMISSION_DENIED, "a certificate is renewed for its own key alone");
        }
        var issued = authority.get().issue(key, peer.names(), config.certificateLife(), runtime.now());
        runtime.fleet().renewed(worker, issued.endsAt());
        return Optional.of(CertIssued.newBuilder()
                .setCertificate(ByteString.copyFrom(issued.pem()))
                .setNotAfterMs(issued.endsAt().toEpochMilli())
                .build());
    }
}
