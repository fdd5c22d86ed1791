package io.sluice.console.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.sluice.shell.LoopbackPorts;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Serves the console's own files as the gateway does, and a {@link ScriptedApi} behind them. */
public final class ConsoleServer implements AutoCloseable {
    private static final String POLICY =
            "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
                    + "form-action 'self'; frame-ancestors 'none'";
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript",
            "css", "text/css",
            "svg", "image/svg+xml",
            "woff2", "font/woff2");

    private final ScriptedApi api;
    private ExecutorService threads;
    private HttpServer server;
    private final int port = LoopbackPorts.next();

    public ConsoleServer(ScriptedApi api) {
        this.api = api;
        up();
    }

    public String url() {
        return "http://127.0.0.1:" + port + "/";
    }

    /** Listens, on the same port as before if it was down. */
    public void up() {
        try {
            threads = Executors.newVirtualThreadPerTaskExecutor();
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
            server.setExecutor(threads);
            server.createContext("/", this::answer);
            server.start();
        } catch (IOException taken) {
            throw new UncheckedIOException(taken);
        }
    }

    /** Closes all connections and stops listening. */
    public void down() {
        api.hangUp();
        server.stop(0);
        threads.shutdownNow();
    }

    @Override
    public void close() {
        down();
    }

    private void answer(HttpExchange exchange) throws IOException {
        var path = exchange.getRequestURI().getPath();
        exchange.getResponseHeaders().set("content-security-policy", POLICY);
        exchange.getResponseHeaders().set("x-content-type-options", "nosniff");
        try {
            if (path.equals("/")) {
                file(exchange, "console/index.html", "no-cache");
            } else if (path.startsWith("/assets/")) {
                file(exchange, "console/" + path.substring("/assets/".length()), "no-cache");
            } else if (path.startsWith("/lib/")) {
                library(exchange, path.substring("/lib/".length()));
            } else {
                api.answer(exchange);
            }
        } finally {
            exchange.close();
        }
    }

    private static void library(HttpExchange exchange, String rest) throws IOException {
        var webjar = "META-INF/resources/webjars/" + rest;
        var found = ConsoleServer.class.getClassLoader().getResource(webjar) == null
                ? "META-INF/resources/_static/" + rest
                : webjar;
        file(exchange, found, "public, max-age=31536000, immutable");
    }

    private static void file(HttpExchange exchange, String resource, String caching) throws IOException {
        try (var content = ConsoleServer.class.getClassLoader().getResourceAsStream(resource)) {
            if (content == null) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            var type = TYPES.get(resource.substring(resource.lastIndexOf('.') + 1));
            exchange.getResponseHeaders().set("content-type", type);
            exchange.getResponseHeaders().set("cache-control", caching);
            var bytes = content.readAllBytes();
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    static void json(HttpExchange exchange, int status, JsonNode body) throws IOException {
        var bytes = body.toString().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("content-type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    /** Begins a stream of events. */
    static OutputStream events(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("content-type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        return exchange.getResponseBody();
    }
}
