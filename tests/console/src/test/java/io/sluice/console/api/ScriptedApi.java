package io.sluice.console.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** A scripted API of the console: it replies as a test sets it up, and records its requests. */
public final class ScriptedApi {
    private static final int SILENCE_SECONDS = 10;
    private static final int QUEUE_MAX = 10_000;

    /** What a stream's client gets next: an event's name and data. */
    private record Sent(String name, String data) {}

    private static final Sent HANG_UP = new Sent("", "");

    private final ObjectMapper json = new ObjectMapper();
    private final SyntheticFleet fleet;
    private final List<BlockingQueue<Sent>> watchers = new CopyOnWriteArrayList<>();
    private final List<BlockingQueue<Sent>> taps = new CopyOnWriteArrayList<>();
    private final List<String> requested = new CopyOnWriteArrayList<>();
    private volatile Function<String, JsonNode> documents = path -> null;
    private volatile String token = "";

    public ScriptedApi(SyntheticFleet fleet) {
        this.fleet = fleet;
    }

    /** Sets the reply to a GET of a path with its query; null for an unknown one. */
    public ScriptedApi documents(Function<String, JsonNode> answers) {
        documents = answers;
        return this;
    }

    /** From now on requests need this token; empty: they need none. */
    public ScriptedApi token(String wanted) {
        token = wanted;
        return this;
    }

    /** Paths with their queries, in the order of arrival. */
    public List<String> requested() {
        return List.copyOf(requested);
    }

    int watching() {
        return watchers.size();
    }

    public int tapping() {
        return taps.size();
    }

    public void report(ObjectNode delta) {
        var reported = new Sent("delta", delta.toString());
        watchers.forEach(watcher -> watcher.offer(reported));
    }

    public void tap(String name, ObjectNode data) {
        var reported = new Sent(name, data.toString());
        taps.forEach(tap -> tap.offer(reported));
    }

    void hangUp() {
        watchers.forEach(watcher -> watcher.offer(HANG_UP));
        taps.forEach(tap -> tap.offer(HANG_UP));
    }

    void answer(HttpExchange exchange) throws IOException {
        var uri = exchange.getRequestURI();
        requested.add(uri.toString());
        if (uri.getPath().equals("/login")) {
            login(exchange);
        } else if (!token.isEmpty()
                && !("token=" + token).equals(exchange.getRequestHeaders().getFirst("cookie"))) {
            ConsoleServer.json(exchange, 401, json.valueToTree(Map.of("error", "a token is wanted")));
        } else if (uri.getPath().equals("/api/stream")) {
            stream(exchange, watchers, new Sent("fleet", picture()));
        } else if (uri.getPath().equals("/api/tap")) {
            stream(exchange, taps, null);
        } else if (uri.getPath().equals("/api/profile")
                && exchange.getRequestMethod().equals("POST")) {
            var recording = "a recording".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, recording.length);
            exchange.getResponseBody().write(recording);
        } else {
            document(exchange, documents.apply(uri.toString()));
        }
    }

    private String picture() {
        return fleet.picture().toString();
    }

    private void login(HttpExchange exchange) throws IOException {
        var shown = json.readTree(exchange.getRequestBody()).path("token").asText();
        if (shown.equals(token)) {
            exchange.getResponseHeaders().set("set-cookie", "token=" + token + "; HttpOnly; SameSite=Strict; Path=/");
            exchange.sendResponseHeaders(204, -1);
        } else {
            ConsoleServer.json(exchange, 401, json.valueToTree(Map.of("error", "not that token")));
        }
    }

    private void document(HttpExchange exchange, JsonNode document) throws IOException {
        if (document == null) {
            ConsoleServer.json(exchange, 404, json.valueToTree(Map.of("error", "there is none of that name")));
        } else {
            ConsoleServer.json(exchange, 200, document);
        }
    }

    private void stream(HttpExchange exchange, List<BlockingQueue<Sent>> listeners, Sent first) throws IOException {
        var queue = new LinkedBlockingQueue<Sent>(QUEUE_MAX);
        try (var out = ConsoleServer.events(exchange)) {
            listeners.add(queue);
            if (first != null) {
                write(out, "event: " + first.name() + "\ndata: " + first.data() + "\n\n");
            }
            write(out, ": here\n\n");
            pass(queue, out);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        } catch (IOException gone) {
            // The client has closed the page.
        } finally {
            listeners.remove(queue);
        }
    }

    private static void pass(BlockingQueue<Sent> queue, OutputStream out) throws IOException, InterruptedException {
        while (true) {
            var reported = queue.poll(SILENCE_SECONDS, TimeUnit.SECONDS);
            if (reported == HANG_UP) {
                return;
            }
            write(
                    out,
                    reported == null
                            ? ": still here\n\n"
                            : "event: " + reported.name() + "\ndata: " + reported.data() + "\n\n");
        }
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
