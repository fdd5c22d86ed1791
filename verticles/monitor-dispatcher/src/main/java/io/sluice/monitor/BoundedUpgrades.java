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
 * Bounds what is read of the answer to a websocket's upgrade. Vert.x collects the body of a refused one, however long,
 * and offers no place in front of that: so the sockets of its clients count here, below all that reads HTTP. Every
 * Vert.x of the process finds this by its service file.
 */
public final class BoundedUpgrades implements VertxServiceProvider {
    /** More than the headers that are read, and less than anybody has to say before it is upgraded. */
    static final int BYTES_MAX = 64 << 10;

    /** By this name Vert.x keeps what waits for the answer in a connection's pipeline. */
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

        /** What is thrown here closes the connection. */
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
