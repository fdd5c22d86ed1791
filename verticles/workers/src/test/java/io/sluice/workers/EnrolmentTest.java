package io.sluice.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.workers.control.v1.BanRequest;
import io.sluice.workers.control.v1.CertificateRequest;
import io.sluice.workers.control.v1.JoinTokenRequest;
import io.sluice.workers.control.v1.ListRequest;
import io.sluice.workers.control.v1.WorkerInfo;
import io.sluice.workers.identity.IdentityFiles;
import io.sluice.workers.identity.JoinSecret;
import io.sluice.workers.identity.PinnedAuthority;
import io.sluice.workers.v1.CertRequest;
import io.sluice.workers.v1.EnrollRequest;
import io.sluice.workers.v1.EnrollResponse;
import io.sluice.workers.v1.SchedulerFrame;
import io.sluice.workers.v1.WorkerFrame;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.net.TrustOptions;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.common.GrpcStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: who gets which certificate, and what each admits to. Method: real listeners, TLS and store. */
class EnrolmentTest {
    private static final Duration LIFE = Duration.ofHours(1);

    @TempDir
    private Path directory;

    private final Vertx vertx = Vertx.vertx();
    /** Vert.x closes a client, with its streams, once it is garbage. */
    private final List<GrpcClient> clients = new ArrayList<>();

    private WorkersVerticle verticle;
    private String deployed;
    private ControlClient control;
    private volatile Duration ahead = Duration.ZERO;

    @BeforeEach
    void start() {
        start(LIFE);
    }

    /** Nothing waits for streams that a test has left open. */
    @AfterEach
    void close() {
        vertx.undeploy(deployed).await();
        vertx.close();
    }

    private void start(Duration life) {
        var defaults = WorkersConfig.DEFAULTS;
        var config = new WorkersConfig(
                defaults.host(),
                0,
                0,
                WorkersTls.NONE,
                directory.resolve("store").toString(),
                defaults.heartbeat(),
                defaults.lease(),
                defaults.lostAfter(),
                defaults.selfFence(),
                defaults.stopGrace(),
                defaults.ackTimeout(),
                defaults.startTimeout(),
                defaults.recoveryWindow(),
                defaults.reserve(),
                10,
                10,
                defaults.controlHost(),
                new WorkersEnrolment(true, authority().toString(), List.of(), life, LIFE),
                defaults.rik(),
                defaults.kubernetes());
        InstantSource clock = () -> Instant.now().plus(ahead);
        verticle = new WorkersVerticle(
                config, new Shell(clock, new SimpleMeterRegistry(), new Readiness(), new Random(1)));
        deployed = vertx.deployVerticle(verticle).await();
        control = admin();
    }

    private ControlClient admin() {
        return controller(new IdentityFiles(authority(), "admin"));
    }

    private void restart(Duration life) {
        vertx.undeploy(deployed).await();
        start(life);
    }

    private Path authority() {
        return directory.resolve("authority");
    }

    private ControlClient controller(IdentityFiles files) {
        return new ControlClient(vertx, WorkerClient.LOOPBACK, verticle.controlPort(), WorkersTls.of(files));
    }

    private String token(String pattern) {
        return control.call(
                        GrpcMethods.JOIN_TOKEN,
                        JoinTokenRequest.newBuilder()
                                .setPattern(pattern)
                                .setTtlMs(60_000)
                                .build())
                .await()
                .getToken();
    }

    private IdentityFiles files(String machine) {
        return new IdentityFiles(directory.resolve(machine), "worker");
    }

    private EnrollResponse enroll(String token, String worker, IdentityFiles files) throws IOException {
        var pin = JoinSecret.read(token).orElseThrow().authority();
        var connection = ControlClient.connection(WorkersTls.NONE)
                .setSsl(true)
                .setUseAlpn(true)
                .setTrustOptions(TrustOptions.wrap(new PinnedAuthority(pin)));
        var client = new ControlClient(vertx, WorkerClient.LOOPBACK, verticle.port(), connection);
        var response = client.call(
                        GrpcMethods.ENROLL,
                        EnrollRequest.newBuilder()
                                .setHostname(worker)
                                .setJoinToken(token)
                                .setCsr(ByteString.copyFrom(files.request()))
                                .build())
                .await();
        files.trust(response.getCa().toByteArray());
        files.issued(response.getCertificate().toByteArray());
        return response;
    }

    private IdentityFiles enrolled(String worker) throws IOException {
        var files = files(worker);
        enroll(token(worker), worker, files);
        return files;
    }

    private WorkerClient session(IdentityFiles files) {
        return session(ControlClient.connection(WorkersTls.of(files)));
    }

    private WorkerClient session(HttpClientOptions connection) {
        var client = GrpcClient.client(vertx, connection);
        clients.add(client);
        return new WorkerClient(client, verticle.port());
    }

    private List<WorkerInfo> workers() {
        return control.call(GrpcMethods.WORKERS, ListRequest.getDefaultInstance())
                .await()
                .getWorkersList();
    }

