package io.sluice.pods;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.pods.api.PodApi;
import io.sluice.pods.core.PodEvents;
import io.sluice.pods.core.PodKey;
import io.sluice.pods.core.ResizeAttempt;
import io.sluice.pods.core.ResizePlan;
import io.sluice.shell.pods.ScaledPod;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Takes resizes to their end, one at a time for each pod. For one context. */
final class PodResizer {
    private static final int TRIES_MAX = 8;
    private static final int FORBIDDEN = 403;
    private static final int CONFLICT = 409;
    private static final int UNPROCESSABLE = 422;
    private static final int TOO_MANY_REQUESTS = 429;

    /** A watch reports what a kubelet decides; read more often, many pods that wait would keep the API server busy. */
    private static final long LOOK_EVERY_MS = 3_000;

    /** A resize that needs no permit has a long time; the reply, after a withdrawal, has less. */
    private static final Duration DECIDED_WITHIN = Duration.ofSeconds(8);

    private final Vertx vertx;
    private final PodApi api;
    private final InstantSource clock;
    private final Function<String, Optional<ScaledPod>> watched;
    private final BiConsumer<Refusal, ScaledPod> refused;
    private final Map<String, UnderWay> underWay = new HashMap<>();
    private final Map<String, Awaited> awaited = new HashMap<>();

    private record Awaited(ScaledPod newerThan, Promise<ScaledPod> newer) {}

    private record UnderWay(PatchVm request, Future<PatchReply> reply) {}

    /**
     * A size that was refused.
     *
     * @param request the size
     * @param cause what has refused it
     * @param reason one sentence
     */
    record Refusal(PatchVm request, PodEvents.Reason cause, String reason) {}

    /**
     * @param watched finds the last observation of a pod by its uid
     * @param refused receives the sizes that were refused, with the pod before
     */
    PodResizer(
            Vertx vertx,
            PodApi api,
            InstantSource clock,
            Function<String, Optional<ScaledPod>> watched,
            BiConsumer<Refusal, ScaledPod> refused) {
        this.vertx = vertx;
        this.api = api;
        this.clock = clock;
        this.watched = watched;
        this.refused = refused;
    }

    /** Whether a resize of the pod is under way here. */
    boolean attends(String uid) {
        return underWay.containsKey(uid);
    }

    /** Takes what the watch observed of a pod. It may be behind what a patch returned. */
    void observed(ScaledPod pod) {
        var waiting = awaited.get(pod.id().uid());
        if (waiting != null && pod.isNewerThan(waiting.newerThan())) {
            awaited.remove(pod.id().uid());
            waiting.newer().tryComplete(pod);
        }
    }

    /** Resizes a pod. A repeat of the same request gets the same reply. */
    Future<PatchReply> resize(PatchVm request) {
        var uid = request.vm().uid();
        var before = underWay.get(uid);
        if (before != null) {
            return before.request().fence().equals(request.fence())
                            && before.request().nextFence().equals(request.nextFence())
                            && before.request().target().equals(request.target())
                    ? before.reply()
                    : reply(new PatchReply.Refused(0, "another resize of this pod is under way"));
        }
        var within = request.sendWithin().compareTo(DECIDED_WITHIN) < 0 ? request.sendWithin() : DECIDED_WITHIN;
        var sendBy = clock.instant().plus(within);
        var course = new Course(new ResizeAttempt(request, sendBy), PodKey.of(request.vm()));
        var reply = course.beginWatched(watched.apply(uid)).otherwise(course::lost);
        if (!reply.isComplete()) {
            underWay.put(uid, new UnderWay(request, reply));
            reply.onComplete(done -> underWay.remove(uid));
        }
        return reply;
    }

    private static Future<PatchReply> reply(PatchReply reply) {
        return Future.succeededFuture(reply);
    }

    /** One attempt on its way. */
    private final class Course {
        private final ResizeAttempt attempt;
        private final PodKey pod;
        private Optional<JsonNode> before = Optional.empty();
        private Optional<ScaledPod> read = Optional.empty();
        private boolean mayHaveArrived;
        private int tries;

        Course(ResizeAttempt attempt, PodKey pod) {
            this.attempt = attempt;
            this.pod = pod;
        }

        private Instant now() {
            return clock.instant();
        }

