package io.sluice.lab.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.lab.faults.LabFaults;
import io.sluice.lab.load.core.FileCachePlan;
import io.sluice.lab.load.core.GuestTask;
import io.sluice.lab.load.core.MemoryModel;
import io.sluice.lab.load.core.ScenarioEvent;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.units.Resources;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientWebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.junit5.VertxExtension;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class GuestTest {
    private static final String VM = "vm";
    private static final long MIB = 1L << 20;
    private static final Resources ONE_CU = new Resources(250, 1024 * MIB);
    private static final String RANGE = "{\"min\":1,\"max\":1}";

    private static final String SHRINK =
            "{\"content\":{\"target\":{\"cpu\":0.25,\"mem\":6442450944}}," + "\"type\":\"DownscaleRequest\",\"id\":2}";

    /** Far from the indexes of a fleet that may run on this machine. */
    private static final int FIRST_INDEX = 60_000;

    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final String ENDED = "ended without a close frame";

    private Vertx vertx;

    /** A field: Vert.x closes a client and its connections as soon as it is not referenced any more. */
    private WebSocketClient websockets;

    private final HttpClient http = HttpClient.newHttpClient();

    @BeforeEach
    void open(Vertx injected) {
        vertx = injected;
        websockets = injected.createWebSocketClient();
    }

    @AfterEach
    void close() {
        http.shutdownNow();
    }

    private Guest started(int index, ScenarioEvent... events) {
        var guest = new Guest(vertx, spec(index, events), InstantSource.system());
        guest.start().await();
        return guest;
    }

    private static GuestSpec spec(int index, ScenarioEvent... events) {
        return new GuestSpec(
                "guest-" + index,
                FIRST_INDEX + index,
                "rds_cpu_utilization_e47b3b",
                Duration.ZERO,
                Duration.ofMinutes(1),
                4,
                ONE_CU,
                new MemoryModel(100 * MIB, 100 * MIB, 500 * MIB),
                List.of(events));
    }

    private HttpResponse<String> get(Endpoint at, String path) throws Exception {
        return http.send(
                HttpRequest.newBuilder(uri("http", at, path)).timeout(WAIT).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static URI uri(String scheme, Endpoint at, String path) {
        return URI.create(scheme + "://" + at.host() + ":" + at.port() + path);
    }

    private Client connect(Guest guest) {
        return new Client(guest.monitor());
    }

    @Test
    void showsTheMetricsOfItsFileCacheAtAPortOfTheirOwn() throws Exception {
        var plain = spec(9);
        var plan = new FileCachePlan(2048 * MIB, 4096 * MIB, Duration.ofHours(12));
        var guest = new Guest(
                vertx,
                new GuestSpec(
                        plain.name(),
                        plain.index(),
                        plain.series(),
                        plain.offset(),
                        plain.day(),
                        plain.vCpus(),
                        plain.initial(),
                        plain.memory(),
                        List.of(),
                        Optional.of(plan)),
                InstantSource.system());
        guest.start().await();

        var at = guest.fileCache().orElseThrow();
        var page = get(at, at.path());

        assertThat(at.port()).isNotEqualTo(guest.metrics().port());
        assertThat(page.statusCode()).isEqualTo(200);
        for (var name : List.of("lfc_hits", "lfc_misses", "lfc_writes", "lfc_used", "lfc_cache_size_limit")) {
            assertThat(page.body())
                    .contains("# TYPE " + name + " gauge\n")
                    .containsPattern("(?m)^" + name + " [0-9]+$");
        }
        assertThat(page.body()).contains("lfc_cache_size_limit " + 768 * MIB / 8192 + "\n");
        var windows = Pattern.compile(
                        "(?m)^lfc_approximate_working_set_size_windows\\{duration_seconds=\"(\\d+)\"} \\d+$")
                .matcher(page.body())
                .results()
                .map(window -> Integer.parseInt(window.group(1)))
                .toList();
        assertThat(windows)
                .isEqualTo(IntStream.rangeClosed(1, 60)
                        .map(minute -> minute * 60)
                        .boxed()
                        .toList());
    }

    @Test
    void aGuestWithoutAFileCacheServesNoMetricsOfOne() {
        assertThat(started(10).fileCache()).isEmpty();
    }

    @Test
    void showsItsMetricsAsGauges() throws Exception {
        var guest = started(1);
        var page = get(guest.metrics(), guest.metrics().path());
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("content-type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain"));
        for (var name : List.of(
                "host_load1",
                "host_load5",
                "host_memory_total_bytes",
                "host_memory_available_bytes",
                "host_memory_cached_bytes")) {
            assertThat(page.body())
                    .contains("# TYPE " + name + " gauge\n")
                    .containsPattern("(?m)^" + name + " [0-9.E]+$");
        }
        assertThat(page.body()).contains("host_memory_total_bytes " + 924 * MIB + "\n");
        assertThat(get(guest.metrics(), "/").statusCode()).isEqualTo(404);
    }

    @Test
    void reportsTheMemoryItIsGiven() throws Exception {
        var guest = started(2);
        guest.resize(new Resources(500, 2048 * MIB));
        assertThat(get(guest.metrics(), "/metrics").body()).contains("host_memory_total_bytes " + 1948 * MIB + "\n");
    }

    @Test
    void speaksToAnAgent() throws Exception {
        var guest = started(3);
        var client = connect(guest);
        assertThat(client.request(RANGE)).isEqualTo("{\"version\":1}");
        assertThat(client.request("{\"content\":{},\"type\":\"HealthCheck\",\"id\":2}"))
                .isEqualTo("{\"type\":\"HealthCheck\",\"id\":2}");
        assertThat(client.request("{\"content\":{\"granted\":{\"cpu\":0.5,\"mem\":2147483648}},"
                        + "\"type\":\"UpscaleNotification\",\"id\":4}"))
                .isEqualTo("{\"type\":\"UpscaleConfirmation\",\"id\":4}");
        assertThat(client.request("{\"content\":{\"target\":{\"cpu\":0.25,\"mem\":1048576}},"
                        + "\"type\":\"DownscaleRequest\",\"id\":6}"))
                .contains("\"Ok\":false");
    }

    @Test
    void sendsUpscaleRequestsWhenItsMemoryFillsUp() throws Exception {
        var guest =
                started(4, new ScenarioEvent.Allocation(Duration.ofMillis(300), Duration.ofSeconds(60), 2048 * MIB));
        var client = connect(guest);
        assertThat(client.request(RANGE)).isEqualTo("{\"version\":1}");
        assertThat(client.next()).isEqualTo("{\"type\":\"UpscaleRequest\",\"id\":3}");
        assertThat(client.next()).isEqualTo("{\"type\":\"UpscaleRequest\",\"id\":5}");
    }

    @Test
    void endsAnOlderSessionForANewerOne() throws Exception {
        var guest = started(5);
        var older = connect(guest);
        older.request(RANGE);
        var newer = connect(guest);
        assertThat(older.next()).isEqualTo(ENDED);
        assertThat(newer.request(RANGE)).isEqualTo("{\"version\":1}");
    }

    @Test
    void endsWithoutACloseFrameOverNonsense() throws Exception {
        var guest = started(6);
        var client = connect(guest);
        client.request(RANGE);
        assertThat(client.request("nonsense")).isEqualTo(ENDED);
        var pinging = connect(guest);
        pinging.socket.writePing(Buffer.buffer("?")).await();
        assertThat(pinging.next()).isEqualTo(ENDED);
    }

    @Test
    void refusesToShrinkAsLongAsItIsSetTo() throws Exception {
        var faults = new LabFaults();
        faults.guestRefuses(VM);
        var guest = new Guest(vertx, spec(11), InstantSource.system(), faults.ofGuest(VM), () -> GuestTask.NONE);
        guest.start().await();
        guest.resize(new Resources(1000, 8192 * MIB));
        var client = connect(guest);
        client.request(RANGE);

        await().atMost(WAIT).until(() -> client.request(SHRINK).contains("below"));
        assertThat(client.request(SHRINK)).contains("\"Ok\":false");
        assertThat(get(guest.metrics(), "/metrics").body()).containsPattern("host_memory_available_bytes 8[0-9]{9}\n");

        faults.heal(VM);
        await().atMost(WAIT).until(() -> client.request(SHRINK).contains("\"Ok\":true"));
    }

    @Test
    void hasNoSessionWhileItsMonitorIsDead() throws Exception {
        var faults = new LabFaults();
        var guest = new Guest(vertx, spec(14), InstantSource.system(), faults.ofGuest(VM), () -> GuestTask.NONE);
        guest.start().await();
        var client = connect(guest);
        client.request(RANGE);

        faults.monitorDies(VM);
        assertThat(client.next()).isEqualTo(ENDED);
        assertThatThrownBy(() -> connect(guest)).isInstanceOf(Exception.class);
        assertThat(get(guest.metrics(), "/metrics").statusCode()).isEqualTo(200);

        faults.heal(VM);
        assertThat(connect(guest).request(RANGE)).isEqualTo("{\"version\":1}");
    }

    @Test
    void echoesTheAgentsClose() throws Exception {
        var guest = started(7);
        var client = connect(guest);
        client.request(RANGE);
        client.socket.close((short) 1011, "so long").await();
        assertThat(client.next()).isEqualTo("closed 1011 so long");
    }

    @Test
    void answersOnlyAWebsocketAtItsPath() throws Exception {
        var guest = started(8);
        assertThat(get(guest.monitor(), "/monitor").statusCode()).isEqualTo(400);
        assertThat(get(guest.monitor(), "/monitor/").statusCode()).isEqualTo(404);
        var post = HttpRequest.newBuilder(uri("http", guest.monitor(), "/monitor"))
                .timeout(WAIT)
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        assertThat(http.send(post, HttpResponse.BodyHandlers.discarding()).statusCode())
                .isEqualTo(405);
    }

    @Test
    void takesFreePortsWhereItsAddressCannotBeHad() throws Exception {
        try (var taken = new ServerSocket(Guest.MONITOR_PORT, 1, InetAddress.getByName("127.10.240.10"))) {
            var guest = started(9);
            assertThat(guest.monitor().host()).isEqualTo("127.0.0.1");
            assertThat(guest.monitor().port()).isNotEqualTo(taken.getLocalPort());
            assertThat(get(guest.metrics(), "/metrics").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void givesItsAddressBack() throws Exception {
        var guest = started(10);
        var before = guest.monitor();
        var client = connect(guest);
        client.request(RANGE);
        guest.close().await();
        assertThat(client.next()).isEqualTo(ENDED);
        assertThatThrownBy(guest::monitor).isInstanceOf(IllegalStateException.class);
        assertThat(started(10).monitor().host()).isEqualTo(before.host());
    }

    /**
     * The events of a websocket, one entry each: texts, close frame, end. It is not the JDK's client, which loses an
     * end that arrives while its listener is busy with the message before.
     */
    private final class Client {
        private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
        private final ClientWebSocket socket = websockets.webSocket();
        private boolean closed;

        Client(Endpoint at) {
            socket.textMessageHandler(received::add);
            socket.frameHandler(frame -> {
                if (frame.isClose()) {
                    closed = true;
                    received.add("closed " + frame.closeStatusCode() + " " + frame.closeReason());
                }
            });
            socket.closeHandler(end -> {
                if (!closed) {
                    received.add(ENDED);
                }
            });
            socket.connect(at.port(), at.host(), at.path()).await();
        }

        String request(String text) throws InterruptedException {
            socket.writeTextMessage(text).await();
            return next();
        }

        String next() throws InterruptedException {
            return received.take();
        }
    }
}
