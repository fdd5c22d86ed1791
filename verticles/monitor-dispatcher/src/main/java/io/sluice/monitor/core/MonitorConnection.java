package io.sluice.monitor.core;

import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.monitor.MonitorConfig;
import io.sluice.shell.config.Durations;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Keeps one VM's monitor session for as long as somebody wants it: dials, shakes hands, proves, redials.
 *
 * <p>A session counts as connected from the monitor's first answer or cry on, not from the version: a monitor that
 * cannot set itself up says the version and drops the connection. A generation begins with each opened socket and with
 * each loss of one. It is at least the milliseconds since 1970, so that it also grows over a restart of ours.
 */
public final class MonitorConnection {
    private final VmId vm;
    private final MonitorConfig config;
    private final RandomGenerator random;
    private final RedialBackoff backoff;
    private ConnectionPhase phase;
    private long generation;
    private long socket;
    private int failures;
    private Instant leaseEnds;
    private Instant announceAt;
    private String reason = "not connected yet";

    /**
     * A link that is wanted from now on; its first {@link ConnectionEvent} makes it dial.
     *
     * @param above a generation that an earlier link of the same VM has used; 0 if none
     */
    public MonitorConnection(VmId vm, MonitorConfig config, RandomGenerator random, long above, Instant now) {
        this.vm = vm;
        this.config = config;
        this.random = random;
        this.backoff = new RedialBackoff(config.reconnectMin(), config.reconnectMax());
        this.generation = Math.max(above + 1, now.toEpochMilli());
        this.phase = new ConnectionPhase.Resting(now);
        this.leaseEnds = now.plus(config.leaseTimeout());
        this.announceAt = now.plus(config.stateInterval());
    }

    /** How the session stands. */
    public MonitorState state() {
        boolean connected = phase instanceof ConnectionPhase.Live;
        return new MonitorState(vm, generation, connected, connected ? "" : reason);
    }

    /** Whether nobody wants it any more; nothing changes it then. */
    public boolean over() {
        return phase instanceof ConnectionPhase.Over;
    }

    /** When time alone changes something next; empty once over. */
    public Optional<Instant> wakeAt() {
        return phaseWake().map(due -> earliest(earliest(due, leaseEnds), announceAt));
    }

