package io.sluice.lab.guest.core;

import io.sluice.lab.load.core.GuestMemory;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * One session of the monitor in a guest, from the upgrade to its end: handshake, answers, upscale requests.
 *
 * <p>It ends without a message if the other side violates the protocol. A newer session ends it at once, but not before
 * it has sent its version.
 */
public final class MonitorSession {
    private static final Duration SET_UP_LIMIT = Duration.ofSeconds(4);

    private sealed interface Phase {
        record AwaitingRange(Instant deadline, boolean superseded) implements Phase {}

        record Serving(MonitorRules rules) implements Phase {}

        record Ended() implements Phase {}
    }

    private Phase phase;

    /** The monitor's ids are odd, from 3 on. */
    private long lastId = 1;

    /** A session of a connection that was upgraded now. */
    public MonitorSession(Instant now) {
        phase = new Phase.AwaitingRange(now.plus(SET_UP_LIMIT), false);
    }

    /** Whether it has ended. */
    public boolean ended() {
        return phase instanceof Phase.Ended;
    }

    /** Whether the handshake is done. */
    public boolean serving() {
        return phase instanceof Phase.Serving;
    }

    /** Takes a text message. */
    public List<SessionAction> receive(String text, GuestMemory memory, Instant now) {
        return switch (phase) {
            case Phase.AwaitingRange awaiting -> shakeHands(awaiting, text, memory, now);
            case Phase.Serving(var rules) -> answer(rules, text, now);
            case Phase.Ended _ -> List.of();
        };
    }

    /** Takes a frame that is not text: fatal before the range, ignored after it. */
    public List<SessionAction> receiveOther() {
        return switch (phase) {
            case Phase.AwaitingRange _ -> end("the first frame was no text");
            case Phase.Serving _, Phase.Ended _ -> List.of();
        };
    }

    /** A newer connection was upgraded. */
    public List<SessionAction> supersede() {
        return switch (phase) {
            case Phase.AwaitingRange(var deadline, var superseded) -> {
                phase = new Phase.AwaitingRange(deadline, true);
                yield List.of();
            }
            case Phase.Serving _ -> end("a newer session began");
            case Phase.Ended _ -> List.of();
        };
    }

    /** A tenth of a second has passed: time for a sample. */
    public List<SessionAction> tick(GuestMemory memory, Instant now) {
        return switch (phase) {
            case Phase.AwaitingRange(var deadline, var superseded)
            when !now.isBefore(deadline) -> end("no range in time");
            case Phase.Serving(var rules) -> sample(rules, memory, now);
            case Phase.AwaitingRange _, Phase.Ended _ -> List.of();
        };
    }

    private List<SessionAction> shakeHands(Phase.AwaitingRange awaiting, String text, GuestMemory memory, Instant now) {
        return switch (GuestWire.range(text)) {
            case BROKEN -> end("the range could not be read");
            case REFUSED -> then(GuestWire.refusal(), end("no common version"));
            case AGREED -> {
                var rules = new MonitorRules(memory.totalBytes());
                phase = new Phase.Serving(rules);
                yield then(
                        GuestWire.version(),
                        awaiting.superseded() ? end("a newer session began") : sample(rules, memory, now));
            }
        };
    }

    private List<SessionAction> answer(MonitorRules rules, String text, Instant now) {
        return switch (GuestWire.message(text)) {
            case AgentMessageText.Granted(var id, var bytes) -> {
                rules.granted(bytes);
                yield send(GuestWire.confirmation(id));
            }
            case AgentMessageText.MayShrink(var id, var bytes) -> ruled(rules.shrink(bytes, now), id);
            case AgentMessageText.HealthCheck(var id) -> send(GuestWire.healthy(id));
            case AgentMessageText.Complaint _ -> List.of();
            case AgentMessageText.Broken(var problem) -> end(problem);
        };
    }

    private static List<SessionAction> ruled(Shrink shrink, BigInteger id) {
        var answer = new SessionAction.Send(GuestWire.ruling(shrink, id));
        return switch (shrink) {
            case Shrink.Denied(var status) -> List.of(answer, new SessionAction.RecordDenial(status));
            case Shrink.Allowed _, Shrink.Failed _ -> List.of(answer);
        };
    }

    private List<SessionAction> sample(MonitorRules rules, GuestMemory memory, Instant now) {
        if (!rules.sample(memory.countedBytes(), now)) {
            return List.of();
        }
        lastId += 2;
        return List.of(
                new SessionAction.Send(GuestWire.upscaleRequest(lastId)), new SessionAction.RecordUpscaleRequest());
    }

    private List<SessionAction> end(String reason) {
        phase = new Phase.Ended();
        return List.of(new SessionAction.End(reason));
    }

    private static List<SessionAction> send(String text) {
        return List.of(new SessionAction.Send(text));
    }

    private static List<SessionAction> then(String text, List<SessionAction> rest) {
        var all = new ArrayList<SessionAction>(send(text));
        all.addAll(rest);
        return List.copyOf(all);
    }
}
