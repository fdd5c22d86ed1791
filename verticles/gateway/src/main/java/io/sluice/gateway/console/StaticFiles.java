package io.sluice.gateway.console;

import io.sluice.gateway.listener.Replies;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
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
 *
 * <p>The library's handler for files is not used: it sends no entity tag, and reads the class path only after it has
 * unpacked it to a temporary folder, which this process does not have.
 */
final class StaticFiles implements Handler<RoutingContext> {
    /** The paths of these folders. */
    static final List<String> PATHS = List.of("/", "/assets/*", "/lib/*");

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

    @Override
    public void handle(RoutingContext context) {
        var path = context.request().path();
        var cached = cache.get(path);
        if (cached != null) {
            send(context, cached);
            return;
        }
        vertx.executeBlocking(() -> load(path), false)
                .onFailure(context::fail)
                .onSuccess(found -> found.ifPresentOrElse(
                        file -> {
                            if (cache.size() < CACHED_MAX) {
                                cache.put(path, file);
                            }
                            send(context, file);
                        },
                        () -> context.fail(404)));
    }

    private static void send(RoutingContext context, Loaded file) {
        context.etag(file.tag());
        context.response()
                .putHeader(
                        HttpHeaders.CACHE_CONTROL,
                        context.request().path().startsWith("/lib/") ? FOR_EVER : REVALIDATE);
        if (context.isFresh()) {
            context.response().setStatusCode(304).end();
        } else {
            Replies.send(context, 200, file.type(), file.bytes());
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
            return HexFormat.of().formatHex(digest, 0, 12);
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }
}
