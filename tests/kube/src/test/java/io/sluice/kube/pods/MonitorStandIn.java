package io.sluice.kube.pods;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.Vertx;
import io.vertx.core.http.ServerWebSocket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Stands for the monitor in one pod, at the address that all pods of a stand-in kubelet have: it speaks the protocol.
 */
final class MonitorStandIn implements AutoCloseable {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** The memory of each notification, and of each request for less. */
    final List<Long> granted = new CopyOnWriteArrayList<>();

    final List<Long> requested = new CopyOnWriteArrayList<>();
    final int port;

    /** Whether it agrees to less. */
    volatile boolean isAgreeing = true;

    private final Vertx vertx = Vertx.vertx();
    private volatile Optional<ServerWebSocket> session = Optional.empty();
    private long last = 1;

    MonitorStandIn() {
        var server = vertx.createHttpServer().webSocketHandler(socket -> {
            socket.textMessageHandler(text -> received(socket, text));
        });
        port = PodStage.done(server.listen(0, "127.0.0.1")).actualPort();
    }

    /** The annotation of its pod. */
    String annotation() {
        return "\"autoscaling.sluice.io/monitor\":\"" + port + "\"";
    }

    private void received(ServerWebSocket socket, String text) {
        var message = json(text);
        switch (message.path("type").asText()) {
            case "" -> socket.writeTextMessage("{\"version\":1}");
            case "HealthCheck" -> {
                reply(socket, message, "\"type\":\"HealthCheck\"");
                session = Optional.of(socket);
            }
            case "UpscaleNotification" -> {
                granted.add(message.at("/content/granted/mem").asLong());
                reply(socket, message, "\"type\":\"UpscaleConfirmation\"");
            }
            case "DownscaleRequest" -> {
                requested.add(message.at("/content/target/mem").asLong());
                reply(
                        socket,
                        message,
                        "\"type\":\"DownscaleResult\",\"Ok\":" + isAgreeing + ",\"Status\":\"it is the monitor's\"");
            }
            default -> throw new IllegalStateException(text);
        }
    }

    private static void reply(ServerWebSocket socket, JsonNode message, String fields) {
        socket.writeTextMessage("{" + fields + ",\"id\":" + message.path("id").asLong() + "}");
    }

    private static JsonNode json(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException noJson) {
            throw new IllegalStateException(noJson);
        }
    }

    /** Requests more memory, as soon as it has a session. */
    void requestMemory() {
        await().atMost(PodStage.WITHIN).until(() -> session.isPresent());
        last += 2;
        PodStage.done(session.orElseThrow().writeTextMessage("{\"type\":\"UpscaleRequest\",\"id\":" + last + "}"));
    }

    @Override
    public void close() {
        PodStage.done(vertx.close());
    }
}