    private void ban(String worker, boolean lift) {
        control.call(
                        GrpcMethods.BAN,
                        BanRequest.newBuilder()
                                .setWorkerId(worker)
                                .setLift(lift)
                                .build())
                .await();
    }

    @Test
    @DisplayName("AT-W1 a token enrolls one machine; used, of another name, or ended by 1 s it is UNAUTHENTICATED")
    void tokens() throws Exception {
        var token = token("w1");
        assertThat(enroll(token, "w1", files("a")).getWorkerId()).isEqualTo("w1");
        assertThat(workers()).extracting(WorkerInfo::getState).containsExactly("ENROLLED");
        assertThatThrownBy(() -> enroll(token, "w1", files("b"))).hasMessageContaining("UNAUTHENTICATED");
        var others = token("gpu-*");
        assertThatThrownBy(() -> enroll(others, "w1", files("b"))).hasMessageContaining("UNAUTHENTICATED");
        assertThatThrownBy(() -> enroll(others.replace('.', '_') + ".x." + others.split("\\.")[2], "gpu-1", files("b")))
                .hasMessageContaining("UNAUTHENTICATED");

        session(files("a")).welcome("w1");
        assertThat(workers()).extracting(WorkerInfo::getState).containsExactly("READY");

        ahead = Duration.ofSeconds(61);
        assertThatThrownBy(() -> enroll(others, "gpu-1", files("b"))).hasMessageContaining("UNAUTHENTICATED");
    }

    @Test
    @DisplayName("AT-W1 a request whose reply was lost may be repeated with its own key, after a restart too")
    void repeated() throws Exception {
        var token = token("w1");
        var unused = token("w2");
        enroll(token, "w1", files("a"));
        restart(LIFE);
        enroll(token, "w1", files("a"));
        assertThatThrownBy(() -> enroll(token, "w1", files("b"))).hasMessageContaining("UNAUTHENTICATED");
        enroll(unused, "w2", files("b"));
        session(files("a")).welcome("w1");
        session(files("b")).welcome("w2");
    }

