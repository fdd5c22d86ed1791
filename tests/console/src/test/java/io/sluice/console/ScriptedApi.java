package io.sluice.console;

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

/** The console's interface as a play: it says what a test makes it say, and remembers what it was asked. */
final class ScriptedApi {
    private static final int SILENCE_SECONDS = 10;
    private static final int QUEUE_MAX = 10_000;

    /** What one who listens is told next: an event's name and data. */
    private record Said(String name, String data) {}

    private static final Said HANG_UP = new Said("", "");

    private final ObjectMapper json = new ObjectMapper();
    private final SyntheticFleet fleet;
    private final List<BlockingQueue<Said>> watchers = new CopyOnWriteArrayList<>();
    private final List<BlockingQueue<Said>> taps = new CopyOnWriteArrayList<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private volatile Function<String, JsonNode> documents = path -> null;
    private volatile String token = "";

    ScriptedApi(SyntheticFleet fleet) {
        this.fleet = fleet;
    }

    /** What is answered to a GET of a path with its query; null for what there is not. */
    ScriptedApi documents(Function<String, JsonNode> answers) {
        documents = answers;
        return this;
    }

    /** From now on nobody is answered who does not show this; empty: anybody is. */
    ScriptedApi token(String wanted) {
        token = wanted;
        return this;
    }

    /** Paths with their queries, as they came. */
    List<String> asked() {
        return List.copyOf(asked);
    }

    int watching() {
        return watchers.size();
    }

    int tapping() {
        return taps.size();
    }

    void say(ObjectNode delta) {
        var said = new Said("delta", delta.toString());
        watchers.forEach(watcher -> watcher.offer(said));
    }

    void tap(String name, ObjectNode data) {
        var said = new Said(name, data.toString());
        taps.forEach(tap -> tap.offer(said));
    }

    void hangUp() {
        watchers.forEach(watcher -> watcher.offer(HANG_UP));
        taps.forEach(tap -> tap.offer(HANG_UP));
    }

    void answer(HttpExchange exchange) throws IOException {
        var uri = exchange.getRequestURI();
        asked.add(uri.toString());
        if (uri.getPath().equals("/login")) {
            login(exchange);
        } else if (!token.isEmpty()
                && !("token=" + token).equals(exchange.getRequestHeaders().getFirst("cookie"))) {
            ConsoleServer.json(exchange, 401, json.valueToTree(Map.of("error", "a token is wanted")));
        } else if (uri.getPath().equals("/api/stream")) {
            stream(exchange, watchers, new Said("fleet", picture()));
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

    private void stream(HttpExchange exchange, List<BlockingQueue<Said>> listeners, Said first) throws IOException {
        var queue = new LinkedBlockingQueue<Said>(QUEUE_MAX);
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
            // Whoever listened has closed the page.
        } finally {
            listeners.remove(queue);
        }
    }

    private static void pass(BlockingQueue<Said> queue, OutputStream out) throws IOException, InterruptedException {
        while (true) {
            var said = queue.poll(SILENCE_SECONDS, TimeUnit.SECONDS);
            if (said == HANG_UP) {
                return;
            }
            write(out, said == null ? ": still here\n\n" : "event: " + said.name() + "\ndata: " + said.data() + "\n\n");
        }
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
