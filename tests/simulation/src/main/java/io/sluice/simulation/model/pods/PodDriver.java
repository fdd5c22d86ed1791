package io.sluice.simulation.model.pods;

import io.sluice.messages.monitor.ResizeGuest;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.messages.vm.PatchReply;
import io.sluice.pods.core.ContainerUse;
import io.sluice.pods.core.DownscaleRules;
import io.sluice.pods.core.KubeletDecision;
import io.sluice.pods.core.PodsConfig;
import io.sluice.pods.core.ResizePlan;
import io.sluice.shell.pods.ScaledPod;
import io.sluice.simulation.engine.Chance;
import io.sluice.simulation.engine.Clock;
import io.sluice.simulation.engine.Link;
import io.sluice.simulation.engine.Seconds;
import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.ModelVmObject;
import io.sluice.simulation.model.World;
import io.sluice.simulation.model.agent.Flight;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A process with the role {@code pods}: the real rules, and what its verticle does for them. It crashes, stands still,
 * and loses sight of its watch; what it has sent stays on its way.
 */
final class PodDriver {
    private static final long SLOWEST = Seconds.of(22);
    private static final long API_TIMEOUT = Seconds.of(10);
    private static final long TEND = Seconds.of(1);
    private static final long WATCH_LAG = Seconds.of(3);
    private static final long WATCH_QUICK = Seconds.ofMillis(60);
    private static final int CLAIMS_MAX = 4;

    final World world;
    final Clock clock;
    private final Link toApi;
    private final Link fromApi;
    private final Chance watch;
    private final Map<String, PodCourse> courses = new HashMap<>();
    private final Map<String, ScaledPod> watched = new LinkedHashMap<>();
    private final Map<String, Waiting> waiting = new HashMap<>();
    private final Map<String, Long> due = new HashMap<>();
    private long blindUntil;
    private long stillUntil;
    private int life;

    private record Waiting(long generation, Instant since) {}

    PodDriver(World world, String name) {
        this.world = world;
        this.clock = world.clock(name);
        this.toApi = world.faults().link(name + " -> api", SLOWEST);
        this.fromApi = world.faults().link("api -> " + name, SLOWEST);
        this.watch = world.faults().chance("watch of " + name);
        world.time().in(TEND, this::tendAgain);
    }

    /** Ends the process, and starts another one without memory. */
    void crash() {
        life++;
        stillUntil = 0;
        clock.reset();
        courses.values().forEach(PodCourse::abandon);
        courses.clear();
        watched.clear();
        waiting.clear();
    }

    /** It stands still for that long, and then runs all that came meanwhile. */
    void pause(long nanos) {
        stillUntil = Math.max(stillUntil, world.time().now() + nanos);
    }

    /** Its watch reports nothing for that long. */
    void blind(long nanos) {
        blindUntil = Math.max(blindUntil, world.time().now() + nanos);
    }

    /** Wraps what this process does later: it runs in this life alone, and once the process does not stand still. */
    Runnable mine(Runnable what) {
        return mine(what, () -> {});
    }

    /** @param dropped runs in place of that if the process has ended by then */
    Runnable mine(Runnable what, Runnable dropped) {
        int now = life;
        return () -> run(now, what, dropped);
    }

    private void run(int of, Runnable what, Runnable dropped) {
        long left = stillUntil - world.time().now();
        if (of != life) {
            dropped.run();
        } else if (left > 0) {
            world.time().in(left, () -> run(of, what, dropped));
        } else {
            what.run();
        }
    }

    /** A pod was written. */
    void written(ModelVmObject vm) {
        var pod = vm.scaledPod().read();
        var uid = vm.id.uid();
        boolean slow = watch.oneIn(8) && world.faults().happens(watch, watch.drawn(), "slow");
        long now = world.time().now();
        long at = Math.max(due.getOrDefault(uid, 0L), now + 1 + watch.below(slow ? WATCH_LAG : WATCH_QUICK));
        due.put(uid, at);
        if (now >= blindUntil) {
            world.time().in(at - now, mine(() -> observed(vm, pod)));
        }
    }

    private void observed(ModelVmObject vm, ScaledPod pod) {
        if (!vm.runs()) {
            watched.remove(pod.id().uid());
            return;
        }
        if (ScaledPod.isMeant(pod.json())) {
            watched.put(pod.id().uid(), pod);
        } else {
            watched.remove(pod.id().uid());
        }
        var course = courses.get(pod.id().uid());
        if (course != null) {
            course.observed(pod);
        }
    }

    /** Calls the API server: it may take effect late or twice, or without a reply that arrives in time. */
    <A> void call(long within, Supplier<A> done, Consumer<A> answered, Runnable lost) {
        int now = life;
        world.bus()
                .<A>request(
                        toApi,
                        fromApi,
                        Math.min(within, API_TIMEOUT),
                        answer -> answer.accept(done.get()),
                        reply -> run(now, () -> answered.accept(reply), () -> {}),
                        () -> run(now, lost, () -> {}));
    }

