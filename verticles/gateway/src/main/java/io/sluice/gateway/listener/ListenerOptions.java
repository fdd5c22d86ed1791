package io.sluice.gateway.listener;

import io.vertx.core.Future;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.net.BindException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The options of every listener of a process. */
final class ListenerOptions {
    private static final int IDLE_SECONDS = 75;
    private static final int LINE_BYTES_MAX = 4096;
    private static final int HEADER_BYTES_MAX = 8192;

    private ListenerOptions() {}

    static HttpServerOptions options(String host, int port, Optional<TlsIdentity> identity) {
        var options = new HttpServerOptions()
                .setHost(host)
                .setPort(port)
                .setHttp2ClearTextEnabled(false)
                .setUseAlpn(false)
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false)
                .setIdleTimeout(IDLE_SECONDS)
                .setIdleTimeoutUnit(TimeUnit.SECONDS)
                .setMaxInitialLineLength(LINE_BYTES_MAX)
                .setMaxHeaderSize(HEADER_BYTES_MAX);
        identity.map(TlsIdentity::options)
                .ifPresent(tls -> options.setSsl(true)
                        .setKeyCertOptions(tls.getKeyCertOptions())
                        .setTrustOptions(tls.getTrustOptions())
                        .setClientAuth(tls.getClientAuth()));
        return options;
    }

    /** Opens a server; fails with a sentence that names the key to change. */
    static Future<HttpServer> open(HttpServer server, String section, String host, int port) {
        return server.listen()
                .recover(failure -> Future.failedFuture(new IllegalStateException(
                        section + ".port=" + port + " on " + host + " cannot be opened: " + reason(failure)
                                + "; free it or set " + section + ".port to another",
                        failure)));
    }

    /** Returns whether the port was the cause, so that another one may work. */
    static boolean isTaken(Throwable failure) {
        var cause = failure.getCause() == null ? failure : failure.getCause();
        return cause instanceof BindException
                && String.valueOf(cause.getMessage()).contains("in use");
    }

    private static String reason(Throwable failure) {
        return isTaken(failure) ? "another process listens there" : String.valueOf(failure.getMessage());
    }
}
