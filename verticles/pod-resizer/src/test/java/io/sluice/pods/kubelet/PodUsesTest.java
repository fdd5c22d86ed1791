package io.sluice.pods.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.messages.pod.PodSampled;
import io.sluice.messages.pod.PodUse;
import io.sluice.messages.pod.ReadPodUse;
import io.sluice.pods.core.PodsConfig;
import io.sluice.shell.pods.ScaledPod;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.KeyStoreOptions;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: samples come from the kubelet whose certificate is trusted, and nothing is answered without a new one. Method:
 * a stand-in that serves the text of a kubelet over TLS.
 */
@ExtendWith(VertxExtension.class)
class PodUsesTest {
    private static final String PASSWORD = "changeit";
    private static final VmId POD = new VmId("pod", "ns", "p", "u");
    private static final long AT = 1_795_692_733_000L;

    @TempDir
    private static Path folder;

    private final List<String> tokens = new ArrayList<>();
    private int reads;
    private int pressureReads;

    /** Vert.x closes their clients once they are garbage. */
    private PodUses uses;

    private KubeletConnection connection;
    private Context context;

    @BeforeAll
    static void makeCertificates() throws Exception {
        make("kubelet");
        make("other");
    }

    @Test
    void answersWithTheNextSampleOfAKubeletThatIsTrusted(Vertx vertx) {
        uses = uses(vertx, serve(vertx), config(folder.resolve("kubelet.pem").toString(), false));

        var first = (PodUse.Sampled) read(new ReadPodUse(POD, "n", 0)).await();
        assertThat(first.at()).isEqualTo(AT + 10_000);
        assertThat(first.load()).isEqualTo(0.5 * (1 + 0.2), within(1e-6));
        assertThat(first.workingSetBytes()).isEqualTo(1 << 20);
        int before = reads;
        var second = (PodUse.Sampled) read(new ReadPodUse(POD, "n", first.at())).await();
        assertThat(second.at()).isEqualTo(AT + 20_000);
        assertThat(reads).as("the samples in between were the same").isGreaterThan(before + 1);
        assertThat(tokens).isNotEmpty().allMatch("Bearer secret"::equals);
    }

    /** As a client does that finds no token. */
    @Test
    void readsAKubeletAgainAfterASearchThatThrew(Vertx vertx) {
        int port = serve(vertx);
        context = vertx.getOrCreateContext();
        var searches = new AtomicInteger();
        var config = config(folder.resolve("kubelet.pem").toString(), false);
        uses = new PodUses(
                vertx,
                config,
                connection(vertx, config),
                node -> {
                    if (searches.getAndIncrement() == 0) {
                        throw new IllegalStateException("there is no token");
                    }
                    return Future.succeededFuture(new NodePlaces.Place("127.0.0.1", port, Resources.NONE));
                },
                InstantSource.system());

        assertThat(read(new ReadPodUse(POD, "n", 0)).await()).isInstanceOf(PodUse.Sampled.class);
    }

    /** Read at another time, it could describe the time before the previous sample, each time. */
    @Test
    void readsWhatPodsWaitForWithEachNewSample(Vertx vertx) {
        uses = uses(vertx, serve(vertx), config(folder.resolve("kubelet.pem").toString(), false));

        var first = (PodUse.Sampled) read(new ReadPodUse(POD, "n", 0)).await();
        read(new ReadPodUse(POD, "n", first.at())).await();

        assertThat(pressureReads).as("of three samples").isEqualTo(3);
    }

    /** cAdvisor's samples come seldom, which is no fault. Time passes by the reads of the clock. */
    @Test
    void aSampleThatIsNotThereYetIsNoFaultUntilTheLastOneIsOld(Vertx vertx) {
        var now = Instant.ofEpochMilli(AT);
        var passed = new AtomicInteger();
        uses = uses(
                vertx,
                serve(vertx, Integer.MAX_VALUE),
                config(folder.resolve("kubelet.pem").toString(), false),
                () -> now.plusSeconds(5L * passed.getAndIncrement()));

        assertThat(read(new ReadPodUse(POD, "n", 0)).await()).isEqualTo(new PodUse.Unchanged());
        passed.set(9);
        assertThat(read(new ReadPodUse(POD, "n", 0)).await())
                .isEqualTo(new PodUse.Unknown("its kubelet has had no new sample of it for 45 s"));
    }

    /** Each byte is in time. */
    @Test
    void closesTheConnectionOfAnAnswerThatDrips(Vertx vertx) {
        Promise<Void> closed = Promise.promise();
        int port = serve(vertx, request -> {
            request.connection().closeHandler(closed::complete);
            var response = request.response().setChunked(true);
            vertx.setPeriodic(20, timer -> response.write("#"));
        });
        connection = connection(vertx, config("", true, Duration.ofSeconds(10)));

        var read = connection.read(new NodePlaces.Place("127.0.0.1", port, Resources.NONE), "/metrics/resource");

        assertThat(read.transform(ended -> Future.succeededFuture(ended.failed()))
                        .await())
                .isTrue();
        assertThat(closed.future().toCompletionStage().toCompletableFuture()).succeedsWithin(Duration.ofSeconds(60));
    }

    @Test
    void sendsNoTokenToAKubeletThatIsNotTrusted(Vertx vertx) {
        connection = connection(vertx, config(folder.resolve("other.pem").toString(), false));

        var read =
                connection.read(new NodePlaces.Place("127.0.0.1", serve(vertx), Resources.NONE), "/metrics/resource");

        assertThat(read.transform(ended -> Future.succeededFuture(ended.failed()))
                        .await())
                .isTrue();
        assertThat(tokens).isEmpty();
    }

