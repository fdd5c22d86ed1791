package io.sluice.monitor;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.vertx.core.impl.transports.NioTransport;
import io.vertx.core.internal.VertxBootstrap;
import io.vertx.core.spi.VertxServiceProvider;
import java.io.IOException;

/**
 * Bounds how much is read of the answer to a websocket upgrade. Vert.x collects the body of a refused upgrade without a
 * bound and has no hook before that. So the sockets of its clients count bytes here, below the HTTP codec. Each Vert.x
 * instance of the process loads this class by its service file.
 */
public final class BoundedUpgrades implements VertxServiceProvider {
    /** More than the headers that Vert.x reads, and less than any server has to send before the upgrade. */
    static final int BYTES_MAX = 64 << 10;

    /** The name under which Vert.x adds the handler of the handshake to a connection's pipeline. */
    private static final String WAITING = "handshakeCompleter";

    /** For the service loader. */
    public BoundedUpgrades() {}

    @Override
    public void init(VertxBootstrap vertx) {
        if (vertx.transport() == null || vertx.transport() == NioTransport.INSTANCE) {
            vertx.transport(new Counting());
        }
    }

    private static final class Counting extends NioTransport {
        @Override
        public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
            return domainSocket ? super.channelFactory(true) : CountingChannel::new;
        }
    }

    private static final class CountingChannel extends NioSocketChannel {
        private int read;

        /** An exception thrown here closes the connection. */
        @Override
        protected int doReadBytes(ByteBuf into) throws Exception {
            int bytes = super.doReadBytes(into);
            if (bytes > 0 && read <= BYTES_MAX && pipeline().get(WAITING) != null) {
                read += bytes;
                if (read > BYTES_MAX) {
                    throw new IOException("the answer to the upgrade is longer than " + BYTES_MAX + " bytes");
                }
            }
            return bytes;
        }
    }
}
