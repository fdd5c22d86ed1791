package io.sluice.gateway.listener;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.HttpServerImpl;
import io.vertx.core.impl.transports.NioTransport;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.VertxWrapper;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.impl.NetServerImpl;
import io.vertx.core.net.impl.NetServerInternal;
import io.vertx.core.spi.transport.Transport;
import java.util.function.Predicate;

/**
 * Creates servers that check each connection as it is accepted. Vert.x itself shows a connection only after its TLS
 * handshake, and has no earlier hook.
 */
final class LimitedVertx extends VertxWrapper {
    private final Transport transport;

    private LimitedVertx(VertxInternal vertx, Predicate<Channel> admits) {
        super(vertx);
        transport = new Accepting(admits);
    }

    static HttpServer server(Vertx vertx, HttpServerOptions options, Predicate<Channel> admits) {
        return new HttpServerImpl(new LimitedVertx((VertxInternal) vertx, admits), options);
    }

    @Override
    public NetServerInternal createNetServer(NetServerOptions options) {
        return new NetServerImpl(this, options);
    }

    @Override
    public Transport transport() {
        return transport;
    }

    private static final class Accepting extends NioTransport {
        private final Predicate<Channel> admits;

        Accepting(Predicate<Channel> admits) {
            this.admits = admits;
        }

        @Override
        public void configure(NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
            super.configure(options, domainSocket, bootstrap);
            bootstrap.handler(new Acceptor(admits));
        }
    }

    /** Runs before Netty's own acceptor, which begins a connection. */
    private static final class Acceptor extends ChannelInboundHandlerAdapter {
        private final Predicate<Channel> admits;

        Acceptor(Predicate<Channel> admits) {
            this.admits = admits;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object accepted) {
            if (accepted instanceof Channel connection && !admits.test(connection)) {
                connection.unsafe().closeForcibly();
            } else {
                context.fireChannelRead(accepted);
            }
        }
    }
}
