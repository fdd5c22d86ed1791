package io.sluice.billing.sink;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An HTTP server on this machine that records requests and sends configured responses. */
final class HttpReceiver implements AutoCloseable {
    private final HttpServer server;
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private volatile Answer answer = exchange -> exchange.sendResponseHeaders(200, -1);

    /** Sends the response to a request after its body was read. */
    interface Answer {
        void to(HttpExchange exchange) throws IOException;
    }

    /** A recorded request. */
    record Request(String method, String path, Headers headers, String body) {
        String header(String name) {
            return headers.getFirst(name);
        }
    }

    private HttpReceiver(HttpServer server) throws IOException {
        this.server = server;
        server.createContext("/", this::take);
        server.start();
    }

    static HttpReceiver plain() throws IOException {
        return new HttpReceiver(HttpServer.create(loopback(), 0));
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    void answers(int status) {
        answers(exchange -> exchange.sendResponseHeaders(status, -1));
    }

    void answers(Answer other) {
        answer = other;
    }

    List<Request> requests() {
        return List.copyOf(requests);
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            requests.add(new Request(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().toString(),
                    exchange.getRequestHeaders(),
                    body));
            answer.to(exchange);
        }
    }
}
