package io.sluice.workers;

import com.google.protobuf.Message;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.client.GrpcClientOptions;
import io.vertx.grpc.client.GrpcClientResponse;
import io.vertx.grpc.common.GrpcStatus;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Sends requests to the listener for controllers. */
public final class ControlClient {
    private static final Duration REPLY_MAX = Duration.ofSeconds(20);

    /** Lists of the most workers and instances that a config allows. */
    private static final long REPLY_BYTES_MAX = 64L << 20;

    private final GrpcClient client;
    private final SocketAddress address;

    /** @param tls the client's own certificate and key, and the issuers of the listener's certificate */
    public ControlClient(Vertx vertx, String host, int port, WorkersTls tls) {
        this(vertx, host, port, connection(tls));
    }

    /** @param connection how it connects */
    public ControlClient(Vertx vertx, String host, int port, HttpClientOptions connection) {
        client = GrpcClient.client(vertx, new GrpcClientOptions().setMaxMessageSize(REPLY_BYTES_MAX), connection);
        address = SocketAddress.inetSocketAddress(port, host);
    }

    /** Closes its connections. */
    public Future<Void> close() {
        return client.close();
    }

    /** How clients of both listeners connect. */
    public static HttpClientOptions connection(WorkersTls tls) {
        var options = new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false)
                .setConnectTimeout((int) REPLY_MAX.toMillis());
        if (tls.namesClients()) {
            options.setSsl(true)
                    .setUseAlpn(true)
                    .setKeyCertOptions(
                            new PemKeyCertOptions().addCertPath(tls.cert()).addKeyPath(tls.key()))
                    .setTrustOptions(new PemTrustOptions().addCertPath(tls.clientCa()));
        }
        return options;
    }

    /** A request that was refused, with the status of gRPC. */
    public static final class Refused extends Exception {
        private static final long serialVersionUID = 1;
        private final transient GrpcStatus status;

        private Refused(GrpcStatus status, String reason) {
            super(status.name() + ": " + reason, null, false, false);
            this.status = status;
        }

        /** Its kind. */
        public GrpcStatus status() {
            return status;
        }
    }

    /**
     * The reply; fails with {@link Refused} if the request was refused. It may be repeated.
     *
     * <p>Vert.x closes a client once it is garbage, so the request refers to it until it is over.
     */
    public <Q extends Message, A extends Message> Future<A> call(GrpcMethods.Method<Q, A> method, Q request) {
        return client.request(address, method.called())
                .compose(call -> {
                    call.timeout(REPLY_MAX.toMillis(), TimeUnit.MILLISECONDS);
                    return call.send(request);
                })
                .compose(ControlClient::reply)
                // That of the call ends with the reply's head.
                .timeout(REPLY_MAX.toMillis(), TimeUnit.MILLISECONDS)
                .onComplete(over -> Reference.reachabilityFence(client));
    }

    private static <Q, A> Future<A> reply(GrpcClientResponse<Q, A> response) {
        return response.last().transform(last -> {
            boolean refused = response.status() != null && response.status() != GrpcStatus.OK;
            if (refused) {
                return Future.failedFuture(new Refused(response.status(), response.statusMessage()));
            }
            return last.succeeded() ? Future.succeededFuture(last.result()) : Future.failedFuture(last.cause());
        });
    }
}
