package io.sluice.lab.guest;

import io.netty.channel.ChannelHandlerContext;
import io.sluice.lab.guest.core.MonitorSession;
import io.sluice.lab.guest.core.SessionAction;
import io.sluice.lab.load.core.GuestMemory;
import io.sluice.shell.LogKeys;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocketFrame;
import io.vertx.core.internal.http.WebSocketInternal;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The websocket of a guest's monitor at {@code GET /monitor}. The newest connection wins. All of it runs on the context
 * on which it listens.
 */
final class MonitorServer {
    /** The path of the websocket. */
    static final String PATH = "/monitor";

    private static final Logger LOG = LoggerFactory.getLogger(MonitorServer.class);
    private static final int FRAME_MAX = 16 << 20;
    private static final int MESSAGE_MAX = 64 << 20;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;

    /** The most sessions in their handshake; beyond it an older one is cut off. */
    private static final int SESSIONS_MAX = 16;

    private record Live(MonitorSession session, ServerWebSocket socket) {}

    private final InstantSource clock;
    private final Supplier<GuestMemory> memory;
    private final BooleanSupplier dead;
    private final HttpServer server;
    private final List<Live> sessions = new ArrayList<>();
    private long upscaleRequests;
    private long deniedDownscales;

    /** @param dead whether it has no session and takes no connection now */
    MonitorServer(Vertx vertx, InstantSource clock, Supplier<GuestMemory> memory, BooleanSupplier dead) {
        this.clock = clock;
        this.memory = memory;
        this.dead = dead;
        this.server = vertx.createHttpServer(new HttpServerOptions()
                .setMaxWebSocketFrameSize(FRAME_MAX)
                .setMaxWebSocketMessageSize(MESSAGE_MAX)
                .setHttp2ClearTextEnabled(false)
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false));
        server.requestHandler(this::upgrade);
    }

    Future<Integer> listen(String host, int port) {
        return server.listen(port, host).map(HttpServer::actualPort);
    }

    Future<Void> close() {
        List.copyOf(sessions).forEach(live -> end(live, "the guest stops"));
        return server.close();
    }

    long upscaleRequests() {
        return upscaleRequests;
    }

    long deniedDownscales() {
        return deniedDownscales;
    }

    boolean served() {
        return sessions.stream().anyMatch(live -> live.session().serving());
    }

    /** To be called ten times a second. */
    void tick() {
        if (dead.getAsBoolean()) {
            List.copyOf(sessions).forEach(live -> end(live, "the monitor is dead"));
        }
        var now = clock.instant();
        List.copyOf(sessions).forEach(live -> perform(live, live.session().tick(memory.get(), now)));
    }

    private void upgrade(HttpServerRequest request) {
        if (dead.getAsBoolean()) {
            request.connection().close();
        } else if (!PATH.equals(request.path())) {
            request.response().setStatusCode(NOT_FOUND).end();
        } else if (!HttpMethod.GET.equals(request.method())) {
            request.response().setStatusCode(METHOD_NOT_ALLOWED).end();
        } else {
            request.toWebSocket()
                    .onSuccess(this::begin)
                    .onFailure(refused -> LOG.atDebug()
                            .addKeyValue(LogKeys.ERROR, refused.getMessage())
                            .log("A monitor received a request that is not a websocket upgrade."));
        }
    }

    private void begin(ServerWebSocket socket) {
        List.copyOf(sessions).forEach(older -> perform(older, older.session().supersede()));
        if (sessions.size() >= SESSIONS_MAX) {
            end(sessions.getFirst(), "too many handshakes");
        }
        var live = new Live(new MonitorSession(clock.instant()), socket);
        sessions.add(live);
        socket.textMessageHandler(text -> perform(live, live.session().receive(text, memory.get(), clock.instant())));
        socket.frameHandler(frame -> other(live, frame));
        socket.exceptionHandler(thrown -> end(live, "the connection is broken"));
        socket.closeHandler(closed -> sessions.remove(live));
    }

    private void other(Live live, WebSocketFrame frame) {
        if (frame.isBinary() || frame.isPing()) {
            perform(live, live.session().receiveOther());
        }
    }

    private void perform(Live live, List<SessionAction> actions) {
        var sent = Future.<Void>succeededFuture();
        for (var action : actions) {
            switch (action) {
                case SessionAction.Send(var text) -> sent = live.socket().writeTextMessage(text);
                case SessionAction.End(var reason) -> sent.onComplete(flushed -> end(live, reason));
                case SessionAction.RecordUpscaleRequest() -> upscaleRequests++;
                case SessionAction.RecordDenial _ -> deniedDownscales++;
            }
        }
        sent.onFailure(lost -> end(live, "it cannot be written to"));
    }

    /**
     * Vert.x can only close with a close frame. A stock monitor never sends one, so the channel itself is closed, from
     * its far end.
     */
    private void end(Live live, String reason) {
        if (sessions.remove(live)) {
            LOG.atDebug().addKeyValue(LogKeys.REASON, reason).log("A session with a guest's monitor ends.");
            channel(live.socket()).pipeline().firstContext().close();
        }
    }

    private static ChannelHandlerContext channel(ServerWebSocket socket) {
        return ((WebSocketInternal) socket).channelHandlerContext();
    }
}
