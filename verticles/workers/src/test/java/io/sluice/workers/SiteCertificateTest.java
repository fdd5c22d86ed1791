package io.sluice.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.workers.control.v1.BanRequest;
import io.sluice.workers.control.v1.JoinTokenRequest;
import io.sluice.workers.control.v1.ListRequest;
import io.sluice.workers.control.v1.WorkerInfo;
import io.sluice.workers.identity.IdentityFiles;
import io.sluice.workers.identity.JoinSecret;
import io.sluice.workers.identity.PinnedAuthority;
import io.sluice.workers.v1.CertRequest;
import io.sluice.workers.v1.EnrollRequest;
import io.sluice.workers.v1.SchedulerFrame;
import io.sluice.workers.v1.WorkerFrame;
import io.vertx.core.Vertx;
import io.vertx.core.net.TrustOptions;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.common.GrpcStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: one connection speaks for many workers, and for no others. Method: real listeners, TLS and store. */
class SiteCertificateTest {
    private static final Duration WITHIN = Duration.ofSeconds(20);
    private static final int WORKERS = 50;

    @TempDir
    private Path directory;

    private final Vertx vertx = Vertx.vertx();
    private WorkersVerticle verticle;
    private ControlClient control;

    @BeforeEach
    void start() {
        var defaults = WorkersConfig.DEFAULTS;
        var hour = Duration.ofHours(1);
        var authority = directory.resolve("authority");
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
                2 * WORKERS,
                10,
                defaults.controlHost(),
                new WorkersEnrolment(true, authority.toString(), List.of(), hour, hour),
                defaults.rik(),
                defaults.kubernetes());
        verticle = new WorkersVerticle(
                config,
                // No lease ends however long a test takes.
                new Shell(
                        InstantSource.fixed(Instant.now()), new SimpleMeterRegistry(), new Readiness(), new Random(1)));
        vertx.deployVerticle(verticle).await();
        control = new ControlClient(
                vertx,
                WorkerClient.LOOPBACK,
                verticle.controlPort(),
                WorkersTls.of(new IdentityFiles(authority, "admin")));
    }

    @AfterEach
    void close() {
        vertx.close().await();
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

    /** A machine enrolls under a name, or as a site of all names that begin so. */
    private IdentityFiles enrolled(String token, String name) throws IOException {
        var files = new IdentityFiles(directory.resolve(name.replace('*', '_')), "worker");
        var authority = JoinSecret.read(token).orElseThrow().authority();
        var connection = ControlClient.connection(WorkersTls.NONE)
                .setSsl(true)
                .setUseAlpn(true)
                .setTrustOptions(TrustOptions.wrap(new PinnedAuthority(authority)));
        var response = new ControlClient(vertx, WorkerClient.LOOPBACK, verticle.port(), connection)
                .call(
                        GrpcMethods.ENROLL,
                        EnrollRequest.newBuilder()
                                .setHostname(name)
                                .setJoinToken(token)
                                .setCsr(ByteString.copyFrom(files.request()))
                                .build())
                .await();
        files.trust(response.getCa().toByteArray());
        files.issued(response.getCertificate().toByteArray());
        return files;
    }

    private IdentityFiles enrolled(String name) throws IOException {
        return enrolled(token(name), name);
    }

    /** All sessions of a client go over its one connection. */
    private GrpcClient connection(IdentityFiles files) {
        return GrpcClient.client(
                vertx, ControlClient.connection(WorkersTls.of(files)).setHttp2MultiplexingLimit(WORKERS));
    }

    private WorkerClient session(GrpcClient connection) {
        return new WorkerClient(connection, verticle.port());
    }

    private List<WorkerInfo> workers(String state) {
        return control.call(GrpcMethods.WORKERS, ListRequest.getDefaultInstance()).await().getWorkersList().stream()
                .filter(worker -> worker.getState().equals(state))
                .toList();
    }

    @Test
    void oneConnectionHasManyWorkersWhichAreSuspectWithItAndBackWithTheNext() throws Exception {
        var files = enrolled("paris-*");
        var first = connection(files);
        IntStream.range(0, WORKERS)
                .mapToObj(i -> session(first).hello("paris-" + i))
                .toList()
                .forEach(worker -> worker.awaits(SchedulerFrame.FCase.WELCOME));
        assertThat(workers("READY")).hasSize(WORKERS);

        first.close().await();
        await().atMost(WITHIN).until(() -> workers("SUSPECT").size() == WORKERS);
        var second = connection(files);
        IntStream.range(0, WORKERS)
                .mapToObj(i -> session(second).hello("paris-" + i))
                .toList()
                .forEach(worker -> worker.awaits(SchedulerFrame.FCase.WELCOME));
        assertThat(workers("READY")).hasSize(WORKERS).allMatch(worker -> worker.getSessionEpoch() == 2);
    }

    @Test
    void itSpeaksForNoWorkerOfAnotherName() throws Exception {
        var paris = connection(enrolled("paris-*"));
        var rome = connection(enrolled("rome-*"));
        session(rome).welcome("rome-1");
        session(paris).welcome("paris-1");
        assertThat(session(paris).hello("rome-1").end()).isEqualTo(GrpcStatus.PERMISSION_DENIED);
        assertThat(session(paris).hello("paris").end()).isEqualTo(GrpcStatus.PERMISSION_DENIED);
        assertThat(session(paris).hello("").end()).isEqualTo(GrpcStatus.INVALID_ARGUMENT);
        assertThat(session(paris).hello("paris-*").end()).isEqualTo(GrpcStatus.INVALID_ARGUMENT);
        session(paris).welcome("paris-2");
        assertThat(workers("READY"))
                .extracting(WorkerInfo::getWorkerId)
                .containsExactly("paris-1", "paris-2", "rome-1");
        assertThat(workers("READY")).allMatch(worker -> worker.getSessionEpoch() == 1);
    }

    @Test
    void aWorkerThatHasEnrolledByItselfIsNotTheSites() throws Exception {
        var own = connection(enrolled("paris-1"));
        session(own).welcome("paris-1");
        own.close().await();
        await().atMost(WITHIN).until(() -> workers("SUSPECT").size() == 1);
        var site = connection(enrolled("paris-*"));
        assertThat(session(site).hello("paris-1").end()).isEqualTo(GrpcStatus.PERMISSION_DENIED);
        session(site).welcome("paris-2");
    }

    @Test
    void aBanEndsOneWorkerOfASiteAndNoOther() throws Exception {
        var site = connection(enrolled("paris-*"));
        var banned = session(site).welcome("paris-1");
        var other = session(site).welcome("paris-2");
        ban("paris-1", false);
        assertThat(banned.end()).isEqualTo(GrpcStatus.PERMISSION_DENIED);
        assertThat(session(site).hello("paris-1").end()).isEqualTo(GrpcStatus.PERMISSION_DENIED);
        assertThat(other.isOver()).isFalse();
    }

    @Test
    void aBanOfItsPatternEndsAllOfIt() throws Exception {
        var site = connection(enrolled("paris-*"));
        var rome = connection(enrolled("rome-*"));
        var other = session(rome).welcome("rome-1");
        var first = session(site).welcome("paris-1");
        ban("paris-*", false);
        assertThat(first.end()).isEqualTo(GrpcStatus.PERMISSION_DENIED);
        assertThat(session(site).hello("paris-2").end()).isEqualTo(GrpcStatus.PERMISSION_DENIED);
        var token = token("paris-*");
        assertThatThrownBy(() -> enrolled(token, "paris-*")).hasMessageContaining("PERMISSION_DENIED");
        assertThatThrownBy(() -> enrolled(token, "paris-3")).hasMessageContaining("PERMISSION_DENIED");
        assertThat(other.isOver()).isFalse();

        ban("paris-*", true);
        session(site).welcome("paris-1");
        session(site).welcome("paris-2");
    }

    private void ban(String id, boolean lift) {
        control.call(
                        GrpcMethods.BAN,
                        BanRequest.newBuilder().setWorkerId(id).setLift(lift).build())
                .await();
    }

    @Test
    void itsCertificateIsRenewedOverTheSessionOfAnyWorkerForTheSameNames() throws Exception {
        var files = enrolled("paris-*");
        var worker = session(connection(files)).welcome("paris-1");
        worker.send(WorkerFrame.newBuilder()
                .setCert(CertRequest.newBuilder().setCsr(ByteString.copyFrom(files.request()))));
        files.issued(worker.awaits(SchedulerFrame.FCase.CERT)
                .getCert()
                .getCertificate()
                .toByteArray());
        var again = connection(files);
        session(again).welcome("paris-2");
        assertThat(session(again).hello("rome-1").end()).isEqualTo(GrpcStatus.PERMISSION_DENIED);
    }

    @Test
    void aTokenForASiteIsForNoOtherSite() {
        var token = token("paris-*");
        for (var name : List.of("p*", "rome-*")) {
            assertThatThrownBy(() -> enrolled(token, name)).as(name).hasMessageContaining("UNAUTHENTICATED");
        }
    }
}
