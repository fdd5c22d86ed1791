package io.sluice.gateway.console;

import io.sluice.gateway.listener.ShortReplies;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Routes each request of the console to its handler. */
final class ConsolePages {
    private static final String NOTHING_HERE = "this path does not exist";

    private final Vertx vertx;
    private final FleetStreams fleet;
    private final DetailAnswers answers;
    private final TapRegistry taps;
    private final Supplier<String> config;
    private final StaticFiles files;
    private final Others others;

    /** Handlers of other types that have a path of their own. */
    record Others(
            Handler<HttpServerRequest> dump, Handler<HttpServerRequest> profile, Handler<HttpServerRequest> cluster) {}

    ConsolePages(
            Vertx vertx,
            FleetStreams fleet,
            DetailAnswers answers,
            TapRegistry taps,
            Supplier<String> config,
            Others others) {
        this.vertx = vertx;
        this.fleet = fleet;
        this.answers = answers;
        this.taps = taps;
        this.config = config;
        this.others = others;
        files = new StaticFiles(vertx);
    }

    /** Pages and libraries have no secrets; the pages request the credential themselves. */
    static boolean isPublic(HttpServerRequest request) {
        return request.path() != null && isReading(request) && StaticFiles.holds(request.path());
    }

    private static boolean isReading(HttpServerRequest request) {
        return request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD);
    }

    void handle(HttpServerRequest request) {
        var path = request.path() == null ? "" : request.path();
        switch (path) {
            case "/dump" -> others.dump().handle(request);
            case "/api/profile" -> others.profile().handle(request);
            default -> {
                if (isPublic(request) || request.method().equals(HttpMethod.GET)) {
                    read(request, path);
                } else {
                    request.response().putHeader(HttpHeaders.ALLOW, "GET");
                    ShortReplies.error(request, 405, "this path needs GET");
                }
            }
        }
    }

    private void read(HttpServerRequest request, String path) {
        switch (path) {
            case "/api/stream" -> fleet.open(request);
            case "/api/fleet" -> fleet.all(request);
            case "/api/tap" -> taps.open(request);
            case "/api/config" -> config(request);
            case "/api/cluster" -> others.cluster().handle(request);
            default -> {
                if (StaticFiles.holds(path)) {
                    files.serve(request);
                } else {
                    words(path)
                            .ifPresentOrElse(
                                    words -> read(request, words),
                                    () -> ShortReplies.error(request, 400, "the path cannot be decoded"));
                }
            }
        }
    }

    private void read(HttpServerRequest request, List<String> words) {
        var what = words.size() < 3 ? "" : words.get(1);
        var name = words.size() < 3 ? List.<String>of() : words.subList(2, words.size());
        if (!words.getFirst().equals("api")) {
            ShortReplies.error(request, 404, NOTHING_HERE);
        } else if (what.equals("vms") && name.size() == 2) {
            answers.vm(request, String.join("/", name));
        } else if (what.equals("nodes") && name.size() == 1) {
            answers.node(request, name.getFirst());
        } else if (what.equals("why") && (name.size() == 2 || name.size() == 3)) {
            why(request, name.getFirst(), name.subList(1, name.size()));
        } else {
            ShortReplies.error(request, 404, NOTHING_HERE);
        }
    }

    private void why(HttpServerRequest request, String what, List<String> name) {
        if (what.equals("vm")) {
            answers.whyVm(request, String.join("/", name));
        } else if (what.equals("node") && name.size() == 1) {
            answers.whyNode(request, name.getFirst());
        } else {
            ShortReplies.error(request, 404, NOTHING_HERE);
        }
    }

    private void config(HttpServerRequest request) {
        vertx.executeBlocking(config::get, false)
                .onFailure(failure -> ShortReplies.error(request, 500, "the config in force could not be read"))
                .onSuccess(json -> ShortReplies.json(request, 200, json));
    }

    /** Returns the parts of a path, without the empty one before its first slash. */
    private static Optional<List<String>> words(String path) {
        try {
            // The decoder is for forms, where a plus is a space; in a path it is a plus.
            return Optional.of(
                    Stream.of(path.substring(Math.min(1, path.length())).split("/", -1))
                            .map(word -> URLDecoder.decode(word.replace("+", "%2B"), StandardCharsets.UTF_8))
                            .toList());
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }
}
