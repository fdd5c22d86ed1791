package io.sluice.gateway;

import io.vertx.core.Future;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.net.BindException;
import java.util.concurrent.TimeUnit;

/** How every door of a process listens. */
final class Listener {
    private static final int IDLE_SECONDS = 75;
    private static final int LINE_BYTES_MAX = 4096;
    private static final int HEADER_BYTES_MAX = 8192;

    private Listener() {}

    static HttpServerOptions options(String host, int port) {
        return new HttpServerOptions()
                .setHost(host)
                .setPort(port)
                .setHttp2ClearTextEnabled(false)
                .setHandle100ContinueAutomatically(true)
                .setIdleTimeout(IDLE_SECONDS)
                .setIdleTimeoutUnit(TimeUnit.SECONDS)
                .setMaxInitialLineLength(LINE_BYTES_MAX)
                .setMaxHeaderSize(HEADER_BYTES_MAX);
    }

    /** Listens; completes with the port, or fails with a sentence that names the key to change. */
    static Future<Integer> open(HttpServer server, String section, String host, int port) {
        return server.listen()
                .map(HttpServer::actualPort)
                .recover(failure -> Future.failedFuture(new IllegalStateException(
                        section + ".port=" + port + " on " + host + " cannot be opened: " + reason(failure)
                                + "; free it or set " + section + ".port to another",
                        failure)));
    }

    private static String reason(Throwable failure) {
        return failure instanceof BindException
                        && String.valueOf(failure.getMessage()).contains("in use")
                ? "another process listens there"
                : String.valueOf(failure.getMessage());
    }
}
