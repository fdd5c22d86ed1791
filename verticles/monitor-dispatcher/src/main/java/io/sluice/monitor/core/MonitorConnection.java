package io.sluice.monitor.core;

import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.shell.Backoff;
import io.sluice.shell.config.Durations;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Keeps one VM's monitor session as long as it is requested: it dials, performs the handshake, waits for proof, and
 * dials again.
 *
 * <p>A session counts as connected from the monitor's first answer or upscale request on, not from the version: a
 * monitor that cannot set itself up sends the version and drops the connection. A generation begins with each opened
 * socket and with each loss of one. It is at least the milliseconds since 1970, so that it also grows over a restart of
 * the process.
 */
public final class MonitorConnection {
    /** The part of the first wait within which a session that worked is dialled again. */
    private static final int SOON = 4;

    private final VmId vm;
    private final MonitorConfig config;
    private final RandomGenerator random;
    private final Backoff backoff;
    private ConnectionPhase phase;
    private long generation;
    private long socket;
    private int failures;
    private Instant leaseEnds;
    private Instant announceAt;
    private String reason = "not connected yet";

    /**
     * A connection that is requested from now on; its first {@link ConnectionEvent} makes it dial.
     *
     * @param above a generation that an earlier connection of the same VM has used; 0 if none
     */
    public MonitorConnection(VmId vm, MonitorConfig config, RandomGenerator random, long above, Instant now) {
        this.vm = vm;
        this.config = config;
        this.random = random;
        this.backoff = new Backoff(config.reconnectMin(), config.reconnectMax());
        this.generation = Math.max(above + 1, now.toEpochMilli());
        this.phase = new ConnectionPhase.Resting(now);
        this.leaseEnds = now.plus(config.leaseTimeout());
        this.announceAt = now.plus(config.stateInterval());
    }

    /** The state of the session. */
    public MonitorState state() {
        boolean connected = phase instanceof ConnectionPhase.Live;
        return new MonitorState(vm, generation, connected, connected ? "" : reason);
    }

    /** Whether it has ended for good; nothing changes it then. */
    public boolean over() {
        return phase instanceof ConnectionPhase.Over;
    }

    /** When the passing of time changes something next; empty once it has ended for good. */
    public Optional<Instant> wakeAt() {
        return phaseWake().map(due -> earliest(earliest(due, leaseEnds), announceAt));
    }

    /** The actions after an event. */
    public List<ConnectionAction> on(ConnectionEvent event, Instant now) {
        var out = new ArrayList<ConnectionAction>();
        switch (event) {
            case ConnectionEvent.Requested _ -> leaseEnds = now.plus(config.leaseTimeout());
            case ConnectionEvent.Unwanted(var why) -> finish(why, now, out);
            case ConnectionEvent.Opened(var opened) -> opened(opened, now, out);
            case ConnectionEvent.Received(var from, var text) when from == socket -> received(text, now, out);
            case ConnectionEvent.Disconnected(var lost, var why) when lost == socket -> lost(why, now, out);
            case ConnectionEvent.ResizeRequested request -> requested(request, now, out);
            case ConnectionEvent.Received _, ConnectionEvent.Disconnected _, ConnectionEvent.Woken _ -> {
                // An event of an older socket, or the passing of time: what is due is done below.
            }
        }
        tick(now, out);
        return List.copyOf(out);
    }

    private void opened(long opened, Instant now, List<ConnectionAction> out) {
        if (opened == socket && phase instanceof ConnectionPhase.Dialling(var deadline)) {
            generation = nextGeneration(now);
            phase = new ConnectionPhase.Shaking(deadline);
            out.add(new ConnectionAction.Send(socket, MonitorWire.range()));
        } else {
            out.add(new ConnectionAction.Close(opened, new CloseReason(CloseReason.NORMAL, "opened too late")));
        }
    }