        /** Writing the fence tests what was observed, and returns the pod as it is: it need not be read first. */
        Future<PatchReply> beginWatched(Optional<ScaledPod> observed) {
            return observed.filter(at -> attempt.begin(at, now()) instanceof ResizeAttempt.Step.Advance)
                    .map(this::advance)
                    .orElseGet(this::begin);
        }

        private Future<PatchReply> begin() {
            if (tries++ >= TRIES_MAX) {
                return reply(unlessArrived(
                        new PatchReply.Refused(CONFLICT, "each time another write came before the resize")));
            }
            return read().compose(answer -> answer.isSuccess()
                    ? step(ScaledPod.of(answer.body()), attempt.begin(ScaledPod.of(answer.body()), now()))
                    : reply(unlessArrived(new PatchReply.Refused(
                            answer.status(), "reading the pod was answered " + answer.status()))));
        }

        /** A resize that may have arrived may still be applied, until a later read or status shows that it is not. */
        private PatchReply unlessArrived(PatchReply.Refused refused) {
            return mayHaveArrived ? new PatchReply.InDoubt(refused.reason()) : refused;
        }

        private PatchReply lost(Throwable failure) {
            var words = PodApi.words(failure);
            return failure instanceof PodApi.NotSentException
                    ? unlessArrived(new PatchReply.Refused(0, words))
                    : new PatchReply.InDoubt(words);
        }

        private Future<PodApi.Answer> read() {
            return api.get(PodApi.path(pod));
        }

        private Future<PatchReply> step(ScaledPod at, ResizeAttempt.Step step) {
            return switch (step) {
                case ResizeAttempt.Step.Advance() -> advance(at);
                case ResizeAttempt.Step.Resize() -> resize(at);
                case ResizeAttempt.Step.Await(var until) ->
                    await(at, until).compose(shown -> step(shown, attempt.awaited(shown, now())));
                case ResizeAttempt.Step.Withdraw(var limit, var reason) -> withdraw(at, limit, reason);
                case ResizeAttempt.Step.Reply(var reply) -> reply(reply);
            };
        }

        private Future<PatchReply> advance(ScaledPod at) {
            var operations = ResizePlan.advance(at, attempt.request());
            // Without an answer the size is as it was, whatever became of the fence.
            return api.patch(PodApi.path(pod), operations, Duration.between(now(), attempt.sendBy()))
                    .transform(sent -> sent.succeeded()
                            ? advanced(sent.result())
                            : reply(new PatchReply.Refused(0, PodApi.words(sent.cause()))));
        }

        private Future<PatchReply> advanced(PodApi.Answer answer) {
            if (answer.isSuccess()) {
                var after = ScaledPod.of(answer.body());
                return step(after, attempt.begin(after, now()));
            }
            return isOvertaken(answer)
                    ? begin()
                    : reply(new PatchReply.Refused(
                            answer.status(), "writing the fence was answered " + sentence(answer)));
        }

        private Future<PatchReply> resize(ScaledPod at) {
            var left = Duration.between(now(), attempt.sendBy());
            if (!left.isPositive()) {
                return reply(new PatchReply.Refused(0, "its deadline has passed"));
            }
            before = Optional.of(at.isAccepted() ? at.resources() : ResizePlan.accepted(at));
            read = Optional.of(at);
            var resources = ResizePlan.resources(at, attempt.request().target());
            return api.patch(PodApi.path(pod) + "/resize", ResizePlan.resize(at, resources), left)
                    .transform(sent -> {
                        mayHaveArrived |= !(sent.cause() instanceof PodApi.NotSentException);
                        if (sent.succeeded()) {
                            var answer = sent.result();
                            return answer.isSuccess() ? accepted(answer) : notAccepted(at, answer);
                        }
                        return sent.cause() instanceof PodApi.NotSentException
                                ? Future.failedFuture(sent.cause())
                                : applied(PodApi.words(sent.cause()));
                    });
        }

        private Future<PatchReply> accepted(PodApi.Answer answer) {
            var after = ScaledPod.of(answer.body());
            return step(after, attempt.awaited(after, now()));
        }

