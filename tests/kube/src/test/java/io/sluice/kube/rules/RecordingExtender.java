package io.sluice.kube.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An extender that records to which nodes kube-scheduler would bind each pod, and which pods it would evict for it on
 * which nodes. It lets it bind and evict none unless it {@link #allow}s it.
 */
final class RecordingExtender implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, Set<String>> nodes = new ConcurrentHashMap<>();
    private final Map<String, Map<String, String>> victims = new ConcurrentHashMap<>();
    private final HttpServer server;
    private volatile boolean allows;

    RecordingExtender() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException noPort) {
            throw new UncheckedIOException(noPort);
        }
        server.createContext("/filter", this::filter);
        server.createContext("/preempt", this::preempt);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** The nodes that kube-scheduler's own rules left at its last attempt; none if it never got so far. */
    Set<String> nodes(String uid) {
        return nodes.getOrDefault(uid, Set.of());
    }

    /** Lets everything pass from now on. */
    void allow() {
        allows = true;
    }

    /** By node, how many evictions were against a budget, and the uids of the pods, the most important first. */
    Map<String, String> victims(String uid) {
        return victims.getOrDefault(uid, Map.of());
    }

    private void preempt(HttpExchange exchange) throws IOException {
        var request = JSON.readTree(exchange.getRequestBody());
        var byNode = new HashMap<String, String>();
        request.path("NodeNameToMetaVictims")
                .properties()
                .forEach(node -> byNode.put(
                        node.getKey(),
                        node.getValue().path("NumPDBViolations").asInt() + " "
                                + node.getValue().path("Pods").findValuesAsText("UID")));
        victims.put(request.at("/Pod/metadata/uid").asText(), byNode);
        var reply = JSON.createObjectNode();
        reply.set("NodeNameToMetaVictims", allows ? request.path("NodeNameToMetaVictims") : JSON.createObjectNode());
        send(exchange, reply);
    }

    private void filter(HttpExchange exchange) throws IOException {
        var request = JSON.readTree(exchange.getRequestBody());
        var names = new HashSet<String>();
        request.path("NodeNames").forEach(name -> names.add(name.asText()));
        nodes.put(request.at("/Pod/metadata/uid").asText(), names);
        var failed = JSON.createObjectNode();
        var reply = JSON.createObjectNode();
        var passed = reply.putArray("NodeNames");
        names.forEach(name -> {
            if (allows) {
                passed.add(name);
            } else {
                failed.put(name, "recorded");
            }
        });
        reply.set("FailedAndUnresolvableNodes", failed);
        send(exchange, reply);
    }

    private static void send(HttpExchange exchange, JsonNode reply) throws IOException {
        var bytes = reply.toString().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, bytes.length);
        try (var body = exchange.getResponseBody()) {
            body.write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
