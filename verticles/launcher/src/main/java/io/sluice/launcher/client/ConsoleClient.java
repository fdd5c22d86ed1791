package io.sluice.launcher.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.net.UnknownHostException;
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
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * Sends requests to the console listener of a running process. A token is sent over TLS or to this machine only.
 *
 * <p>By {@link HttpURLConnection}: to start {@code java.net.http} takes more time than all else that a command does.
 */
final class ConsoleClient {
    private static final Duration CONNECT_MAX = Duration.ofSeconds(5);
    private static final String EVENT = "event:";
    private static final String DATA = "data:";
    private static final int OK = 200;
    private static final int ERRORS = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int ERROR_BYTES_MAX = 4096;

    /** Several times the state of a large fleet. */
    private static final int JSON_BYTES_MAX = 64 << 20;

    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");

    private final URI uri;
    private final Optional<String> token;
    private final Optional<SSLSocketFactory> trusting;
    private final Duration answerMax;

    /** Reads an event by its name and its data. */
    interface EventReader {
        /** Returns false if it wants no more of them. */
        boolean read(String event, String data) throws IOException;
    }

    private ConsoleClient(URI uri, Optional<String> token, Optional<SSLSocketFactory> trusting, Duration answerMax) {
        this.uri = uri;
        this.token = token;
        this.trusting = trusting;
        this.answerMax = answerMax;
    }

    static ConsoleClient of(String url, Optional<Path> tokenFile, Optional<Path> ca, Duration answerMax) {
        var uri = uri(url);
        var token = tokenFile.map(ConsoleClient::firstLine);
        if (token.isPresent() && !uri.getScheme().equals("https") && !LOOPBACK.contains(uri.getHost())) {
            throw new ConsoleException("a token is not sent to " + url + ": use https, or a listener on this machine");
        }
        return new ConsoleClient(uri, token, ca.map(ConsoleClient::trusting), answerMax);
    }

    /** The response as JSON. */
    Json json(String path) {
        var body = get(path);
        try {
            var answer = within(() -> body.readNBytes(JSON_BYTES_MAX));
            body.close();
            if (answer.length == JSON_BYTES_MAX) {
                throw new ConsoleException(uri + path + " replied with more than " + JSON_BYTES_MAX + " bytes");
            }
            return Json.read(answer);
        } catch (IOException broken) {
            throw new ConsoleException("the reply of " + uri + path + " broke off: " + broken.getMessage(), broken);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ConsoleException("interrupted", interrupted);
        }
    }

    /** The body of a response that may take long; closed by the caller. */
    InputStream get(String path) {
        return send("GET", path);
    }

    /** Reads server-sent events, of one line of data each, until the stream ends or the reader wants no more. */
    void events(String path, EventReader reader) throws IOException {
        try (var lines = new BufferedReader(new InputStreamReader(get(path), StandardCharsets.UTF_8))) {
            var event = "";
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(EVENT)) {
                    event = line.substring(EVENT.length()).strip();
                } else if (line.startsWith(DATA)
                        && !reader.read(event, line.substring(DATA.length()).strip())) {
                    return;
                }
            }
        }
    }

    InputStream post(String path) {
        return send("POST", path);
    }

    static String encoded(String word) {
        return URLEncoder.encode(word, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private InputStream send(String method, String path) {
        try {
            var connection = connection(method, path);
            int status = status(connection);
            if (status != OK) {
                throw refused(
                        status, status < ERRORS ? connection.getInputStream() : connection.getErrorStream(), path);
            }
            return connection.getInputStream();
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

    private HttpURLConnection connection(String method, String path) throws IOException {
        var connection = (HttpURLConnection) uri.resolve(path).toURL().openConnection();
        if (connection instanceof HttpsURLConnection secured) {
            trusting.ifPresent(secured::setSSLSocketFactory);
        }
        connection.setConnectTimeout((int) CONNECT_MAX.toMillis());
        connection.setInstanceFollowRedirects(false);
        connection.setRequestMethod(method);
        connection.setRequestProperty("Connection", "close");
        token.ifPresent(held -> connection.setRequestProperty("Authorization", "Bearer " + held));
        if (method.equals("POST")) {
            // With a length that is fixed before, the JDK does not send the request again when the connection breaks.
            connection.setDoOutput(true);
            connection.setFixedLengthStreamingMode(0);
        }
        return connection;
    }

    private int status(HttpURLConnection connection) throws IOException, InterruptedException {
        int status = within(connection::getResponseCode);
        if (status < 0) {
            throw new IOException("the reply is not HTTP");
        }
        return status;
    }

    /**
     * Waits for the head of a response, or for the whole of a short one. The bound is a wait in this thread, because a
     * timeout of the connection would bound each read, so that a slow response could take very long, and a tap without
     * messages would end. What is late is left to its own thread, as a stream that is being read cannot be closed.
     */
    private <T> T within(Callable<T> read) throws IOException, InterruptedException {
        var reading = new FutureTask<>(read);
        Thread.ofPlatform().daemon().name("sluice-request").start(reading);
        try {
            return reading.get(answerMax.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw new IOException("request timed out", late);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException cause ? cause : new IOException(failed.getCause());
        }
    }

    private ConsoleException refused(int status, InputStream body, String path) throws IOException {
        if (status == UNAUTHORIZED) {
            return new ConsoleException(uri + " requires a token: give --token-file, or another one");
        }
        try (body) {
            var text = body == null ? "" : new String(body.readNBytes(ERROR_BYTES_MAX), StandardCharsets.UTF_8);
            return new ConsoleException(uri + path + " replied with status " + status + ": " + error(text));
        }
    }

    private static String error(String text) {
        try {
            var reported = Json.read(text);
            var candidates = reported.path("candidates");
            return reported.path("error").text(text) + (candidates.isList() ? ": " + candidates : "");
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
        if (failure instanceof ConnectException || failure instanceof UnknownHostException) {
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

    private static SSLSocketFactory trusting(Path file) {
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
            return context.getSocketFactory();
        } catch (IOException | GeneralSecurityException unreadable) {
            throw new ConsoleException("--ca " + file + " cannot be used: " + message(unreadable), unreadable);
        }
    }
}