    @Test
    void trustsAnyKubeletIfThatIsWrittenOut(Vertx vertx) {
        connection = connection(vertx, config("", true));

        var read =
                connection.read(new NodePlaces.Place("127.0.0.1", serve(vertx), Resources.NONE), "/metrics/resource");

        assertThat(read.await()).contains("container_cpu_usage_seconds_total");
    }

    /** A kubelet cannot be read here: what a node agent reads is enough. */
    @Test
    void answersWithWhatANodeAgentRead(Vertx vertx) {
        uses = uses(vertx, 1, config("", true));
        var reply = read(new ReadPodUse(POD, "n", 0));
        var sampled = new PodSampled(POD, PodSampled.Cause.CPU_STALLED, moment(0, 0, 0), moment(100, 200_000, 50_000));
        context.runOnContext(turn -> uses.took(sampled));

        assertThat(reply.await()).isEqualTo(new PodUse.Sampled(AT + 100, 2 * 1.5, 2 * 1.5, 7));
        assertThat(uses.last(pod()).orElseThrow().workingSetBytes()).isEqualTo(7);
    }

    private static ScaledPod pod() {
        var pod = new ObjectMapper().createObjectNode();
        pod.putObject("metadata").put("namespace", "ns").put("name", "p").put("uid", "u");
        pod.putObject("spec").putArray("containers").addObject().put("name", "c");
        return ScaledPod.of(pod);
    }

    private static PodSampled.Moment moment(long atMs, long cpuMicros, long stalledMicros) {
        return new PodSampled.Moment(
                AT + atMs, List.of(new PodSampled.Container("c", cpuMicros, 7, stalledMicros, 0, 0)));
    }

    private Future<PodUse> read(ReadPodUse request) {
        Promise<PodUse> reply = Promise.promise();
        context.runOnContext(turn -> uses.read(request).onComplete(reply));
        return reply.future();
    }

    private KubeletConnection connection(Vertx vertx, PodsConfig config) {
        return new KubeletConnection(vertx, () -> "secret", config);
    }

    private PodUses uses(Vertx vertx, int port, PodsConfig config) {
        return uses(vertx, port, config, InstantSource.system());
    }

    private PodUses uses(Vertx vertx, int port, PodsConfig config, InstantSource clock) {
        context = vertx.getOrCreateContext();
        var place = new NodePlaces.Place("127.0.0.1", port, Resources.NONE);
        return new PodUses(vertx, config, connection(vertx, config), node -> Future.succeededFuture(place), clock);
    }

    private static PodsConfig config(String caFile, boolean insecure) {
        return config(caFile, insecure, PodsConfig.DEFAULTS.kubeletTimeout());
    }

    private static PodsConfig config(String caFile, boolean insecure, Duration timeout) {
        var usual = PodsConfig.DEFAULTS;
        return new PodsConfig(
                caFile,
                insecure,
                timeout,
                Duration.ofMillis(5),
                Duration.ofMillis(1),
                usual.refusalCooldown(),
                usual.infeasibleFor(),
                usual.withdrawAfter(),
                usual.evictAfter(),
                usual.evictionsPerMinute(),
                usual.startAs(),
                usual.nodeAgent());
    }

    /** Every third read has a new sample, of ten seconds later. */
    private int serve(Vertx vertx) {
        return serve(vertx, 3);
    }

    private int serve(Vertx vertx, int readsOfOne) {
        return serve(vertx, request -> {
            tokens.add(request.getHeader("authorization"));
            boolean samples = request.path().equals("/metrics/resource");
            int sample = samples ? reads++ / readsOfOne : (reads - 1) / readsOfOne;
            pressureReads += samples ? 0 : 1;
            request.response().end(samples ? text(sample) : waits(sample));
        });
    }

    private static int serve(Vertx vertx, Handler<HttpServerRequest> answers) {
        var keys = new KeyStoreOptions()
                .setType("PKCS12")
                .setPath(folder.resolve("kubelet.p12").toString())
                .setPassword(PASSWORD);
        return vertx.createHttpServer(new HttpServerOptions()
                        .setHost("127.0.0.1")
                        .setPort(0)
                        .setSsl(true)
                        .setKeyCertOptions(keys))
                .requestHandler(answers)
                .listen()
                .await()
                .actualPort();
    }

    private static String waits(int sample) {
        return String.format(Locale.ROOT, """
            container_pressure_cpu_waiting_seconds_total{container="c",namespace="ns",pod="p"} %d %d
            """, 7 + 2 * sample, AT + 10_000L * sample);
    }

    private static String text(int sample) {
        return String.format(Locale.ROOT, """
            # TYPE container_cpu_usage_seconds_total counter
            container_cpu_usage_seconds_total{container="c",namespace="ns",pod="p"} %d %d
            # TYPE container_memory_working_set_bytes gauge
            container_memory_working_set_bytes{container="c",namespace="ns",pod="p"} 1.048576e+06 %d
            """, 100 + 5 * sample, AT + 10_000L * sample, AT + 10_000L * sample);
    }

    private static void make(String name) throws Exception {
        var file = folder.resolve(name + ".p12");
        var tool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "k",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "SAN=ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!tool.waitFor(60, TimeUnit.SECONDS) || tool.exitValue() != 0) {
            throw new IOException("keytool made no certificate");
        }
        var store = KeyStore.getInstance("PKCS12");
        try (var stream = Files.newInputStream(file)) {
            store.load(stream, PASSWORD.toCharArray());
        }
        Files.writeString(
                folder.resolve(name + ".pem"),
                "-----BEGIN CERTIFICATE-----\n"
                        + Base64.getMimeEncoder(64, new byte[] {'\n'})
                                .encodeToString(store.getCertificate("k").getEncoded())
                        + "\n-----END CERTIFICATE-----\n");
    }
}
