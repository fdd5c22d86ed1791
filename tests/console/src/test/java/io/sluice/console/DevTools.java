package io.sluice.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A connection to a browser by its DevTools protocol: numbered requests, replies, and events in between. */
final class DevTools implements AutoCloseable {
    private static final int ANSWER_SECONDS = 60;

    private final ObjectMapper json = new ObjectMapper();
    private final Map<Integer, CompletableFuture<JsonNode>> awaited = new ConcurrentHashMap<>();
    private final List<Consumer<JsonNode>> listeners = new CopyOnWriteArrayList<>();
    private final AtomicInteger numbers = new AtomicInteger();
    private final HttpClient client = HttpClient.newHttpClient();
    private final WebSocket socket;

    private record Sent(int number, CompletableFuture<JsonNode> answer) {}

    DevTools(URI address) {
        socket = client.newWebSocketBuilder().buildAsync(address, new Ears()).join();
    }

    /** Sends a request and waits for its reply; an empty session addresses the browser itself. */
    JsonNode request(String session, String method, Map<String, ?> params) {
        return answer(method, send(session, method, params));
    }

    /** Sends requests one right after the other, and waits for all replies then. */
    void requestAll(String session, String method, List<Map<String, ?>> each) {
        each.stream().map(params -> send(session, method, params)).toList().forEach(sent -> answer(method, sent));
    }

    private Sent send(String session, String method, Map<String, ?> params) {
        var sent = new Sent(numbers.incrementAndGet(), new CompletableFuture<>());
        awaited.put(sent.number(), sent.answer());
        var request = json.createObjectNode().put("id", sent.number()).put("method", method);
        request.set("params", json.valueToTree(params));
        if (!session.isEmpty()) {
            request.put("sessionId", session);
        }
        send(request);
        return sent;
    }

    private JsonNode answer(String method, Sent sent) {
        try {
            return sent.answer().get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(method + " was interrupted", ended);
        } catch (ExecutionException | TimeoutException failed) {
            throw new IllegalStateException(method + " failed: " + failed, failed);
        } finally {
            awaited.remove(sent.number());
        }
    }

    /** Calls the listener for every event of every session. */
    void onEvent(Consumer<JsonNode> listener) {
        listeners.add(listener);
    }

    @Override
    public void close() {
        socket.abort();
        client.close();
    }

    private void send(ObjectNode request) {
        synchronized (socket) {
            socket.sendText(request.toString(), true).join();
        }
    }

    private void receive(String text) {
        try {
            var message = json.readTree(text);
            if (message.has("id")) {
                settle(awaited.get(message.get("id").asInt()), message);
            } else {
                listeners.forEach(listener -> listener.accept(message));
            }
        } catch (JsonProcessingException odd) {
            awaited.values().forEach(each -> each.completeExceptionally(odd));
        }
    }

    private static void settle(CompletableFuture<JsonNode> answer, JsonNode message) {
        if (answer == null) {
            return;
        }
        if (message.has("error")) {
            answer.completeExceptionally(
                    new IllegalStateException(message.get("error").toString()));
        } else {
            answer.complete(message.get("result"));
        }
    }

    /** Joins the pieces of a message: a screenshot arrives in hundreds. */
    private final class Ears implements WebSocket.Listener {
        private final StringBuilder pieces = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            pieces.append(data);
            if (last) {
                var text = pieces.toString();
                pieces.setLength(0);
                receive(text);
            }
            from.request(1);
            return null;
        }

        @Override
        public void onError(WebSocket from, Throwable lost) {
            awaited.values().forEach(each -> each.completeExceptionally(lost));
        }
    }
}
