package io.sluice.monitor;

import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeGuest;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.monitor.core.CallKind;
import io.sluice.monitor.core.CloseReason;
import io.sluice.monitor.core.LinkAction;
import io.sluice.monitor.core.LinkEvent;
import io.sluice.monitor.core.MonitorLink;
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
 * Performs what one {@link MonitorLink} decides: sockets, one timer, answers. Holds no rule of its own.
 *
 * <p>All of it runs on the verticle's context. An event that comes up while actions are performed waits until they are
 * through.
 */
final class LinkDriver {
    private static final Logger LOG = LoggerFactory.getLogger(LinkDriver.class);

    /** A VM that starts answers nothing for a while; only a run of failures is worth an operator's eye. */
    private static final int FAILURES_WORTH_A_WARNING = 5;

    /** Where the news of a link goes. */
    interface Listener {
        void announced(MonitorState state);

        void cried(VmId vm, long generation);

        /** Nobody wants the link any more; nothing comes after this. */
        void over(LinkDriver driver);
    }

    private record Alarm(long timer, Instant at) {}

    private final Vertx vertx;
    private final Dialler dialler;
    private final InstantSource clock;
    private final MonitorMeters meters;
    private final Listener listener;
    private final VmId vm;
    private final Endpoint endpoint;
    private final MonitorLink link;
    private final Map<Long, WebSocket> sockets = new HashMap<>();
    private final Map<Long, Promise<ResizeReply>> waiting = new HashMap<>();
    private final ArrayDeque<LinkEvent> pending = new ArrayDeque<>();
    private Optional<Alarm> alarm = Optional.empty();
    private long questions;
    private boolean performing;
    private boolean connected;

    /** The room that a driver works in, shared by all of them. */
    record Room(Vertx vertx, Dialler dialler, InstantSource clock, MonitorMeters meters, Listener listener) {}

    LinkDriver(Room room, VmId vm, Endpoint endpoint, MonitorLink link) {
        this.vertx = room.vertx();
        this.dialler = room.dialler();
        this.clock = room.clock();
        this.meters = room.meters();
        this.listener = room.listener();
        this.vm = vm;
        this.endpoint = endpoint;
        this.link = link;
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

    Future<ResizeReply> ask(CallKind kind, ResizeGuest question) {
        var answer = Promise.<ResizeReply>promise();
        questions++;
        waiting.put(questions, answer);
        meters.waiting(1);
        handle(new LinkEvent.Asked(questions, kind, question.generation(), question.target()));
        return answer.future();
    }

    void handle(LinkEvent event) {
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

    private void perform(LinkAction action) {
        switch (action) {
            case LinkAction.Dial(var socket) -> dial(socket);
            case LinkAction.Send(var socket, var text) -> send(socket, text);
            case LinkAction.Close(var socket, var why) -> close(socket, why);
            case LinkAction.Answer(var question, var reply) -> {
                meters.waiting(-1);
                waiting.remove(question).complete(reply);
            }
            case LinkAction.Announce(var state) -> announce(state);
            case LinkAction.Cry(var generation) -> {
                meters.cried();
                listener.cried(vm, generation);
            }
            case LinkAction.Count(var kind, var outcome, var took) -> meters.called(kind, outcome, took);
            case LinkAction.NoteEnd(var reason, var failures) -> ended(reason, failures);
            case LinkAction.NoteOddity(var what) -> {
                meters.odd();
                LOG.atDebug()
                        .addKeyValue(LogKeys.VM, vm.label())
                        .addKeyValue(LogKeys.REASON, what)
                        .log("A monitor said something odd.");
            }
        }
    }

    private void dial(long socket) {
        meters.dialled();
        dialler.dial(endpoint, text -> handle(new LinkEvent.Heard(socket, text)), why -> gone(socket, why))
                .onSuccess(opened -> {
                    if (opened.isClosed()) {
                        handle(new LinkEvent.Lost(socket, "the monitor ended the connection at once"));
                    } else {
                        sockets.put(socket, opened);
                        handle(new LinkEvent.Opened(socket));
                    }
                })
                .onFailure(why -> handle(new LinkEvent.Lost(socket, "cannot connect: " + Dialler.words(why))));
    }

    private void gone(long socket, String why) {
        sockets.remove(socket);
        handle(new LinkEvent.Lost(socket, why));
    }

    private void send(long socket, String text) {
        var open = sockets.get(socket);
        if (open == null) {
            return;
        }
        if (open.writeQueueFull()) {
            var why = new CloseReason(CloseReason.INTERNAL_ERROR, "the monitor does not read what it is sent");
            close(socket, why);
            handle(new LinkEvent.Lost(socket, why.reason()));
            return;
        }
        open.writeTextMessage(text)
                .onFailure(lost -> handle(new LinkEvent.Lost(socket, Dialler.ending(lost, "cannot send: "))));
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
                .log("A monitor cannot be kept in touch with; trying on.");
    }

    /** One timer per link. One that is too early only wakes the link for nothing, so it is left standing. */
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
        handle(new LinkEvent.Woken());
    }
}