    private void received(String text, Instant now, List<ConnectionAction> out) {
        switch (phase) {
            case ConnectionPhase.Shaking _ -> versionReceived(text, now, out);
            case ConnectionPhase.Proving(var deadline, var session) -> firstReceived(session, text, now, out);
            case ConnectionPhase.Live(var since, var session) ->
                session.receive(text, now, out).ifPresent(why -> drop(why, now, out));
            case ConnectionPhase.Resting _, ConnectionPhase.Dialling _, ConnectionPhase.Over _ -> {
                // A monitor must not send anything before the range.
            }
        }
    }

    private void versionReceived(String text, Instant now, List<ConnectionAction> out) {
        switch (MonitorWire.version(text)) {
            case VersionAnswer.Agreed() ->
                phase = new ConnectionPhase.Proving(
                        now.plus(config.responseTimeout()), new SessionProtocol(config, socket, generation, now));
            case VersionAnswer.Refused(var problem) ->
                drop(new CloseReason(CloseReason.PROTOCOL_ERROR, problem), now, out);
        }
    }

    /**
     * Publishes that the session is connected before it processes the message, so that an upscale request in it is
     * valid.
     */
    private void firstReceived(SessionProtocol session, String text, Instant now, List<ConnectionAction> out) {
        var reported = new ArrayList<ConnectionAction>();
        var ended = session.receive(text, now, reported);
        if (ended.isEmpty() && session.proven()) {
            phase = new ConnectionPhase.Live(now, session);
            announce(now, out);
        }
        out.addAll(reported);
        ended.ifPresent(why -> drop(why, now, out));
    }

    private void requested(ConnectionEvent.ResizeRequested request, Instant now, List<ConnectionAction> out) {
        switch (phase) {
            case ConnectionPhase.Live(var since, var session)
            when request.generation() == generation -> session.request(request, now, out);
            case ConnectionPhase.Live _ ->
                out.add(refusal(request, "meant for session " + request.generation() + ", this one is " + generation));
            case ConnectionPhase.Resting _,
                    ConnectionPhase.Dialling _,
                    ConnectionPhase.Shaking _,
                    ConnectionPhase.Proving _,
                    ConnectionPhase.Over _ -> out.add(refusal(request, "no session: " + reason));
        }
    }

    private static ConnectionAction refusal(ConnectionEvent.ResizeRequested request, String why) {
        return new ConnectionAction.Answer(request.request(), new ResizeReply.Failed(why));
    }

    /** Performs what is due at this time, whatever the event was. */
    private void tick(Instant now, List<ConnectionAction> out) {
        if (!over() && !now.isBefore(leaseEnds)) {
            finish("this session was not requested for " + Durations.text(config.leaseTimeout()), now, out);
        }
        switch (phase) {
            case ConnectionPhase.Resting(var until) when !now.isBefore(until) -> dial(now, out);
            case ConnectionPhase.Dialling(var deadline)
            when !now.isBefore(deadline) ->
                drop(tooLate("it did not open within ", config.connectionTimeout()), now, out);
            case ConnectionPhase.Shaking(var deadline)
            when !now.isBefore(deadline) -> drop(tooLate("no version within ", config.connectionTimeout()), now, out);
            case ConnectionPhase.Proving(var deadline, var session)
            when !now.isBefore(deadline) ->
                drop(tooLate("no first answer within ", config.responseTimeout()), now, out);
            case ConnectionPhase.Proving(var deadline, var session) ->
                session.tick(now, out).ifPresent(why -> drop(why, now, out));
            case ConnectionPhase.Live(var since, var session) ->
                session.tick(now, out).ifPresent(why -> drop(why, now, out));
            case ConnectionPhase.Resting _,
                    ConnectionPhase.Dialling _,
                    ConnectionPhase.Shaking _,
                    ConnectionPhase.Over _ -> {
                // The time has not come.
            }
        }
        if (!over() && !now.isBefore(announceAt)) {
            announce(now, out);
        }
    }

