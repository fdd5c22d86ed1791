package io.sluice.kube.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.agent.scheduler.HttpSchedulerClient;
import io.sluice.agent.scheduler.SchedulerClient;
import io.sluice.agent.scheduler.SchedulerClients;
import io.sluice.agent.scheduler.SchedulerConfig;
import io.sluice.agent.scheduler.SchedulerDiscovery;
import io.sluice.agent.scheduler.SchedulerTransport;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.Kubectl;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.kube.server.Wire;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.shell.LoopbackPorts;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: an agent with {@code agent.scheduler.discover: service} sends its requests to the ready endpoints of the
 * service, and to no others, whatever happens to its watch. Method: a real API server, the rights and a token of the
 * agents' service account as they are deployed, EndpointSlices as Kubernetes writes them, and servers that grant every
 * request at their addresses. A proxy cuts the agent's connections.
 */
@OnKubernetes
class DiscoveryOnKubernetesTest {
    private static final Duration WITHIN = Duration.ofSeconds(180);
    private static final String NAMESPACE = "kube-system";
    private static final String AGENT = "sluice-agent";
    private static final String AUDIENCE = "https://kubernetes.default.svc";
    private static final Resources UNIT = new Resources(250, 1L << 30);
    private static final int MANY = 30;

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Schedulers schedulers = new Schedulers(vertx);

    @TempDir
    private Path folder;

    private ControlPlane plane;
    private Wire wire;
    private KubernetesClient admin;
    private KubernetesClient own;
    private Endpoints endpoints;
    private Path tokenFile;
    private SchedulerClient agent;
    private String host;
    private long seq;

    @BeforeEach
    void start() throws IOException {
        var reachable = Reachable.address();
        assumeThat(reachable).as("an address beside loopback").isPresent();
        host = reachable.get();
        plane = ControlPlane.start(Files.createDirectory(folder.resolve("plane")));
        wire = new Wire(plane.apiPort());
        admin = KubernetesConnection.open(plane.admin());
        endpoints = new Endpoints(admin, host);
        var kubectl = new Kubectl(folder, plane.admin());
        await().atMost(WITHIN).ignoreExceptions().until(() -> admin.raw("/api/v1/namespaces/kube-system") != null);
        kubectl.run("apply", "-f", Deploy.overlay("agent").resolve("rbac.yaml").toString());
        kubectl.run(
                "apply",
                "-f",
                Deploy.component("service-discovery").resolve("rbac.yaml").toString());
        tokenFile = folder.resolve("token");
        renewToken("first");
    }

    @AfterEach
    void stop() {
        if (agent != null) {
            done(on(agent::close));
        }
        done(vertx.close());
        Stream.of(own, admin, wire, plane).forEach(DiscoveryOnKubernetesTest::close);
    }

    @Test
    void requestsGoToTheEndpointsThatAreReady() {
        int first = schedulers.open(host);
        int second = schedulers.open(host);
        openAgent();
        assertThat(failure()).contains("the service sluice-scheduler in namespace kube-system has no ready endpoint");

        endpoints.put(first, true);
        awaitRequestsAt(first);
        endpoints.put(second, true);
        awaitRequestsAt(first, second);
        endpoints.put(first, false);
        awaitRequestsAt(second);
        endpoints.put(first, true);
        awaitRequestsAt(first, second);
        endpoints.remove(second);
        awaitRequestsAt(first);
        endpoints.put(first, false);
        await().atMost(WITHIN).until(() -> failure().contains("has no ready endpoint"));
        endpoints.put(first, true);
        awaitRequestsAt(first);
    }

    @Test
    void anEndpointThatDoesNotRespondCostsNoRequest() {
        int first = schedulers.open(host);
        openAgent();
        endpoints.put(first, true);
        awaitRequestsAt(first);
        int closed = LoopbackPorts.next();
        endpoints.put(closed, true);
        await().atMost(WITHIN).until(() -> known() == 2);

        assertThat(requestMany()).containsOnly(first);
    }

    @Test
    void aWatchThatIsCutGoesOn() {
        int first = schedulers.open(host);
        int second = schedulers.open(host);
        openAgent();
        endpoints.put(first, true);
        awaitRequestsAt(first);

        wire.closeAll();
        endpoints.put(second, true);
        awaitRequestsAt(first, second);

        plane.killApiServer();
        assertThat(requestMany()).containsOnly(first, second);
        plane.startApiServer();
        endpoints.remove(first);
        awaitRequestsAt(second);
    }

    @Test
    void aWatchOfAVersionThatIsGoneBeginsWithAList() {
        int first = schedulers.open(host);
        int second = schedulers.open(host);
        openAgent();
        endpoints.put(first, true);
        awaitRequestsAt(first);
        var last = endpoints.version();

        wire.cut();
        wire.closeAll();
        endpoints.put(second, true);
        endpoints.remove(first);
        plane.killApiServer();
        plane.startApiServer();
        assertThat(watchFrom(last)).contains("410").contains("too old resource version");
        wire.mend();
        wire.closeAll();

        awaitRequestsAt(second);
    }

