package io.sluice.kube.rules;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** An extender that records to which nodes kube-scheduler would bind each pod, and lets it bind none. */
final class RecordingExtender implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, Set<String>> nodes = new ConcurrentHashMap<>();
    private final HttpServer server;

    RecordingExtender() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException noPort) {
            throw new UncheckedIOException(noPort);
        }
        server.createContext("/filter", this::filter);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** The nodes that kube-scheduler's own rules left at its last attempt; none if it never got so far. */
    Set<String> nodes(String uid) {
        return nodes.getOrDefault(uid, Set.of());
    }

    private void filter(HttpExchange exchange) throws IOException {
        var request = JSON.readTree(exchange.getRequestBody());
        var names = new HashSet<String>();
        request.path("NodeNames").forEach(name -> names.add(name.asText()));
        nodes.put(request.at("/Pod/metadata/uid").asText(), names);
        var failed = JSON.createObjectNode();
        names.forEach(name -> failed.put(name, "recorded"));
        var reply = JSON.createObjectNode();
        reply.putArray("NodeNames");
        reply.set("FailedAndUnresolvableNodes", failed);
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