    @Test
    void theStoreHasNoToken() throws Exception {
        var secret = JoinSecret.read(token("w1")).orElseThrow();
        restart(LIFE);
        try (var found = Files.walk(directory)) {
            for (var file : found.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file, StandardCharsets.ISO_8859_1)).doesNotContain(secret.secret());
            }
        }
    }

    @Test
    @DisplayName("AT-W2 a worker's certificate does not speak for another worker, which is not affected")
    void anotherWorker() throws Exception {
        var first = session(enrolled("w1")).welcome("w1");
        enrolled("w2");
        assertThat(session(files("w2")).hello("w1").end()).isEqualTo(GrpcStatus.PERMISSION_DENIED);
        first.send(WorkerFrame.newBuilder()
                .setHeartbeat(io.sluice.workers.v1.Heartbeat.newBuilder().setAtMs(1)));
        first.awaits(SchedulerFrame.FCase.HEARTBEAT_ACK);
        var nameless = session(ControlClient.connection(WorkersTls.NONE)
                .setSsl(true)
                .setUseAlpn(true)
                .setTrustAll(true));
        assertThat(nameless.send(WorkerFrame.newBuilder()).end())
                .as("before any contents")
                .isEqualTo(GrpcStatus.PERMISSION_DENIED);
    }

    @Test
    @DisplayName("AT-W15 a name with a certificate goes to another machine only by a token for it alone, which ends"
            + " the first")
    void anotherMachine() throws Exception {
        var first = session(enrolled("w1")).welcome("w1");
        var many = token("w*");
        assertThatThrownBy(() -> enroll(many, "w1", files("b"))).hasMessageContaining("ALREADY_EXISTS");
        enroll(token("w1"), "w1", files("b"));
        assertThat(first.end()).isEqualTo(GrpcStatus.PERMISSION_DENIED);
        assertThat(session(files("w1")).hello("w1").end()).isEqualTo(GrpcStatus.PERMISSION_DENIED);
        session(files("b")).welcome("w1");
    }

    @Test
    void aMachineThatLostItsNameDoesNotTakeItBackByItsUsedToken() throws Exception {
        var used = token("w1");
        enroll(used, "w1", files("a"));
        enroll(used, "w1", files("a"));
        enroll(token("w1"), "w1", files("b"));
        var second = session(files("b")).welcome("w1");

        assertThatThrownBy(() -> enroll(used, "w1", files("a"))).hasMessageContaining("UNAUTHENTICATED");
        restart(LIFE);
        assertThatThrownBy(() -> enroll(used, "w1", files("a"))).hasMessageContaining("UNAUTHENTICATED");
        assertThat(second.end()).as("the scheduler's end, and no refusal").isNotEqualTo(GrpcStatus.PERMISSION_DENIED);
        session(files("b")).welcome("w1");
    }

    @Test
    void aControllersCertificateLivesNoLongerThanOthers() throws Exception {
        var files = new IdentityFiles(directory.resolve("ops"), "ops");
        var issued = control.call(
                        GrpcMethods.CERTIFICATE,
                        CertificateRequest.newBuilder()
                                .setName("ops")
                                .setTtlMs(Duration.ofDays(3_650).toMillis())
                                .setCsr(ByteString.copyFrom(files.request()))
                                .build())
                .await();
        assertThat(Instant.ofEpochMilli(issued.getNotAfterMs()))
                .isBeforeOrEqualTo(Instant.now().plus(LIFE));
    }

    @Test
    void neitherKindOfCertificateIsTakenForTheOther() throws Exception {
        var worker = controller(enrolled("w1"));
        assertThatThrownBy(() -> worker.call(GrpcMethods.WORKERS, ListRequest.getDefaultInstance())
                        .await())
                .hasMessageContaining("PERMISSION_DENIED");
        assertThat(session(new IdentityFiles(authority(), "admin"))
                        .hello("admin")
                        .end())
                .isEqualTo(GrpcStatus.PERMISSION_DENIED);

        var other = new IdentityFiles(directory.resolve("ops"), "ops");
        var issued = control.call(
                        GrpcMethods.CERTIFICATE,
                        CertificateRequest.newBuilder()
                                .setName("ops")
                                .setCsr(ByteString.copyFrom(other.request()))
                                .build())
                .await();
        other.trust(issued.getCa().toByteArray());
        other.issued(issued.getCertificate().toByteArray());
        assertThat(controller(other)
                        .call(GrpcMethods.WORKERS, ListRequest.getDefaultInstance())
                        .await()
                        .getWorkersCount())
                .isEqualTo(1);
    }

    @Test
    void aBanEndsTheSessionAndEveryCertificate() throws Exception {
        var peer = session(enrolled("w1")).welcome("w1");
        ban("w1", false);
        assertThat(peer.end()).isEqualTo(GrpcStatus.PERMISSION_DENIED);
        assertThat(session(files("w1")).hello("w1").end()).isEqualTo(GrpcStatus.PERMISSION_DENIED);
        var again = token("w1");
        assertThatThrownBy(() -> enroll(again, "w1", files("b"))).hasMessageContaining("PERMISSION_DENIED");
        restart(LIFE);
        assertThat(session(files("w1")).hello("w1").end()).isEqualTo(GrpcStatus.PERMISSION_DENIED);

        ban("w1", true);
        session(files("w1")).welcome("w1");
    }

    @Test
    void renewsForTheSameKeyAlone() throws Exception {
        var files = enrolled("w1");
        var peer = session(files).welcome("w1");
        peer.send(WorkerFrame.newBuilder()
                .setCert(CertRequest.newBuilder().setCsr(ByteString.copyFrom(files.request()))));
        files.issued(peer.awaits(SchedulerFrame.FCase.CERT)
                .getCert()
                .getCertificate()
                .toByteArray());
        var next = session(files).welcome("w1");

        next.send(WorkerFrame.newBuilder()
                .setCert(CertRequest.newBuilder()
                        .setCsr(ByteString.copyFrom(files("b").request()))));
        assertThat(next.end()).isEqualTo(GrpcStatus.PERMISSION_DENIED);
        assertThat(session(files)
                        .welcome("w1")
                        .send(WorkerFrame.newBuilder()
                                .setCert(CertRequest.newBuilder().setCsr(ByteString.copyFromUtf8("nothing"))))
                        .end())
                .isEqualTo(GrpcStatus.INVALID_ARGUMENT);
    }

    @Test
    void aSessionEndsWithItsCertificate() throws Exception {
        var peer = session(enrolled("w1")).welcome("w1");
        ahead = LIFE.plusSeconds(1);
        assertThat(peer.end()).isEqualTo(GrpcStatus.PERMISSION_DENIED);
    }

    @Test
    void itsOwnCertificatesAreRenewedWithoutARestart() throws Exception {
        vertx.undeploy(deployed).await();
        Files.delete(authority().resolve("admin.crt"));
        start(Duration.ofSeconds(4));
        // On a busy machine a certificate may end before it is used.
        await().atMost(WorkerClient.WITHIN).ignoreExceptions().until(() -> {
            control = admin();
            return enrolled("w1").areValid(Instant.now());
        });
        // After the second renewal the first certificates have ended.
        for (int renewal = 0; renewal < 2; renewal++) {
            var before = Files.readString(authority().resolve("admin.crt"));
            await().atMost(WorkerClient.WITHIN)
                    .until(() ->
                            !Files.readString(authority().resolve("admin.crt")).equals(before));
        }
        await().atMost(WorkerClient.WITHIN)
                .ignoreExceptions()
                .until(() -> admin().call(GrpcMethods.WORKERS, ListRequest.getDefaultInstance())
                                .await()
                                .getWorkersCount()
                        == 1);
    }

    @Test
    void aMachineTrustsNoOtherAuthority() {
        var token = JoinSecret.read(token("w1")).orElseThrow();
        var wrong = new JoinSecret(token.id(), token.secret(), "0".repeat(64)).text();
        assertThatThrownBy(() -> enroll(wrong, "w1", files("a"))).isInstanceOf(Exception.class);
        assertThat(workers()).isEmpty();
    }
}
