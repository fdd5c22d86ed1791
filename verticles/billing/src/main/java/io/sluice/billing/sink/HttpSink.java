package io.sluice.billing.sink;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Posts batches to a receiver of billing events. Only a response with status 200 means that a batch was accepted.
 *
 * <p>A receiver may receive a batch twice, with the same trace id and the same idempotency keys.
 */
public final class HttpSink implements Sink {
    private static final int OK = 200;
    private static final int TOKEN_BYTES_MAX = 1 << 14;

    private final HttpSinkConfig config;
    private final String section;
    private final URI target;
    private final HttpClient client;
    private UnreadBody lastAnswer = new UnreadBody();

    /**
     * Creates a sink for the receiver in the config. Its certificate must be trusted by the JDK.
     *
     * @param section section of the config for error messages, such as {@code billing.http}
     */
    public HttpSink(HttpSinkConfig config, String section) {
        this(config, section, HttpClient.newBuilder());
    }

    HttpSink(HttpSinkConfig config, String section, HttpClient.Builder client) {
        this.config = config;
        this.section = section;
        this.target = URI.create(config.url().replaceAll("/+$", "") + "/usage_events");
        this.client = client.version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(config.pushTimeout())
                .build();
    }

    @Override
    public void send(Batch batch) throws SinkException {
        int status = statusOf(batch);
        if (status != OK) {
            throw SinkException.ofStatus(
                    status, target + " replied with status " + status + "; only 200 means that the batch was accepted");
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }

    private int statusOf(Batch batch) throws SinkException {
        var request = request(batch);
        lastAnswer.drop();
        var answer = new UnreadBody();
        lastAnswer = answer;
        HttpResponse.BodyHandler<Void> unread = reported -> answer.of(reported.statusCode());
        try {
            return client.send(request, unread).statusCode();
        } catch (IOException failure) {
            if (answer.status() > 0) {
                return answer.status();
            }
            var label = NetworkFaults.text(failure);
            throw new SinkException(label, target + " did not reply: " + label, failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new SinkException("interrupted", "waiting for " + target + " was interrupted", interrupted);
        }
    }

    private HttpRequest request(Batch batch) throws SinkException {
        var request = HttpRequest.newBuilder(target)
                .timeout(config.pushTimeout())
                .header("content-type", "application/json")
                .header("x-trace-id", batch.name())
                .POST(BodyPublishers.ofByteArray(batch.body()));
        if (!config.tokenFile().isBlank()) {
            request.header("authorization", "Bearer " + token());
        }
        return request.build();
    }

    /** Read for each batch, because the file may be renewed at any time. */
    private String token() throws SinkException {
        var key = section + ".tokenFile=" + config.tokenFile();
        try (var file = Files.newInputStream(Path.of(config.tokenFile()))) {
            var token = new String(file.readNBytes(TOKEN_BYTES_MAX), StandardCharsets.US_ASCII).strip();
            if (token.isEmpty() || token.chars().anyMatch(letter -> letter <= ' ' || letter > '~')) {
                throw new SinkException("no token", key + " must hold one token, on one line", null);
            }
            return token;
        } catch (IOException unreadable) {
            throw new SinkException("no token", key + " cannot be read: " + unreadable, unreadable);
        }
    }
}
