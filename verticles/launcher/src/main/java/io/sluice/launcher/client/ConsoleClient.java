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

/** Sends requests to the console listener of a running process. A token is sent over TLS or to this machine only. */
final class ConsoleClient {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration CONNECT_MAX = Duration.ofSeconds(5);
    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;
    private static final int ERROR_BYTES_MAX = 4096;

    /** Several times the state of a large fleet. */
    private static final int JSON_BYTES_MAX = 64 << 20;

    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");

    private final HttpClient client;
    private final URI uri;
    private final Optional<String> token;
    private final Duration answerMax;

    private ConsoleClient(HttpClient client, URI uri, Optional<String> token, Duration answerMax) {
        this.client = client;
        this.uri = uri;
        this.token = token;
        this.answerMax = answerMax;
    }

    static ConsoleClient of(String url, Optional<Path> tokenFile, Optional<Path> ca, Duration answerMax) {
        var uri = uri(url);
        var token = tokenFile.map(ConsoleClient::firstLine);
        if (token.isPresent() && !uri.getScheme().equals("https") && !LOOPBACK.contains(uri.getHost())) {
            throw new ConsoleException("a token is not sent to " + url + ": use https, or a listener on this machine");
        }
        var builder = HttpClient.newBuilder().connectTimeout(CONNECT_MAX).version(HttpClient.Version.HTTP_1_1);
        ca.ifPresent(file -> builder.sslContext(trusting(file)));
        return new ConsoleClient(builder.build(), uri, token, answerMax);
    }

    /** The response as JSON. */
    JsonNode json(String path) {
        try (var body = get(path)) {
            var answer = body.readNBytes(JSON_BYTES_MAX);
            if (answer.length == JSON_BYTES_MAX) {
                throw new ConsoleException(uri + path + " replied with more than " + JSON_BYTES_MAX + " bytes");
            }
            return JSON.readTree(answer);
        } catch (IOException broken) {
            throw new ConsoleException("the reply of " + uri + path + " broke off: " + broken.getMessage(), broken);
        }
    }

    /** The body of a response that may take long; closed by the caller. */
    InputStream get(String path) {
        return send(HttpRequest.newBuilder(uri.resolve(path)).GET(), path);
    }

    InputStream post(String path) {
        return send(HttpRequest.newBuilder(uri.resolve(path)).POST(BodyPublishers.noBody()), path);
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
                    uri + " was reached, but its TLS certificate is not trusted: " + message(distrusted)
                            + " (--ca names the certificates of its issuers)",
                    distrusted);
        } catch (IOException unreachable) {
            throw new ConsoleException(
                    uri + " cannot be reached: " + message(unreachable)
                            + " (is the process running with the role gateway? --url names another listener)",
                    unreachable);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ConsoleException("interrupted", interrupted);
        }
    }

    private ConsoleException refused(HttpResponse<InputStream> answer, String path) throws IOException {
        if (answer.statusCode() == UNAUTHORIZED) {
            return new ConsoleException(uri + " requires a token: give --token-file, or another one");
        }
        try (var body = answer.body()) {
            var text = new String(body.readNBytes(ERROR_BYTES_MAX), StandardCharsets.UTF_8);
            return new ConsoleException(
                    uri + path + " replied with status " + answer.statusCode() + ": " + error(text));
        }
    }

    private static String error(String text) {
        try {
            var reported = JSON.readTree(text);
            var candidates = reported.path("candidates");
            return reported.path("error").asText(text) + (candidates.isArray() ? ": " + candidates : "");
        } catch (IOException plain) {
            return text;
        }
    }

    static String message(Throwable failure) {
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

    private static URI uri(String url) {
        try {
            var uri = URI.create(url.endsWith("/") ? url : url + "/");
            if (uri.getHost() != null && Set.of("http", "https").contains(String.valueOf(uri.getScheme()))) {
                return uri;
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
            throw new ConsoleException("--token-file " + file + " cannot be read: " + message(unreadable), unreadable);
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
            throw new ConsoleException("--ca " + file + " cannot be used: " + message(unreadable), unreadable);
        }
    }
}