    /** What to do about an event. */
    public List<ConnectionAction> on(ConnectionEvent event, Instant now) {
        var out = new ArrayList<ConnectionAction>();
        switch (event) {
            case ConnectionEvent.Requested _ -> leaseEnds = now.plus(config.leaseTimeout());
            case ConnectionEvent.Unwanted(var why) -> finish(why, now, out);
            case ConnectionEvent.Opened(var opened) -> opened(opened, now, out);
            case ConnectionEvent.Received(var from, var text) when from == socket -> heard(text, now, out);
            case ConnectionEvent.Disconnected(var lost, var why) when lost == socket -> lost(why, now, out);
            case ConnectionEvent.Asked asked -> asked(asked, now, out);
            case ConnectionEvent.Received _, ConnectionEvent.Disconnected _, ConnectionEvent.Woken _ -> {
                // Of an older socket, or nothing but time: what is due is done below.
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

    private void heard(String text, Instant now, List<ConnectionAction> out) {
        switch (phase) {
            case ConnectionPhase.Shaking _ -> versionHeard(text, now, out);
            case ConnectionPhase.Proving(var deadline, var talk) -> firstHeard(talk, text, now, out);
            case ConnectionPhase.Live(var since, var talk) ->
                talk.hear(text, now, out).ifPresent(why -> drop(why, now, out));
            case ConnectionPhase.Resting _, ConnectionPhase.Dialling _, ConnectionPhase.Over _ -> {
                // A monitor has nothing to say before our range.
            }
        }
    }

    private void versionHeard(String text, Instant now, List<ConnectionAction> out) {
        switch (MonitorWire.version(text)) {
            case VersionAnswer.Agreed() ->
                phase = new ConnectionPhase.Proving(
                        now.plus(config.responseTimeout()), new SessionProtocol(config, socket, generation, now));
            case VersionAnswer.Refused(var problem) ->
                drop(new CloseReason(CloseReason.PROTOCOL_ERROR, problem), now, out);
        }
    }

    /** The news that the session is connected goes out before what the monitor said, so that its cry is not void. */
    private void firstHeard(SessionProtocol talk, String text, Instant now, List<ConnectionAction> out) {
        var said = new ArrayList<ConnectionAction>();
        var ended = talk.hear(text, now, said);
        if (ended.isEmpty() && talk.proven()) {
            phase = new ConnectionPhase.Live(now, talk);
            announce(now, out);
        }
        out.addAll(said);
        ended.ifPresent(why -> drop(why, now, out));
    }

    private void asked(ConnectionEvent.Asked asked, Instant now, List<ConnectionAction> out) {
        switch (phase) {
            case ConnectionPhase.Live(var since, var talk)
            when asked.generation() == generation -> talk.ask(asked, now, out);
            case ConnectionPhase.Live _ ->
                out.add(refusal(asked, "meant for session " + asked.generation() + ", this one is " + generation));
            case ConnectionPhase.Resting _,
                    ConnectionPhase.Dialling _,
                    ConnectionPhase.Shaking _,
                    ConnectionPhase.Proving _,
                    ConnectionPhase.Over _ -> out.add(refusal(asked, "no session: " + reason));
        }
    }

    private static ConnectionAction refusal(ConnectionEvent.Asked asked, String why) {
        return new ConnectionAction.Answer(asked.question(), new ResizeReply.Failed(why));
    }

    /** Does what is due at this time, whatever the event was. */
    private void tick(Instant now, List<ConnectionAction> out) {
        if (!over() && !now.isBefore(leaseEnds)) {
            finish("nobody asked for this session for " + Durations.text(config.leaseTimeout()), now, out);
        }
        switch (phase) {
            case ConnectionPhase.Resting(var until) when !now.isBefore(until) -> dial(now, out);
            case ConnectionPhase.Dialling(var deadline)
            when !now.isBefore(deadline) ->
                drop(tooLate("it did not open within ", config.connectionTimeout()), now, out);
            case ConnectionPhase.Shaking(var deadline)
            when !now.isBefore(deadline) -> drop(tooLate("no version within ", config.connectionTimeout()), now, out);
            case ConnectionPhase.Proving(var deadline, var talk)
            when !now.isBefore(deadline) ->
                drop(tooLate("no first answer within ", config.responseTimeout()), now, out);
            case ConnectionPhase.Proving(var deadline, var talk) ->
                talk.tick(now, out).ifPresent(why -> drop(why, now, out));
            case ConnectionPhase.Live(var since, var talk) ->
                talk.tick(now, out).ifPresent(why -> drop(why, now, out));
            case ConnectionPhase.Resting _,
                    ConnectionPhase.Dialling _,
                    ConnectionPhase.Shaking _,
                    ConnectionPhase.Over _ -> {
                // Its time has not come.
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

    /** We end it. */
    private void drop(CloseReason why, Instant now, List<ConnectionAction> out) {
        out.add(new ConnectionAction.Close(socket, why));
        lost(why.reason(), now, out);
    }

    /** It has ended. */
    private void lost(String why, Instant now, List<ConnectionAction> out) {
        switch (phase) {
            case ConnectionPhase.Resting _, ConnectionPhase.Over _ -> {
                // Already known.
            }
            case ConnectionPhase.Dialling _,
                    ConnectionPhase.Shaking _,
                    ConnectionPhase.Proving _,
                    ConnectionPhase.Live _ -> {
                end(why, now, out);
                phase = new ConnectionPhase.Resting(now.plus(backoff.waitAfter(failures, random)));
                announce(now, out);
            }
        }
    }

    private void end(String why, Instant now, List<ConnectionAction> out) {
        boolean lived = phase instanceof ConnectionPhase.Live(var since, var talk)
                && !now.isBefore(since.plus(config.reconnectMin()));
        failures = lived ? 0 : failures + 1;
        reason = why;
        generation = nextGeneration(now);
        talk().ifPresent(talk -> talk.abandon("the session ended: " + why, now, out));
        out.add(new ConnectionAction.NoteEnd(why, failures));
    }

    /** For ever. */
    private void finish(String why, Instant now, List<ConnectionAction> out) {
        if (over()) {
            return;
        }
        if (socket > 0 && !(phase instanceof ConnectionPhase.Resting)) {
            out.add(new ConnectionAction.Close(socket, new CloseReason(CloseReason.NORMAL, why)));
        }
        talk().ifPresent(talk -> talk.abandon("the session ended: " + why, now, out));
        reason = why;
        generation = nextGeneration(now);
        phase = new ConnectionPhase.Over();
        announce(now, out);
    }

    private Optional<SessionProtocol> talk() {
        return switch (phase) {
            case ConnectionPhase.Proving(var deadline, var talk) -> Optional.of(talk);
            case ConnectionPhase.Live(var since, var talk) -> Optional.of(talk);
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
            case ConnectionPhase.Proving(var deadline, var talk) -> Optional.of(earliest(deadline, talk.wakeAt()));
            case ConnectionPhase.Live(var since, var talk) -> Optional.of(talk.wakeAt());
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
