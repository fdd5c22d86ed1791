package io.sluice.gateway.listener;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.timeout.WriteTimeoutHandler;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * Delays a connection's next request until the reply before it has been written to the network, and reads nothing
 * meanwhile. Vert.x begins it as soon as that reply is queued: a client that sends requests without reading replies
 * would fill the memory.
 */
final class OneRequestAtATime extends ChannelDuplexHandler {
    private final ArrayDeque<Object> held = new ArrayDeque<>();
    private boolean answering;
    private boolean interim;

    private OneRequestAtATime() {}

    /**
     * Adds this to a connection of a Vert.x server. A connection that does not take a reply in time is closed.
     *
     * @param within how long what was written at once may take
     */
    static void on(Channel channel, Duration within) {
        channel.pipeline()
                .addFirst("slowReader", new WriteTimeoutHandler(within.toMillis(), TimeUnit.MILLISECONDS))
                .addBefore("handler", "oneRequest", new OneRequestAtATime());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!held.isEmpty() || answering && message instanceof HttpRequest) {
            held.add(message);
            context.channel().config().setAutoRead(false);
        } else {
            pass(context, message);
        }
    }

    /** Nothing more is read while a request is delayed. */
    @Override
    public void read(ChannelHandlerContext context) {
        if (held.isEmpty()) {
            context.read();
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof HttpResponse head) {
            interim = head.status().codeClass() == HttpStatusClass.INFORMATIONAL;
        }
        if (message instanceof LastHttpContent && !interim) {
            context.write(message, promise.unvoid().addListener(written -> answered(context, written.isSuccess())));
        } else {
            context.write(message, promise);
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        held.forEach(ReferenceCountUtil::release);
        held.clear();
    }

    private void answered(ChannelHandlerContext context, boolean written) {
        answering = !written;
        if (!written || context.isRemoved() || held.isEmpty()) {
            return;
        }
        while (!held.isEmpty() && !(answering && held.peek() instanceof HttpRequest)) {
            pass(context, held.remove());
        }
        context.fireChannelReadComplete();
        if (held.isEmpty()) {
            context.channel().config().setAutoRead(true);
            context.read();
        }
    }

    private void pass(ChannelHandlerContext context, Object message) {
        answering |= message instanceof HttpRequest;
        context.fireChannelRead(message);
    }
}
