package io.sluice.monitor.core;

import io.sluice.messages.monitor.ResizeReply;
import io.sluice.shell.config.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The message phase of one session: creates ids, pairs answers with requests, checks health.
 *
 * <p>At most one resize and one health check are under way, so nothing here grows. Each method adds its actions to the
 * given list, and returns a reason if the session must end.
 */
final class SessionProtocol {
    /** A monitor repeats its upscale request each second; more frequent ones contain nothing new. */
    private static final Duration UPSCALE_GAP = Duration.ofMillis(200);

    private sealed interface Call {
        long id();

        Instant requestedAt();

        record Check(long id, Instant requestedAt) implements Call {}

        record Resize(long id, Instant requestedAt, CallKind kind, long request) implements Call {}
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
    private Optional<Instant> upscaleRequestedAt = Optional.empty();

    SessionProtocol(MonitorConfig config, long socket, long generation, Instant now) {
        this.config = config;
        this.socket = socket;
        this.generation = generation;
        this.nextCheckAt = now;
        this.messages = new MessageRate(config.maxMessagesPerSecond(), now);
        this.bytes = new MessageRate(config.maxMessageSize(), now);
    }

    /** Whether the monitor has answered or sent an upscale request. */
    boolean proven() {
        return proven;
    }

    Optional<CloseReason> receive(String text, Instant now, List<ConnectionAction> out) {
        if (floods(text.length(), now)) {
            return end("more than " + config.maxMessagesPerSecond() + " messages or " + config.maxMessageSize()
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
            case MonitorMessage.UpscaleRequest _ -> upscaleRequested(now, out);
            case MonitorMessage.InvalidMessage(var id, var error) -> {
                out.add(new ConnectionAction.RecordProtocolError("it could not read message " + id + ": " + error));
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
                        ok ? CallOutcome.OK : CallOutcome.DENIED,
                        ok ? new ResizeReply.Accepted(status) : new ResizeReply.Denied(status),
                        now,
                        out);
        };
    }

    void request(ConnectionEvent.ResizeRequested request, Instant now, List<ConnectionAction> out) {
        if (resize.isPresent()) {
            out.add(new ConnectionAction.Answer(
                    request.request(), new ResizeReply.Failed("another resize is under way with this monitor")));
            return;
        }
        var call = new Call.Resize(nextId(), now, request.kind(), request.request());
        resize = Optional.of(call);
        send(
                request.kind() == CallKind.UPSCALE
                        ? new AgentMessage.UpscaleNotification(call.id(), request.target())
                        : new AgentMessage.DownscaleRequest(call.id(), request.target()),
                out);
    }

    /** Ends requests that are too late and begins what is due. */
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
            send(new AgentMessage.HealthCheck(call.id()), out);
        }
        return Optional.empty();
    }

    /** The session has ended: pending requests fail. */
    void abandon(String reason, Instant now, List<ConnectionAction> out) {
        resize.ifPresent(call -> finish(call, CallOutcome.LOST, new ResizeReply.Failed(reason), now, out));
        check.ifPresent(call -> out.add(count(CallKind.HEALTH_CHECK, CallOutcome.LOST, call, now)));
        check = Optional.empty();
    }

    /** When the passing of time changes something next. */
    Instant wakeAt() {
        var next = check.map(this::deadline).orElse(nextCheckAt);
        return resize.map(this::deadline)
                .filter(deadline -> deadline.isBefore(next))
                .orElse(next);
    }

    private Optional<CloseReason> upscaleRequested(Instant now, List<ConnectionAction> out) {
        proven = true;
        if (upscaleRequestedAt.isEmpty()
                || !now.isBefore(upscaleRequestedAt.get().plus(UPSCALE_GAP))) {
            upscaleRequestedAt = Optional.of(now);
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
            return waits(id) ? fail(id, "answered as if it were " + kind, now, out) : stray(id, out);
        }
        finish(call.get(), outcome, reply, now, out);
        return Optional.empty();
    }

    /** Fails the request with this id, if there is one. */
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
        out.add(new ConnectionAction.Answer(call.request(), reply));
    }

    private ConnectionAction count(CallKind kind, CallOutcome outcome, Call call, Instant now) {
        return new ConnectionAction.Count(kind, outcome, Duration.between(call.requestedAt(), now));
    }

    /** An answer without a pending request. */
    private Optional<CloseReason> stray(long id, List<ConnectionAction> out) {
        out.add(new ConnectionAction.RecordProtocolError("no request waits for an answer with id " + id));
        complain(id, "no request waits for an answer with this id", out);
        return Optional.empty();
    }

    private void complain(long id, String problem, List<ConnectionAction> out) {
        send(new AgentMessage.InvalidMessage(id, problem), out);
    }

    private void send(AgentMessage message, List<ConnectionAction> out) {
        out.add(new ConnectionAction.Send(socket, MonitorWire.text(message)));
    }

    private boolean waits(long id) {
        return resize.filter(call -> call.id() == id).isPresent()
                || check.filter(call -> call.id() == id).isPresent();
    }

    /** The dispatcher's ids are even and grow by two; a monitor's own are odd. */
    private long nextId() {
        lastId += 2;
        return lastId;
    }

    /** Allows one message of the largest size in a second and not two: reading them delays all VMs. */
    private boolean floods(int characters, Instant now) {
        boolean tooMany = messages.exceeds(1, now);
        return bytes.exceeds(characters, now) || tooMany;
    }

    private boolean isLate(Call call, Instant now) {
        return !now.isBefore(deadline(call));
    }

    private Instant deadline(Call call) {
        return call.requestedAt().plus(config.responseTimeout());
    }

    private String silence() {
        return "the monitor did not answer within " + Durations.text(config.responseTimeout());
    }

    private static Optional<CloseReason> end(String why) {
        return Optional.of(new CloseReason(CloseReason.INTERNAL_ERROR, why));
    }
}
