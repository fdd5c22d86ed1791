package io.sluice.kube.deploy;

import io.sluice.shell.LoopbackPorts;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** Servers that grant every request of the agents' protocol, each on a port of its own, and note who got which. */
final class Schedulers {
    private static final String GRANTED = "{\"permit\":{\"vCPUs\":1,\"mem\":\"4Gi\"}}";

    private final Vertx vertx;
    private final Map<Integer, HttpServer> servers = new HashMap<>();
    private final List<Integer> requested = new CopyOnWriteArrayList<>();

    Schedulers(Vertx vertx) {
        this.vertx = vertx;
    }

    /** Starts one at that address, and returns its port. */
    int open(String address) {
        int port = LoopbackPorts.next();
        var server = vertx.createHttpServer().requestHandler(request -> {
            requested.add(port);
            request.body().onSuccess(body -> request.response().end(GRANTED));
        });
        servers.put(port, server);
        done(server.listen(port, address));
        return port;
    }

    /** Ends the one that has this port. */
    void end(int port) {
        done(servers.remove(port).close());
    }

    /** The ports that got the requests, in their order. */
    List<Integer> requested() {
        return requested;
    }

    private static void done(Future<?> future) {
        future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
    }
}
