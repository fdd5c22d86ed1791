package io.sluice.monitor;

import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeGuest;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.monitor.core.CallKind;
import io.sluice.monitor.core.CallOutcome;
import io.sluice.monitor.core.CloseReason;
import io.sluice.monitor.core.ConnectionAction;
import io.sluice.monitor.core.ConnectionEvent;
import io.sluice.monitor.core.MonitorConnection;
import io.sluice.shell.LogKeys;
import io.sluice.units.VmId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.WebSocket;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Performs the actions of one {@link MonitorConnection}: sockets, one timer, replies. It has no rules of its own.
 *
 * <p>All of it runs on the verticle's context. An event that occurs while actions are performed waits until they are
 * done.
 */
final class ConnectionDriver {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionDriver.class);

    /** A starting VM does not answer for a while, so only a run of failures is worth a warning. */
    private static final int FAILURES_WORTH_A_WARNING = 5;

    /** Receives the events of a connection. */
    interface Listener {
        void announced(MonitorState state);

        void upscaleRequested(VmId vm, long generation);

        /** The connection has ended for good; no event follows. */
        void over(ConnectionDriver driver);
    }

    private record Alarm(long timer, Instant at) {}

    private final Vertx vertx;
    private final WebSocketDialer dialler;
    private final InstantSource clock;
    private final MonitorMetrics meters;
    private final Listener listener;
    private final VmId vm;
    private final Endpoint endpoint;
    private final MonitorConnection link;
    private final Map<Long, WebSocket> sockets = new HashMap<>();
    private final Map<Long, Promise<ResizeReply>> waiting = new HashMap<>();
    private final ArrayDeque<ConnectionEvent> pending = new ArrayDeque<>();
    private Optional<Alarm> alarm = Optional.empty();
    private long requests;
    private boolean performing;
    private boolean connected;
    private Instant healthyAt;

    /** What all drivers use. */
    record Dependencies(
            Vertx vertx, WebSocketDialer dialler, InstantSource clock, MonitorMetrics meters, Listener listener) {}

    ConnectionDriver(Dependencies dependencies, VmId vm, Endpoint endpoint, MonitorConnection link) {
        this.vertx = dependencies.vertx();
        this.dialler = dependencies.dialler();
        this.clock = dependencies.clock();
        this.meters = dependencies.meters();
        this.listener = dependencies.listener();
        this.vm = vm;
        this.endpoint = endpoint;
        this.link = link;
        this.healthyAt = clock.instant();
    }

    VmId vm() {
        return vm;
    }

    Endpoint endpoint() {
        return endpoint;
    }

    MonitorState state() {
        return link.state();
    }

    Future<ResizeReply> request(CallKind kind, ResizeGuest request) {
        var answer = Promise.<ResizeReply>promise();
        requests++;
        waiting.put(requests, answer);
        meters.waiting(1);
        handle(new ConnectionEvent.ResizeRequested(requests, kind, request.generation(), request.target()));
        return answer.future();
    }

    /** How long ago the last health check succeeded, or the session was requested if none has. */
    Duration silence() {
        return Duration.between(healthyAt, clock.instant());
    }

    void handle(ConnectionEvent event) {
        pending.add(event);
        if (performing) {
            return;
        }
        performing = true;
        try {
            while (!pending.isEmpty()) {
                link.on(pending.remove(), clock.instant()).forEach(this::perform);
            }
        } finally {
            performing = false;
        }
        arm();
        if (link.over()) {
            listener.over(this);
        }
    }

    private void perform(ConnectionAction action) {
        switch (action) {
            case ConnectionAction.Dial(var socket) -> dial(socket);
            case ConnectionAction.Send(var socket, var text) -> send(socket, text);
            case ConnectionAction.Close(var socket, var why) -> close(socket, why);
            case ConnectionAction.Answer(var request, var reply) -> {
                meters.waiting(-1);
                waiting.remove(request).complete(reply);
            }
            case ConnectionAction.Announce(var state) -> announce(state);
            case ConnectionAction.ReportUpscaleRequest(var generation) -> {
                meters.upscaleRequested();
                listener.upscaleRequested(vm, generation);
            }
            case ConnectionAction.Count(var kind, var outcome, var took) -> {
                meters.called(kind, outcome, took);
                if (kind == CallKind.HEALTH_CHECK && outcome == CallOutcome.OK) {
                    healthyAt = clock.instant();
                }
            }
            case ConnectionAction.RecordEnd(var reason, var failures) -> ended(reason, failures);
            case ConnectionAction.RecordProtocolError(var what) -> {
                meters.odd();
                LOG.atDebug()
                        .addKeyValue(LogKeys.VM, vm.label())
                        .addKeyValue(LogKeys.REASON, what)
                        .log("A monitor violated the protocol.");
            }
        }
    }

    private void dial(long socket) {
        meters.dialled();
        dialler.dial(endpoint, text -> handle(new ConnectionEvent.Received(socket, text)), why -> gone(socket, why))
                .onSuccess(opened -> {
                    if (opened.isClosed()) {
                        handle(new ConnectionEvent.Disconnected(socket, "the monitor ended the connection at once"));
                    } else {
                        sockets.put(socket, opened);
                        handle(new ConnectionEvent.Opened(socket));
                    }
                })
                .onFailure(why -> handle(
                        new ConnectionEvent.Disconnected(socket, "cannot connect: " + WebSocketDialer.words(why))));
    }

    private void gone(long socket, String why) {
        sockets.remove(socket);
        handle(new ConnectionEvent.Disconnected(socket, why));
    }

    private void send(long socket, String text) {
        var open = sockets.get(socket);
        if (open == null) {
            return;
        }
        if (open.writeQueueFull()) {
            var why = new CloseReason(CloseReason.INTERNAL_ERROR, "the monitor does not read its messages");
            close(socket, why);
            handle(new ConnectionEvent.Disconnected(socket, why.reason()));
            return;
        }
        open.writeTextMessage(text)
                .onFailure(lost -> handle(
                        new ConnectionEvent.Disconnected(socket, WebSocketDialer.ending(lost, "cannot send: "))));
    }

    private void close(long socket, CloseReason why) {
        var open = sockets.remove(socket);
        if (open != null) {
            dialler.close(open, why);
        }
    }

    private void announce(MonitorState state) {
        if (state.connected() != connected) {
            connected = state.connected();
            meters.connected(connected ? 1 : -1);
            LOG.atInfo()
                    .addKeyValue(LogKeys.VM, vm.label())
                    .addKeyValue(LogKeys.ENDPOINT, endpoint.host() + ":" + endpoint.port())
                    .addKeyValue(LogKeys.REASON, state.reason())
                    .log(connected ? "A monitor is connected." : "A monitor is no longer connected.");
        }
        listener.announced(state);
    }

    private void ended(String reason, int failures) {
        meters.lost();
        var line = failures == FAILURES_WORTH_A_WARNING ? LOG.atWarn() : LOG.atDebug();
        line.addKeyValue(LogKeys.VM, vm.label())
                .addKeyValue(LogKeys.ENDPOINT, endpoint.host() + ":" + endpoint.port())
                .addKeyValue(LogKeys.COUNT, failures)
                .addKeyValue(LogKeys.REASON, reason)
                .log("The session with a monitor failed; trying again.");
    }

    /** There is one timer for each connection. A timer that is too early has no effect, so it is not cancelled. */
    private void arm() {
        var due = link.wakeAt();
        if (alarm.isPresent() && due.isPresent() && !alarm.get().at().isAfter(due.get())) {
            return;
        }
        alarm.filter(set -> vertx.cancelTimer(set.timer())).ifPresent(cancelled -> meters.timers(-1));
        alarm = due.map(at -> {
            meters.timers(1);
            long delayMs = Math.max(1, Duration.between(clock.instant(), at).toMillis() + 1);
            return new Alarm(vertx.setTimer(delayMs, this::ring), at);
        });
    }

    private void ring(long timer) {
        alarm = Optional.empty();
        meters.timers(-1);
        handle(new ConnectionEvent.Woken());
    }
}