    @Test
    void aWatchOverADeadConnectionIsBegunAnewWhenNoneResponds() {
        int first = schedulers.open(host);
        int second = schedulers.open(host);
        openAgent();
        endpoints.put(first, true);
        awaitRequestsAt(first);

        wire.cut();
        wire.mend();
        endpoints.put(second, true);
        endpoints.remove(first);
        schedulers.end(first);

        await().atMost(WITHIN).until(() -> failure().startsWith("Ruled"));
        awaitRequestsAt(second);
    }

    @Test
    void aTokenThatIsReplacedIsUsedFromThenOn() {
        int first = schedulers.open(host);
        int second = schedulers.open(host);
        openAgent();
        endpoints.put(first, true);
        awaitRequestsAt(first);

        var before = token();
        renewToken("second");
        admin.secrets().inNamespace(NAMESPACE).withName("first").delete();
        await().atMost(WITHIN).until(() -> !isAccepted(before));
        wire.closeAll();

        endpoints.put(second, true);
        awaitRequestsAt(first, second);
        assertThat(isAccepted(token())).isTrue();
    }

    private void openAgent() {
        own = KubernetesConnection.open(plane.by(wire.port(), tokenFile));
        var usual = SchedulerConfig.DEFAULTS;
        var config = new SchedulerConfig(
                SchedulerTransport.HTTP,
                SchedulerDiscovery.SERVICE,
                List.of(),
                "",
                NAMESPACE,
                Endpoints.SERVICE,
                usual.port(),
                Duration.ofSeconds(10),
                usual.connections(),
                "",
                usual.tls());
        var shell = new Shell(new MonotonicClock(), meters, new Readiness(), new Random(1));
        agent = SchedulerClients.of(
                config,
                vertx,
                shell,
                new HttpSchedulerClient.Terms(UNIT, Duration.ofSeconds(10), 10),
                Optional.of(own));
        done(on(agent::start));
        done(on(() -> {
            agent.observed(vm());
            return Future.succeededFuture();
        }));
    }

    private int known() {
        return (int) meters.get("sluice.agent.schedulers").gauge().value();
    }

    /** Sends requests until many in a row went to these, and to each of them. */
    private void awaitRequestsAt(Integer... ports) {
        await().atMost(WITHIN)
                .untilAsserted(() -> assertThat(Set.copyOf(requestMany())).containsExactlyInAnyOrder(ports));
    }

    /** The ports that many requests went to; each must be granted. */
    private List<Integer> requestMany() {
        int before = schedulers.requested().size();
        for (int sent = 0; sent < MANY; sent++) {
            assertThat(done(request())).isInstanceOf(PermitReply.Ruled.class);
        }
        var all = List.copyOf(schedulers.requested());
        return all.subList(before, all.size());
    }

    private String failure() {
        return done(request().map(PermitReply::toString).otherwise(Throwable::getMessage));
    }

    private Future<PermitReply> request() {
        seq++;
        var request = new PermitRequest(
                "n1", "uid-db", "me", 7, seq, UNIT, UNIT.times(4), Optional.of(UNIT), Optional.empty());
        return on(() -> agent.request(request));
    }

    private <T> Future<T> on(Supplier<Future<T>> action) {
        var promise = Promise.<T>promise();
        context.runOnContext(go -> action.get().onComplete(promise));
        return promise.future();
    }

    /** Writes a token that is valid while a Secret of that name exists. */
    private void renewToken(String secret) {
        admin.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName(secret)
                        .endMetadata()
                        .build())
                .create();
        try {
            Files.writeString(tokenFile, new ServiceAccountTokens(admin).bound(AGENT, AUDIENCE, "Secret", secret));
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    private String token() {
        try {
            return Files.readString(tokenFile);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private boolean isAccepted(String token) {
        try {
            var file = Files.writeString(Files.createTempFile(folder, "token", ""), token);
            try (var client = KubernetesConnection.open(plane.by(plane.apiPort(), file))) {
                return client.raw("/apis/discovery.k8s.io/v1/namespaces/kube-system/endpointslices") != null;
            }
        } catch (KubernetesClientException refused) {
            assertThat(refused.getCode()).isEqualTo(401);
            return false;
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    private String watchFrom(String version) {
        return admin.raw("/apis/discovery.k8s.io/v1/namespaces/kube-system/endpointslices?watch=1&timeoutSeconds=5"
                + "&resourceVersion=" + version);
    }

    private static <T> T done(Future<T> future) {
        return future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
    }

    private static void close(AutoCloseable opened) {
        try {
            if (opened != null) {
                opened.close();
            }
        } catch (Exception unable) {
            throw new AssertionError(unable);
        }
    }

    private static VmObserved vm() {
        return new VmObserved(
                new VmId("neonvm", "default", "db", "vm-db"),
                1,
                "uid-db",
                "db-0",
                "n1",
                VmPhase.RUNNING,
                true,
                false,
                false,
                new VmSizes(UNIT, UNIT.times(8), UNIT, Optional.of(UNIT.times(2)), UNIT.memoryBytes()),
                Overcommit.OFF,
                ScalingOverrides.NONE,
                Optional.empty(),
                Optional.empty(),
                "",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                VmTraits.NONE);
    }
}
