package io.sluice.gateway.console;

import io.sluice.gateway.listener.Replies;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Supplier;

/** The routes of the console. */
final class ConsolePages {
    private final Vertx vertx;
    private final FleetStreams fleet;
    private final DetailAnswers answers;
    private final TapRegistry taps;
    private final Supplier<String> config;
    private final Others others;

    /** Handlers of other types that have paths of their own. */
    record Others(
            Handler<RoutingContext> dump,
            Handler<RoutingContext> profile,
            Handler<RoutingContext> cluster,
            GangAnswers gangs) {}

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
    }

    /** Pages and libraries have no secrets; the pages request the credential themselves. */
    static boolean isPublic(HttpServerRequest request) {
        return request.path() != null
                && (request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD))
                && StaticFiles.holds(request.path());
    }

    void addTo(Router router) {
        var files = new StaticFiles(vertx);
        StaticFiles.PATHS.forEach(path -> router.route(path)
                .method(HttpMethod.GET)
                .method(HttpMethod.HEAD)
                .handler(files));
        router.route("/dump").handler(others.dump());
        router.route("/api/profile").handler(others.profile());
        router.get("/api/cluster").handler(others.cluster());
        router.get("/api/stream").handler(fleet::open);
        router.get("/api/fleet").handler(fleet::all);
        router.get("/api/tap").handler(taps::open);
        router.get("/api/config").handler(this::config);
        router.get("/api/vms/:namespace/:name").handler(context -> answers.vm(context, name(context)));
        router.get("/api/vms/:namespace/:name/bill")
                .handler(context -> answers.bill(context, context.pathParam("namespace"), context.pathParam("name")));
        router.get("/api/nodes/:name").handler(context -> answers.node(context, name(context)));
        router.get("/api/pods").handler(answers::pods);
        router.get("/api/pods/:namespace/:name").handler(context -> answers.pod(context, name(context)));
        router.get("/api/why/vm/:name").handler(context -> answers.whyVm(context, name(context)));
        router.get("/api/why/vm/:namespace/:name").handler(context -> answers.whyVm(context, name(context)));
        router.get("/api/why/pod/:name").handler(context -> answers.whyPod(context, name(context)));
        router.get("/api/why/pod/:namespace/:name").handler(context -> answers.whyPod(context, name(context)));
        router.get("/api/gangs").handler(others.gangs()::all);
        router.get("/api/why/gang/:namespace/:name")
                .handler(context -> others.gangs().why(context, name(context)));
        router.get("/api/why/node/:name").handler(context -> answers.whyNode(context, name(context)));
    }

    private void config(RoutingContext context) {
        vertx.executeBlocking(config::get, false)
                .onFailure(context::fail)
                .onSuccess(json -> Replies.json(context, 200, Buffer.buffer(json)));
    }

    /** Returns the name in the path, after its namespace if there is one. */
    private static String name(RoutingContext context) {
        var namespace = context.pathParam("namespace");
        var name = context.pathParam("name");
        return namespace == null ? name : namespace + "/" + name;
    }
}