        private Future<PatchReply> notAccepted(ScaledPod at, PodApi.Answer answer) {
            if (isOvertaken(answer)) {
                return read().compose(again -> {
                    boolean same = again.isSuccess()
                            && ScaledPod.of(again.body()).version().equals(at.version());
                    // Nobody else has written it, so the size itself is refused.
                    return same ? refuse(at, answer, true) : begin();
                });
            }
            if (answer.status() >= 500 || answer.status() == TOO_MANY_REQUESTS) {
                return answer.status() == TOO_MANY_REQUESTS
                        ? reply(new PatchReply.Refused(answer.status(), sentence(answer)))
                        : applied(sentence(answer));
            }
            return refuse(at, answer, answer.status() == FORBIDDEN);
        }

        private Future<PatchReply> refuse(ScaledPod at, PodApi.Answer answer, boolean limit) {
            var reason = "resizing it was answered " + sentence(answer);
            if (limit) {
                refused.accept(new Refusal(attempt.request(), PodEvents.Reason.REFUSED, reason), at);
            }
            return reply(new PatchReply.Refused(answer.status(), reason));
        }

        /** The answer was lost: the object shows whether the resize was applied; if not, it still may be. */
        private Future<PatchReply> applied(String words) {
            return read().compose(answer -> {
                var shown = ScaledPod.of(answer.body());
                boolean since = answer.isSuccess()
                        && read.filter(at -> !at.spec().equals(shown.spec())).isPresent();
                return since ? step(shown, attempt.awaited(shown, now())) : reply(new PatchReply.InDoubt(words));
            });
        }

        private Future<PatchReply> withdraw(ScaledPod at, boolean limit, String reason) {
            if (tries++ >= TRIES_MAX) {
                return reply(new PatchReply.InDoubt(reason + "; it could not be withdrawn yet"));
            }
            var back = before.orElseGet(() -> ResizePlan.accepted(at));
            return api.patch(PodApi.path(pod) + "/resize", ResizePlan.resize(at, back), ResizeAttempt.WITHDRAWN_WITHIN)
                    .compose(answer -> {
                        if (!answer.isSuccess()) {
                            // It may have been accepted meanwhile.
                            return read().compose(again -> again.isSuccess()
                                    ? step(
                                            ScaledPod.of(again.body()),
                                            attempt.awaited(ScaledPod.of(again.body()), now()))
                                    : reply(new PatchReply.InDoubt(reason)));
                        }
                        var cause = limit ? PodEvents.Reason.INFEASIBLE : PodEvents.Reason.DEFERRED;
                        refused.accept(new Refusal(attempt.request(), cause, reason), read.orElse(at));
                        return withdrawn(ScaledPod.of(answer.body()), reason);
                    });
        }

        private Future<PatchReply> withdrawn(ScaledPod at, String reason) {
            return switch (attempt.withdrawn(at, reason, now())) {
                case ResizeAttempt.Step.Await(var until) -> await(at, until).compose(shown -> withdrawn(shown, reason));
                case ResizeAttempt.Step.Reply(var reply) -> reply(reply);
                case ResizeAttempt.Step.Advance _, ResizeAttempt.Step.Resize _, ResizeAttempt.Step.Withdraw _ ->
                    reply(new PatchReply.InDoubt(reason));
            };
        }

        /** The pod when the watch reports it, or when it was read again: a watch may be blind for a while. */
        private Future<ScaledPod> await(ScaledPod at, Instant until) {
            Promise<ScaledPod> newer = Promise.promise();
            var waiting = new Awaited(at, newer);
            awaited.put(at.id().uid(), waiting);
            long left = Math.max(1, Duration.between(now(), until).toMillis());
            long timer = vertx.setTimer(
                    Math.min(LOOK_EVERY_MS, left),
                    fired -> read().onComplete(answer -> newer.tryComplete(
                            answer.succeeded() && answer.result().isSuccess()
                                    ? ScaledPod.of(answer.result().body())
                                    : at)));
            return newer.future().onComplete(done -> {
                awaited.remove(at.id().uid(), waiting);
                vertx.cancelTimer(timer);
            });
        }
    }

    private static boolean isOvertaken(PodApi.Answer answer) {
        return answer.status() == CONFLICT || answer.status() == UNPROCESSABLE;
    }

    private static String sentence(PodApi.Answer answer) {
        return answer.status() + (answer.words().isEmpty() ? "" : ": " + answer.words());
    }
}