    /** The same for a resize: each copy that may still arrive is recorded. */
    void resize(
            ModelVmObject vm,
            Flight flight,
            ScaledPod at,
            String operations,
            long within,
            Consumer<Optional<ScaledPod>> answered,
            Runnable lost) {
        var sent = new ScaledPodObject.Sent(flight, at.version());
        var pod = vm.scaledPod();
        call(
                within,
                () -> {
                    pod.arrived(sent);
                    flight.ended();
                    var after = patch(vm, operations);
                    after.ifPresent(done -> world.happened(new Happening.PatchApplied(vm, flight)));
                    return after;
                },
                answered,
                lost);
        int copies = toApi.lost() ? 0 : toApi.twice() ? 2 : 1;
        for (int copy = 0; copy < copies; copy++) {
            pod.sent(sent);
            flight.begun();
        }
    }

    /** Applies a patch at the API server; empty if one of its tests fails, or the pod has ended. */
    Optional<ScaledPod> patch(ModelVmObject vm, String operations) {
        return vm.runs() && world.scaledPods().patch(vm, operations) ? read(vm) : Optional.empty();
    }

    /** What a read returns; empty if the pod has ended. */
    static Optional<ScaledPod> read(ModelVmObject vm) {
        return vm.runs() ? Optional.of(vm.scaledPod().read()) : Optional.empty();
    }

    void claim(ModelVmObject vm, ClaimVm request, int number, Consumer<ClaimReply> answer) {
        Runnable lost = () -> answer.accept(new ClaimReply.Failed("no reply"));
        call(
                API_TIMEOUT,
                () -> read(vm),
                read -> {
                    if (read.isEmpty()) {
                        answer.accept(new ClaimReply.Failed("the pod has ended"));
                    } else if (read.get().fence().startsWith(request.runner() + "+")) {
                        answer.accept(claimed(read.get()));
                    } else {
                        write(vm, read.get(), request, number, answer);
                    }
                },
                lost);
    }

    private void write(ModelVmObject vm, ScaledPod pod, ClaimVm request, int number, Consumer<ClaimReply> answer) {
        var operations = ResizePlan.claim(pod, request.runner() + "+" + pod.version() + "/0");
        call(
                API_TIMEOUT,
                () -> patch(vm, operations),
                written -> {
                    if (written.isPresent()) {
                        answer.accept(claimed(written.get()));
                    } else if (number < CLAIMS_MAX) {
                        claim(vm, request, number + 1, answer);
                    } else {
                        answer.accept(new ClaimReply.Failed("overtaken"));
                    }
                },
                () -> answer.accept(new ClaimReply.Failed("no reply")));
    }

    private static ClaimReply claimed(ScaledPod pod) {
        return new ClaimReply.Claimed(pod.fence(), pod.sizes(), pod.isSettled(), pod.target());
    }

    void resize(Flight flight, Consumer<PatchReply> answer) {
        var vm = flight.vm;
        var uid = vm.id.uid();
        if (courses.containsKey(uid)) {
            flight.ended();
            answer.accept(new PatchReply.Refused(0, "another resize of this pod is under way"));
            return;
        }
        var course = new PodCourse(this, vm, flight, reply -> {
            courses.remove(uid);
            answer.accept(reply);
        });
        courses.put(uid, course);
        course.beginWatched(Optional.ofNullable(watched.get(uid)));
    }

    void downscale(ModelVmObject vm, ResizeGuest request, Consumer<ResizeReply> answer) {
        call(
                API_TIMEOUT,
                () -> read(vm),
                read -> answer.accept(read.<ResizeReply>map(pod -> {
                            var now = Seconds.instant(world.time().now());
                            var use = new ContainerUse(now, 0, (long) vm.memoryUsed);
                            return DownscaleRules.weigh(pod, request.target(), Optional.of(use), now);
                        })
                        .orElseGet(() -> new ResizeReply.Failed("the pod has ended"))),
                () -> answer.accept(new ResizeReply.Failed("no reply")));
    }

    private void tendAgain() {
        world.time().in(TEND, this::tendAgain);
        if (world.time().now() >= stillUntil) {
            watched.values().stream()
                    .filter(pod -> !courses.containsKey(pod.id().uid()))
                    .forEach(this::endResize);
        }
    }

    /** Withdraws what no process attends to. */
    private void endResize(ScaledPod pod) {
        var uid = pod.id().uid();
        boolean atRest = KubeletDecision.of(pod) instanceof KubeletDecision.Accepted;
        if (!pod.runs() || pod.fence().isEmpty() || !pod.isGrowing() || atRest) {
            waiting.remove(uid);
            return;
        }
        var now = clock.now();
        long generation = pod.generation();
        var before = waiting.get(uid);
        var since = before != null && before.generation() == generation ? before : new Waiting(generation, now);
        waiting.put(uid, since);
        if (!now.isBefore(since.since().plus(PodsConfig.DEFAULTS.withdrawAfter()))) {
            waiting.put(uid, new Waiting(generation, now));
            var vm = world.everyVm(pod.id());
            world.tally().withdrawn();
            call(API_TIMEOUT, () -> patch(vm, ResizePlan.resize(pod, ResizePlan.accepted(pod))), done -> {}, () -> {});
        }
    }
}
