package io.sluice.lab.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.lab.load.core.MemoryModel;
import io.sluice.lab.load.core.ScenarioEvent;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.units.Resources;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GuestTest {
    private static final long MIB = 1L << 20;
    private static final Resources ONE_CU = new Resources(250, 1024 * MIB);
    private static final String RANGE = "{\"min\":1,\"max\":1}";

    /** Far from those of a fleet that may run on this machine. */
    private static final int FIRST_INDEX = 60_000;

    private static final Duration WAIT = Duration.ofSeconds(10);
    private static final String ENDED = "ended without a close frame";

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient http = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        http.shutdownNow();
        vertx.close().await();
    }

    private Guest started(int index, ScenarioEvent... events) {
        var spec = new GuestSpec(
                "guest-" + index,
                FIRST_INDEX + index,
                "rds_cpu_utilization_e47b3b",
                Duration.ZERO,
                Duration.ofMinutes(1),
                4,
                ONE_CU,
                new MemoryModel(100 * MIB, 100 * MIB, 500 * MIB),
                List.of(events));
        var guest = new Guest(vertx, spec, InstantSource.system());
        guest.start().await();
        return guest;
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
        var client = new Client();
        client.socket = http.newWebSocketBuilder()
                .buildAsync(uri("ws", guest.monitor(), guest.monitor().path()), client)
                .join();
        return client;
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
    void seesTheMemoryItIsGiven() throws Exception {
        var guest = started(2);
        guest.resize(new Resources(500, 2048 * MIB));
        assertThat(get(guest.metrics(), "/metrics").body()).contains("host_memory_total_bytes " + 1948 * MIB + "\n");
    }

    @Test
    void speaksToAnAgent() throws Exception {
        var guest = started(3);
        var client = connect(guest);
        assertThat(client.ask(RANGE)).isEqualTo("{\"version\":1}");
        assertThat(client.ask("{\"content\":{},\"type\":\"HealthCheck\",\"id\":2}"))
                .isEqualTo("{\"type\":\"HealthCheck\",\"id\":2}");
        assertThat(client.ask("{\"content\":{\"granted\":{\"cpu\":0.5,\"mem\":2147483648}},"
                        + "\"type\":\"UpscaleNotification\",\"id\":4}"))
                .isEqualTo("{\"type\":\"UpscaleConfirmation\",\"id\":4}");
        assertThat(client.ask("{\"content\":{\"target\":{\"cpu\":0.25,\"mem\":1048576}},"
                        + "\"type\":\"DownscaleRequest\",\"id\":6}"))
                .contains("\"Ok\":false");
    }

    @Test
    void criesWhenItsMemoryFillsUp() throws Exception {
        var guest =
                started(4, new ScenarioEvent.Allocation(Duration.ofMillis(300), Duration.ofSeconds(60), 2048 * MIB));
        var client = connect(guest);
        assertThat(client.ask(RANGE)).isEqualTo("{\"version\":1}");
        assertThat(client.next()).isEqualTo("{\"type\":\"UpscaleRequest\",\"id\":3}");
        assertThat(client.next()).isEqualTo("{\"type\":\"UpscaleRequest\",\"id\":5}");
    }

    @Test
    void endsAnOlderSessionForANewerOne() throws Exception {
        var guest = started(5);
        var older = connect(guest);
        older.ask(RANGE);
        var newer = connect(guest);
        assertThat(older.next()).isEqualTo(ENDED);
        assertThat(newer.ask(RANGE)).isEqualTo("{\"version\":1}");
    }

    @Test
    void endsWithoutACloseFrameOverNonsense() throws Exception {
        var guest = started(6);
        var client = connect(guest);
        client.ask(RANGE);
        assertThat(client.ask("nonsense")).isEqualTo(ENDED);
        var pinging = connect(guest);
        pinging.socket.sendPing(ByteBuffer.allocate(1)).join();
        assertThat(pinging.next()).isEqualTo(ENDED);
    }

    @Test
    void echoesTheAgentsClose() throws Exception {
        var guest = started(7);
        var client = connect(guest);
        client.ask(RANGE);
        client.socket.sendClose(1011, "so long").join();
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
        client.ask(RANGE);
        guest.close().await();
        assertThat(client.next()).isEqualTo(ENDED);
        assertThatThrownBy(guest::monitor).isInstanceOf(IllegalStateException.class);
        assertThat(started(10).monitor().host()).isEqualTo(before.host());
    }

    /** What a websocket brought, one entry each: texts, its close, its end. */
    private static final class Client implements WebSocket.Listener {
        private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        private WebSocket socket;

        String ask(String text) throws InterruptedException {
            socket.sendText(text, true).join();
            return next();
        }

        String next() throws InterruptedException {
            return heard.poll(10, TimeUnit.SECONDS);
        }

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
            heard.add(text.toString());
            from.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
            heard.add(code == 1006 ? ENDED : "closed " + code + " " + reason);
            return null;
        }

        @Override
        public void onError(WebSocket from, Throwable thrown) {
            heard.add(ENDED);
        }
    }
}
