package io.sluice.simulation.model.pods;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.vm.PatchReply;
import io.sluice.pods.core.ResizeAttempt;
import io.sluice.pods.core.ResizePlan;
import io.sluice.shell.pods.ScaledPod;
import io.sluice.simulation.engine.Seconds;
import io.sluice.simulation.engine.Timeline;
import io.sluice.simulation.model.ModelVmObject;
import io.sluice.simulation.model.agent.Flight;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/** One resize in a process of the driver, from its permit to its reply: the steps that the verticle performs. */
final class PodCourse {
    private static final int TRIES_MAX = 8;
    private static final long LOOK_EVERY = Seconds.of(3);
    private static final Duration DECIDED_WITHIN = Duration.ofSeconds(8);
    private static final long READ_TIMEOUT = Seconds.of(10);

    private final PodDriver driver;
    private final ModelVmObject vm;
    private final Flight flight;
    private final Consumer<PatchReply> reply;
    private final ResizeAttempt attempt;
    private Optional<JsonNode> before = Optional.empty();
    private Optional<ScaledPod> read = Optional.empty();
    private Optional<Awaited> awaited = Optional.empty();
    private int tries;

    private record Awaited(ScaledPod newerThan, Consumer<ScaledPod> newer, Timeline.Timer look) {}

    PodCourse(PodDriver driver, ModelVmObject vm, Flight flight, Consumer<PatchReply> reply) {
        this.driver = driver;
        this.vm = vm;
        this.flight = flight;
        this.reply = reply;
        var within = flight.patch.sendWithin();
        var sendBy = driver.clock.now().plus(within.compareTo(DECIDED_WITHIN) < 0 ? within : DECIDED_WITHIN);
        attempt = new ResizeAttempt(flight.patch, sendBy);
    }

    /** The process has ended. */
    void abandon() {
        awaited.ifPresent(waiting -> waiting.look().cancel());
        over();
    }

    private void over() {
        vm.scaledPod().leave(flight);
        flight.ended();
        driver.world.touch(vm);
    }

    private void reply(PatchReply answer) {
        over();
        if (driver.world.journal().listens()) {
            driver.world.report("pods: " + flight.sender + " gets " + answer);
        }
        reply.accept(answer);
    }

    private Instant now() {
        return driver.clock.now();
    }

    private long left(Instant until) {
        return Duration.between(now(), until).toNanos();
    }

    private void read(Consumer<Optional<ScaledPod>> then) {
        driver.call(
                READ_TIMEOUT,
                () -> PodDriver.read(vm),
                then,
                () -> reply(new PatchReply.InDoubt("the pod could not be read")));
    }

    /** Writing the fence tests what was observed, and returns the pod as it is: it need not be read first. */
    void beginWatched(Optional<ScaledPod> observed) {
        observed.filter(at -> attempt.begin(at, now()) instanceof ResizeAttempt.Step.Advance)
                .ifPresentOrElse(this::advance, this::begin);
    }

    private void begin() {
        if (tries++ >= TRIES_MAX) {
            reply(new PatchReply.Refused(409, "each time another write came before the resize"));
            return;
        }
        read(found -> found.ifPresentOrElse(
                pod -> step(pod, attempt.begin(pod, now())),
                () -> reply(new PatchReply.Refused(404, "reading the pod was answered 404"))));
    }

    private void step(ScaledPod at, ResizeAttempt.Step step) {
        switch (step) {
            case ResizeAttempt.Step.Advance() -> advance(at);
            case ResizeAttempt.Step.Resize() -> resize(at);
            case ResizeAttempt.Step.Await(var until) ->
                await(at, until, shown -> step(shown, attempt.awaited(shown, now())));
            case ResizeAttempt.Step.Withdraw(var limit, var reason) -> withdraw(at, reason);
            case ResizeAttempt.Step.Reply(var answer) -> reply(answer);
        }
    }

    private void advance(ScaledPod at) {
        var operations = ResizePlan.advance(at, attempt.request());
        driver.call(
                left(attempt.sendBy()),
                () -> driver.patch(vm, operations),
                after -> after.ifPresentOrElse(pod -> step(pod, attempt.begin(pod, now())), this::begin),
                () -> reply(new PatchReply.Refused(0, "writing the fence got no reply")));
    }

    private void resize(ScaledPod at) {
        long left = left(attempt.sendBy());
        if (left <= 0) {
            reply(new PatchReply.Refused(0, "its deadline has passed"));
            return;
        }
        before = Optional.of(at.isAccepted() ? at.resources() : ResizePlan.accepted(at));
        read = Optional.of(at);
        var operations =
                ResizePlan.resize(at, ResizePlan.resources(at, attempt.request().target()));
        driver.resize(vm, flight, at, operations, left, this::resized, this::applied);
    }

    private void resized(Optional<ScaledPod> after) {
        after.ifPresentOrElse(pod -> step(pod, attempt.awaited(pod, now())), this::begin);
    }

    /** The answer was lost: the object shows whether the resize was applied; if not, it still may be. */
    private void applied() {
        read(found -> {
            boolean since = found.isPresent()
                    && read.filter(at -> !at.spec().equals(found.get().spec())).isPresent();
            if (since) {
                step(found.get(), attempt.awaited(found.get(), now()));
            } else {
                reply(new PatchReply.InDoubt("the resize got no reply"));
            }
        });
    }

    private void withdraw(ScaledPod at, String reason) {
        if (tries++ >= TRIES_MAX) {
            reply(new PatchReply.InDoubt(reason + "; it could not be withdrawn yet"));
            return;
        }
        driver.world.tally().withdrawn();
        var back = before.orElseGet(() -> ResizePlan.accepted(at));
        var operations = ResizePlan.resize(at, back);
        driver.call(
                Seconds.of(ResizeAttempt.WITHDRAWN_WITHIN),
                () -> driver.patch(vm, operations),
                after -> after.ifPresentOrElse(
                        pod -> withdrawn(pod, reason),
                        () -> read(again -> again.ifPresentOrElse(
                                pod -> step(pod, attempt.awaited(pod, now())),
                                () -> reply(new PatchReply.InDoubt(reason))))),
                () -> reply(new PatchReply.InDoubt(reason)));
    }

    private void withdrawn(ScaledPod at, String reason) {
        switch (attempt.withdrawn(at, reason, now())) {
            case ResizeAttempt.Step.Await(var until) -> await(at, until, shown -> withdrawn(shown, reason));
            case ResizeAttempt.Step.Reply(var answer) -> reply(answer);
            case ResizeAttempt.Step.Advance _, ResizeAttempt.Step.Resize _, ResizeAttempt.Step.Withdraw _ ->
                reply(new PatchReply.InDoubt(reason));
        }
    }

    /** Continues when the watch reports a newer version, or when the pod was read again. */
    private void await(ScaledPod at, Instant until, Consumer<ScaledPod> newer) {
        long wait = Math.max(1, Math.min(LOOK_EVERY, left(until)));
        var look = driver.world.time().in(wait, driver.mine(() -> {
            awaited = Optional.empty();
            driver.call(
                    READ_TIMEOUT,
                    () -> PodDriver.read(vm),
                    found -> newer.accept(found.orElse(at)),
                    () -> newer.accept(at));
        }));
        awaited = Optional.of(new Awaited(at, newer, look));
    }

    /** Takes what the watch reports. */
    void observed(ScaledPod pod) {
        awaited.filter(waiting -> pod.isNewerThan(waiting.newerThan())).ifPresent(waiting -> {
            awaited = Optional.empty();
            waiting.look().cancel();
            waiting.newer().accept(pod);
        });
    }
}