    private static CloseReason tooLate(String what, Duration limit) {
        return new CloseReason(CloseReason.INTERNAL_ERROR, what + Durations.text(limit));
    }

    private void dial(Instant now, List<ConnectionAction> out) {
        socket++;
        phase = new ConnectionPhase.Dialling(now.plus(config.connectionTimeout()));
        out.add(new ConnectionAction.Dial(socket));
    }

    /** Closes the socket. */
    private void drop(CloseReason why, Instant now, List<ConnectionAction> out) {
        out.add(new ConnectionAction.Close(socket, why));
        lost(why.reason(), now, out);
    }

    /** The socket has ended. */
    private void lost(String why, Instant now, List<ConnectionAction> out) {
        switch (phase) {
            case ConnectionPhase.Resting _, ConnectionPhase.Over _ -> {
                // The loss is already known.
            }
            case ConnectionPhase.Dialling _,
                    ConnectionPhase.Shaking _,
                    ConnectionPhase.Proving _,
                    ConnectionPhase.Live _ -> {
                end(why, now, out);
                phase = new ConnectionPhase.Resting(now.plus(pause()));
                announce(now, out);
            }
        }
    }

    /** After a session that worked, the next is dialled soon. */
    private Duration pause() {
        return failures == 0
                ? Duration.ofNanos((long) (backoff.first().toNanos() * random.nextDouble() / SOON))
                : backoff.after(failures, random);
    }

    private void end(String why, Instant now, List<ConnectionAction> out) {
        boolean lived = phase instanceof ConnectionPhase.Live(var since, var session)
                && !now.isBefore(since.plus(config.reconnectMin()));
        failures = lived ? 0 : failures + 1;
        reason = why;
        generation = nextGeneration(now);
        session().ifPresent(session -> session.abandon("the session ended: " + why, now, out));
        out.add(new ConnectionAction.RecordEnd(why, failures));
    }

    /** Ends the connection for good. */
    private void finish(String why, Instant now, List<ConnectionAction> out) {
        if (over()) {
            return;
        }
        if (socket > 0 && !(phase instanceof ConnectionPhase.Resting)) {
            out.add(new ConnectionAction.Close(socket, new CloseReason(CloseReason.NORMAL, why)));
        }
        session().ifPresent(session -> session.abandon("the session ended: " + why, now, out));
        reason = why;
        generation = nextGeneration(now);
        phase = new ConnectionPhase.Over();
        announce(now, out);
    }

    private Optional<SessionProtocol> session() {
        return switch (phase) {
            case ConnectionPhase.Proving(var deadline, var session) -> Optional.of(session);
            case ConnectionPhase.Live(var since, var session) -> Optional.of(session);
            case ConnectionPhase.Resting _,
                    ConnectionPhase.Dialling _,
                    ConnectionPhase.Shaking _,
                    ConnectionPhase.Over _ -> Optional.empty();
        };
    }

    private Optional<Instant> phaseWake() {
        return switch (phase) {
            case ConnectionPhase.Resting(var until) -> Optional.of(until);
            case ConnectionPhase.Dialling(var deadline) -> Optional.of(deadline);
            case ConnectionPhase.Shaking(var deadline) -> Optional.of(deadline);
            case ConnectionPhase.Proving(var deadline, var session) ->
                Optional.of(earliest(deadline, session.wakeAt()));
            case ConnectionPhase.Live(var since, var session) -> Optional.of(session.wakeAt());
            case ConnectionPhase.Over _ -> Optional.empty();
        };
    }

    private void announce(Instant now, List<ConnectionAction> out) {
        announceAt = now.plus(config.stateInterval());
        out.add(new ConnectionAction.Announce(state()));
    }

    private long nextGeneration(Instant now) {
        return Math.max(generation + 1, now.toEpochMilli());
    }

    private static Instant earliest(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
