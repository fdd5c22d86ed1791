package io.sluice.launcher.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;

/** Asks the console door of a running process. A token goes out over TLS or to this machine alone. */
final class ConsoleClient {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration CONNECT_MAX = Duration.ofSeconds(5);
    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;
    private static final int ERROR_BYTES_MAX = 4096;

    /** Several times what is known of a large cluster. */
    private static final int JSON_BYTES_MAX = 64 << 20;

    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");

    private final HttpClient client;
    private final URI door;
    private final Optional<String> token;
    private final Duration answerMax;

    private ConsoleClient(HttpClient client, URI door, Optional<String> token, Duration answerMax) {
        this.client = client;
        this.door = door;
        this.token = token;
        this.answerMax = answerMax;
    }

    static ConsoleClient of(String url, Optional<Path> tokenFile, Optional<Path> ca, Duration answerMax) {
        var door = door(url);
        var token = tokenFile.map(ConsoleClient::firstLine);
        if (token.isPresent() && !door.getScheme().equals("https") && !LOOPBACK.contains(door.getHost())) {
            throw new ConsoleException("a token is not sent to " + url + ": use https, or a door on this machine");
        }
        var builder = HttpClient.newBuilder().connectTimeout(CONNECT_MAX).version(HttpClient.Version.HTTP_1_1);
        ca.ifPresent(file -> builder.sslContext(trusting(file)));
        return new ConsoleClient(builder.build(), door, token, answerMax);
    }

    /** The answer as JSON. */
    JsonNode json(String path) {
        try (var body = get(path)) {
            var answer = body.readNBytes(JSON_BYTES_MAX);
            if (answer.length == JSON_BYTES_MAX) {
                throw new ConsoleException(door + path + " was answered with more than " + JSON_BYTES_MAX + " bytes");
            }
            return JSON.readTree(answer);
        } catch (IOException broken) {
            throw new ConsoleException("the answer of " + door + path + " broke off: " + broken.getMessage(), broken);
        }
    }

    /** The body of an answer that may take its time; closed by the caller. */
    InputStream get(String path) {
        return send(HttpRequest.newBuilder(door.resolve(path)).GET(), path);
    }

    InputStream post(String path) {
        return send(HttpRequest.newBuilder(door.resolve(path)).POST(BodyPublishers.noBody()), path);
    }

    static String encoded(String word) {
        return URLEncoder.encode(word, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private InputStream send(HttpRequest.Builder request, String path) {
        token.ifPresent(held -> request.header("Authorization", "Bearer " + held));
        try {
            var answer = client.send(request.timeout(answerMax).build(), BodyHandlers.ofInputStream());
            if (answer.statusCode() != OK) {
                throw refused(answer, path);
            }
            return answer.body();
        } catch (SSLHandshakeException distrusted) {
            throw new ConsoleException(
                    door + " was reached, but not by TLS that is to be trusted: " + said(distrusted)
                            + " (--ca names the certificates of whoever signed the door's)",
                    distrusted);
        } catch (IOException unreachable) {
            throw new ConsoleException(
                    door + " cannot be reached: " + said(unreachable)
                            + " (is the process running with the role gateway? --url names another door)",
                    unreachable);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ConsoleException("interrupted", interrupted);
        }
    }

    private ConsoleException refused(HttpResponse<InputStream> answer, String path) throws IOException {
        if (answer.statusCode() == UNAUTHORIZED) {
            return new ConsoleException(door + " asks for a token: give --token-file, or another one");
        }
        try (var body = answer.body()) {
            var text = new String(body.readNBytes(ERROR_BYTES_MAX), StandardCharsets.UTF_8);
            return new ConsoleException(door + path + " was answered " + answer.statusCode() + ": " + error(text));
        }
    }

    private static String error(String text) {
        try {
            var said = JSON.readTree(text);
            var candidates = said.path("candidates");
            return said.path("error").asText(text) + (candidates.isArray() ? ": " + candidates : "");
        } catch (IOException plain) {
            return text;
        }
    }

    static String said(Throwable failure) {
        if (failure instanceof NoSuchFileException) {
            return "there is no such file or folder";
        }
        if (failure instanceof AccessDeniedException) {
            return "permission is denied";
        }
        if (failure instanceof ConnectException && failure.getMessage() == null) {
            return "no connection could be made";
        }
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    }

    private static URI door(String url) {
        try {
            var door = URI.create(url.endsWith("/") ? url : url + "/");
            if (door.getHost() != null && Set.of("http", "https").contains(String.valueOf(door.getScheme()))) {
                return door;
            }
        } catch (IllegalArgumentException malformed) {
            throw new ConsoleException("--url " + url + " is no URL: " + malformed.getMessage(), malformed);
        }
        throw new ConsoleException("--url " + url + " must be like http://127.0.0.1:8080");
    }

    private static String firstLine(Path file) {
        try (var lines = Files.lines(file)) {
            return lines.map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .findFirst()
                    .orElseThrow(() -> new ConsoleException("--token-file " + file + " is empty"));
        } catch (IOException unreadable) {
            throw new ConsoleException("--token-file " + file + " cannot be read: " + said(unreadable), unreadable);
        }
    }

    private static SSLContext trusting(Path file) {
        try (var pem = Files.newInputStream(file)) {
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int count = 0;
            for (var certificate : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                store.setCertificateEntry("ca-" + count++, certificate);
            }
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            var context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException unreadable) {
            throw new ConsoleException("--ca " + file + " cannot be used: " + said(unreadable), unreadable);
        }
    }
}
