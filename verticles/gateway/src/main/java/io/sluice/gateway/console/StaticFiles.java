package io.sluice.gateway.console;

import io.sluice.gateway.listener.ShortReplies;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The console's own files and the browser libraries that it uses, from the class path. It serves only files in these
 * folders that have a plain name and a type that pages use.
 */
final class StaticFiles {
    private static final Pattern PLAIN = Pattern.compile("(/[A-Za-z0-9@_-][A-Za-z0-9@._-]*)+");
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml",
            "png", "image/png",
            "ico", "image/x-icon",
            "json", "application/json",
            "woff2", "font/woff2");
    private static final int PATH_MAX = 256;
    private static final int BYTES_MAX = 4 * 1024 * 1024;
    private static final int CACHED_MAX = 256;
    private static final String REVALIDATE = "no-cache";
    private static final String FOR_EVER = "public, max-age=31536000, immutable";

    private final Vertx vertx;
    private final Map<String, Loaded> cache = new HashMap<>();

    private record Loaded(Buffer bytes, String tag, String type) {}

    StaticFiles(Vertx vertx) {
        this.vertx = vertx;
    }

    /** Whether a path is in these folders, whether the file exists or not; these files need no credential. */
    static boolean holds(String path) {
        return path.equals("/") || path.startsWith("/assets/") || path.startsWith("/lib/");
    }

    void serve(HttpServerRequest request) {
        var path = request.path();
        var cached = cache.get(path);
        if (cached != null) {
            send(request, cached);
            return;
        }
        vertx.executeBlocking(() -> load(path), false)
                .onFailure(failure -> ShortReplies.error(request, 500, "this file could not be read"))
                .onSuccess(found -> {
                    if (found.isEmpty()) {
                        ShortReplies.error(request, 404, "there is no such file here");
                        return;
                    }
                    if (cache.size() < CACHED_MAX) {
                        cache.put(path, found.get());
                    }
                    send(request, found.get());
                });
    }

    private static void send(HttpServerRequest request, Loaded file) {
        var response = request.response();
        if (response.closed()) {
            return;
        }
        response.putHeader(HttpHeaders.ETAG, file.tag())
                .putHeader(HttpHeaders.CACHE_CONTROL, request.path().startsWith("/lib/") ? FOR_EVER : REVALIDATE);
        if (file.tag().equals(request.getHeader(HttpHeaders.IF_NONE_MATCH))) {
            response.setStatusCode(304).end();
            return;
        }
        response.putHeader(HttpHeaders.CONTENT_TYPE, file.type());
        if (request.method().equals(HttpMethod.HEAD)) {
            response.putHeader(
                            HttpHeaders.CONTENT_LENGTH,
                            Integer.toString(file.bytes().length()))
                    .end();
        } else {
            response.end(file.bytes());
        }
    }

    private static Optional<Loaded> load(String path) throws IOException {
        var type = type(path.equals("/") ? "/index.html" : path);
        if (type.isEmpty()) {
            return Optional.empty();
        }
        for (var resource : resources(path)) {
            try (var in = StaticFiles.class.getClassLoader().getResourceAsStream(resource)) {
                if (in != null) {
                    var bytes = in.readNBytes(BYTES_MAX + 1);
                    return bytes.length > BYTES_MAX
                            ? Optional.empty()
                            : Optional.of(new Loaded(Buffer.buffer(bytes), tag(bytes), type.get()));
                }
            }
        }
        return Optional.empty();
    }

    /** Returns the class-path names that a path may mean, the likelier one first. */
    private static List<String> resources(String path) {
        if (path.equals("/")) {
            return List.of("console/index.html");
        }
        if (path.length() > PATH_MAX || !PLAIN.matcher(path).matches()) {
            return List.of();
        }
        if (path.startsWith("/assets/")) {
            return List.of("console/" + path.substring("/assets/".length()));
        }
        var rest = path.substring("/lib/".length());
        return List.of("META-INF/resources/webjars/" + rest, "META-INF/resources/_static/" + rest);
    }

    private static Optional<String> type(String path) {
        return Optional.ofNullable(TYPES.get(path.substring(path.lastIndexOf('.') + 1)));
    }

    private static String tag(byte[] bytes) {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return "\"" + HexFormat.of().formatHex(digest, 0, 12) + "\"";
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }
}
