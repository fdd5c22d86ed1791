package io.sluice.monitor.core;

import io.sluice.messages.monitor.ResizeReply;
import io.sluice.monitor.MonitorConfig;
import io.sluice.shell.config.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The message phase of one session: mints ids, pairs answers with calls, checks health.
 *
 * <p>At most one resize and one health check are under way, so nothing here grows. Each method adds what it wants done
 * to the list it is given, and answers a reason where the session must end.
 */
final class SessionProtocol {
    /** A monitor cries once a second; what comes much faster says nothing new. */
    private static final Duration CRY_GAP = Duration.ofMillis(200);

    private sealed interface Call {
        long id();

        Instant askedAt();

        record Check(long id, Instant askedAt) implements Call {}

        record Resize(long id, Instant askedAt, CallKind kind, long question) implements Call {}
    }

    private final MonitorConfig config;
    private final long socket;
    private final long generation;
    private final MessageRate messages;
    private final MessageRate bytes;
    private long lastId;
    private boolean proven;
    private Optional<Call.Resize> resize = Optional.empty();
    private Optional<Call.Check> check = Optional.empty();
    private Instant nextCheckAt;
    private Optional<Instant> failingSince = Optional.empty();
    private Optional<Instant> criedAt = Optional.empty();

    SessionProtocol(MonitorConfig config, long socket, long generation, Instant now) {
        this.config = config;
        this.socket = socket;
        this.generation = generation;
        this.nextCheckAt = now;
        this.messages = new MessageRate(config.maxMessagesPerSecond(), now);
        this.bytes = new MessageRate(config.maxMessageBytes(), now);
    }

    /** Whether the monitor answered or cried at least once. */
    boolean proven() {
        return proven;
    }

    Optional<CloseReason> hear(String text, Instant now, List<ConnectionAction> out) {
        if (floods(text.length(), now)) {
            return end("more than " + config.maxMessagesPerSecond() + " messages or " + config.maxMessageBytes()
                    + " bytes in a second");
        }
        return switch (MonitorWire.message(text)) {
            case MonitorMessage.Unreadable(var problem) -> end("unreadable message: " + problem);
            case MonitorMessage.Malformed(var id, var problem) -> {
                complain(id, problem, out);
                fail(id, problem, now, out);
                yield end(problem);
            }
            case MonitorMessage.UnknownType(var id, var type) -> {
                complain(id, "no such type: " + type, out);
                yield fail(id, "answered with the unknown type " + type, now, out);
            }
            case MonitorMessage.UpscaleRequest _ -> cried(now, out);
            case MonitorMessage.InvalidMessage(var id, var error) -> {
                out.add(new ConnectionAction.NoteOddity("it could not read message " + id + ": " + error));
                yield fail(id, "could not read it: " + error, now, out);
            }
            case MonitorMessage.InternalError(var id, var error) ->
                waits(id) ? fail(id, "failed: " + error, now, out) : stray(id, out);
            case MonitorMessage.HealthCheck(var id) -> healthy(id, now, out);
            case MonitorMessage.UpscaleConfirmation(var id) ->
                settle(id, CallKind.UPSCALE, CallOutcome.OK, new ResizeReply.Accepted(""), now, out);
            case MonitorMessage.DownscaleResult(var id, var ok, var status) ->
                settle(
                        id,
                        CallKind.DOWNSCALE,
                        ok ? CallOutcome.OK : CallOutcome.VETOED,
                        ok ? new ResizeReply.Accepted(status) : new ResizeReply.Denied(status),
                        now,
                        out);
        };
    }

    void ask(ConnectionEvent.Asked asked, Instant now, List<ConnectionAction> out) {
        if (resize.isPresent()) {
            out.add(new ConnectionAction.Answer(
                    asked.question(), new ResizeReply.Failed("another resize is under way with this monitor")));
            return;
        }
        var call = new Call.Resize(nextId(), now, asked.kind(), asked.question());
        resize = Optional.of(call);
        say(
                asked.kind() == CallKind.UPSCALE
                        ? new AgentMessage.UpscaleNotification(call.id(), asked.target())
                        : new AgentMessage.DownscaleRequest(call.id(), asked.target()),
                out);
    }

    /** Lets waits run out and begins what is due. */
    Optional<CloseReason> tick(Instant now, List<ConnectionAction> out) {
        var late = resize.filter(call -> isLate(call, now));
        if (late.isPresent()) {
            finish(late.get(), CallOutcome.TIMED_OUT, new ResizeReply.Failed(silence()), now, out);
        }
        if (check.filter(call -> isLate(call, now)).isPresent()) {
            var ended = checkFailed(CallOutcome.TIMED_OUT, now, out);
            if (ended.isPresent()) {
                return ended;
            }
        }
        if (check.isEmpty() && !now.isBefore(nextCheckAt)) {
            var call = new Call.Check(nextId(), now);
            check = Optional.of(call);
            nextCheckAt = now.plus(config.healthInterval());
            say(new AgentMessage.HealthCheck(call.id()), out);
        }
        return Optional.empty();
    }

    /** The session is gone: whoever waits is told. */
    void abandon(String reason, Instant now, List<ConnectionAction> out) {
        resize.ifPresent(call -> finish(call, CallOutcome.LOST, new ResizeReply.Failed(reason), now, out));
        check.ifPresent(call -> out.add(count(CallKind.HEALTH_CHECK, CallOutcome.LOST, call, now)));
        check = Optional.empty();
    }

    /** When time alone changes something next. */
    Instant wakeAt() {
        var next = check.map(this::deadline).orElse(nextCheckAt);
        return resize.map(this::deadline)
                .filter(deadline -> deadline.isBefore(next))
                .orElse(next);
    }

    private Optional<CloseReason> cried(Instant now, List<ConnectionAction> out) {
        proven = true;
        if (criedAt.isEmpty() || !now.isBefore(criedAt.get().plus(CRY_GAP))) {
            criedAt = Optional.of(now);
            out.add(new ConnectionAction.ReportUpscaleRequest(generation));
        }
        return Optional.empty();
    }

    private Optional<CloseReason> healthy(long id, Instant now, List<ConnectionAction> out) {
        if (check.filter(call -> call.id() == id).isEmpty()) {
            return waits(id) ? fail(id, "answered with a HealthCheck", now, out) : stray(id, out);
        }
        proven = true;
        failingSince = Optional.empty();
        out.add(count(CallKind.HEALTH_CHECK, CallOutcome.OK, check.get(), now));
        check = Optional.empty();
        return Optional.empty();
    }

    private Optional<CloseReason> settle(
            long id, CallKind kind, CallOutcome outcome, ResizeReply reply, Instant now, List<ConnectionAction> out) {
        var call = resize.filter(waiting -> waiting.id() == id && waiting.kind() == kind);
        if (call.isEmpty()) {
            return waits(id) ? fail(id, "answered with an answer to " + kind, now, out) : stray(id, out);
        }
        finish(call.get(), outcome, reply, now, out);
        return Optional.empty();
    }

    /** Fails the call with this id, where there is one. */
    private Optional<CloseReason> fail(long id, String problem, Instant now, List<ConnectionAction> out) {
        resize.filter(call -> call.id() == id)
                .ifPresent(call ->
                        finish(call, CallOutcome.FAILED, new ResizeReply.Failed("the monitor " + problem), now, out));
        return check.filter(call -> call.id() == id).flatMap(call -> checkFailed(CallOutcome.FAILED, now, out));
    }

    private Optional<CloseReason> checkFailed(CallOutcome outcome, Instant now, List<ConnectionAction> out) {
        out.add(count(CallKind.HEALTH_CHECK, outcome, check.orElseThrow(), now));
        check = Optional.empty();
        if (failingSince.isEmpty()) {
            failingSince = Optional.of(now);
            return Optional.empty();
        }
        return failingSince
                .filter(since -> now.isAfter(since.plus(config.healthGiveUp())))
                .flatMap(since ->
                        end("no successful health check for more than " + Durations.text(config.healthGiveUp())));
    }

    private void finish(
            Call.Resize call, CallOutcome outcome, ResizeReply reply, Instant now, List<ConnectionAction> out) {
        resize = Optional.empty();
        out.add(count(call.kind(), outcome, call, now));
        out.add(new ConnectionAction.Answer(call.question(), reply));
    }

    private ConnectionAction count(CallKind kind, CallOutcome outcome, Call call, Instant now) {
        return new ConnectionAction.Count(kind, outcome, Duration.between(call.askedAt(), now));
    }

    /** An answer that nobody waits for, or not any more. */
    private Optional<CloseReason> stray(long id, List<ConnectionAction> out) {
        out.add(new ConnectionAction.NoteOddity("nobody waits for an answer with id " + id));
        complain(id, "nobody waits for an answer with this id", out);
        return Optional.empty();
    }

    private void complain(long id, String problem, List<ConnectionAction> out) {
        say(new AgentMessage.InvalidMessage(id, problem), out);
    }

    private void say(AgentMessage message, List<ConnectionAction> out) {
        out.add(new ConnectionAction.Send(socket, MonitorWire.text(message)));
    }

    private boolean waits(long id) {
        return resize.filter(call -> call.id() == id).isPresent()
                || check.filter(call -> call.id() == id).isPresent();
    }

    /** Ours are even and grow by two; a monitor's own are odd. */
    private long nextId() {
        lastId += 2;
        return lastId;
    }

    /** One message of the largest size is let pass, not a second one in the same breath: reading them costs all VMs. */
    private boolean floods(int characters, Instant now) {
        boolean tooMany = messages.exceeds(1, now);
        return bytes.exceeds(characters, now) || tooMany;
    }

    private boolean isLate(Call call, Instant now) {
        return !now.isBefore(deadline(call));
    }

    private Instant deadline(Call call) {
        return call.askedAt().plus(config.responseTimeout());
    }

    private String silence() {
        return "the monitor did not answer within " + Durations.text(config.responseTimeout());
    }

    private static Optional<CloseReason> end(String why) {
        return Optional.of(new CloseReason(CloseReason.INTERNAL_ERROR, why));
    }
}
