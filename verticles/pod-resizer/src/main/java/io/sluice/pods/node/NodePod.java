package io.sluice.pods.node;

import io.sluice.messages.pod.PodSampled;
import io.sluice.pods.node.core.MemoryEvents;
import io.sluice.pods.node.core.NodeAgentConfig;
import io.sluice.shell.LogKeys;
import io.sluice.shell.pods.ScaledPod;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pod of this node: its control groups are read when the kernel reports that it lacks something, twice with a tenth
 * of a second between, at most once a second. For one context.
 */
final class NodePod {
    private static final Logger LOG = LoggerFactory.getLogger(NodePod.class);

    /** A period of CPU limits, so that what is throttled counts evenly. */
    private static final long BETWEEN_MOMENTS_MS = 100;

    private static final long REST_MS = 900;

    private final Vertx vertx;
    private final Context context;
    private final NodeAgentConfig config;
    private final KernelEvents kernel;
    private final Consumer<PodSampled> sampled;
    private final LimitsWatch limits;
    private volatile ScaledPod pod;
    private Watches watches = Watches.NONE;
    private Optional<MemoryEvents> memory = Optional.empty();
    private boolean isClosed;
    private boolean isLooking;
    private boolean isOutdated;
    private boolean isSampling;
    private Optional<PodSampled.Cause> pending = Optional.empty();
    private volatile Optional<String> trouble = Optional.empty();

    /**
     * What is watched of a pod.
     *
     * @param group empty until it was found
     * @param open what the kernel reports, by file
     * @param refused why it does not report all of it, in words; empty if it does
     */
    private record Watches(
            Optional<ControlGroup> group, Map<Path, KernelEvents.Watched> open, Optional<String> refused) {
        static final Watches NONE = new Watches(Optional.empty(), Map.of(), Optional.empty());
    }

    /**
     * @param sampled receives samples
     * @param limits receives how limits differ
     */
    NodePod(
            Vertx vertx,
            NodeAgentConfig config,
            KernelEvents kernel,
            Consumer<PodSampled> sampled,
            LimitsWatch limits) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.config = config;
        this.kernel = kernel;
        this.sampled = sampled;
        this.limits = limits;
    }

    /** Takes the pod as its object is now. What was refused may be possible now. */
    void observed(ScaledPod now) {
        pod = now;
        if (isLooking) {
            isOutdated = true;
            return;
        }
        isLooking = true;
        isOutdated = false;
        var before = watches;
        vertx.executeBlocking(() ->
                        ControlGroup.find(Path.of(config.cgroupRoot()), now).map(group -> watch(group, before)))
                .onFailure(failure -> trouble = Optional.of(words(failure)))
                .onSuccess(found -> found.ifPresentOrElse(this::watched, () -> notFound(now)))
                .onComplete(done -> {
                    isLooking = false;
                    if (isOutdated && !isClosed) {
                        observed(pod);
                    }
                });
    }

    private void notFound(ScaledPod now) {
        trouble = ControlGroup.hasRunning(now)
                ? Optional.of("it has no control group below " + config.cgroupRoot())
                : Optional.empty();
    }

    private void watched(Watches now) {
        if (isClosed) {
            now.open().values().forEach(KernelEvents.Watched::close);
            return;
        }
        if (!now.group().equals(watches.group())) {
            memory = Optional.empty();
        }
        watches = now;
        trouble = now.refused();
        memoryChanged();
        checkLimits();
    }

    /** What is open of the same group stays open. */
    private Watches watch(ControlGroup group, Watches before) {
        boolean isSame = before.group().equals(Optional.of(group));
        if (isSame && before.refused().isEmpty()) {
            return before;
        }
        if (!isSame) {
            before.open().values().forEach(KernelEvents.Watched::close);
        }
        return open(group, isSame ? before.open() : Map.of());
    }

    private Watches open(ControlGroup group, Map<Path, KernelEvents.Watched> kept) {
        var open = new HashMap<>(kept);
        var refused = new ArrayList<String>();
        var files = group.directory();
        open(
                open,
                refused,
                group.memoryEventsFile(),
                file -> kernel.changes(file, () -> onContext(() -> memoryChanged())));
        for (var limit : group.limitFiles()) {
            open(open, refused, limit, file -> kernel.changes(file, () -> onContext(this::checkLimits)));
        }
        open(
                open,
                refused,
                files.resolve("cpu.pressure"),
                file -> kernel.pressure(
                        file, config.cpuTrigger(), () -> onContext(() -> reported(PodSampled.Cause.CPU_STALLED))));
        open(
                open,
                refused,
                files.resolve("memory.pressure"),
                file -> kernel.pressure(
                        file,
                        config.memoryTrigger(),
                        () -> onContext(() -> reported(PodSampled.Cause.MEMORY_STALLED))));
        return new Watches(
                Optional.of(group),
                Map.copyOf(open),
                refused.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", refused)));
    }

    /** Opens a watch on a file. */
    private interface Opening {
        KernelEvents.Watched of(Path file) throws IOException;
    }

    private static void open(Map<Path, KernelEvents.Watched> open, List<String> refused, Path file, Opening opening) {
        if (open.containsKey(file)) {
            return;
        }
        try {
            open.put(file, opening.of(file));
        } catch (IOException failed) {
            refused.add(file.getFileName() + " is not watched: " + failed.getMessage());
        }
    }

    private void onContext(Runnable turn) {
        context.runOnContext(now -> {
            if (!isClosed) {
                turn.run();
            }
        });
    }

    /** What is new since the last time counts; the first time, nothing is new. */
    private void memoryChanged() {
        watches.group()
                .ifPresent(group -> vertx.executeBlocking(group::memoryEvents).onSuccess(now -> {
                    var cause = memory.flatMap(now::since);
                    memory = Optional.of(now);
                    cause.ifPresent(this::reported);
                }));
    }

    private void reported(PodSampled.Cause cause) {
        if (isSampling) {
            pending = Optional.of(
                    pending.filter(before -> before.compareTo(cause) > 0).orElse(cause));
        } else {
            watches.group().ifPresent(group -> sample(group, cause));
        }
    }

    private void sample(ControlGroup group, PodSampled.Cause cause) {
        isSampling = true;
        vertx.executeBlocking(group::moment)
                .compose(first -> after(BETWEEN_MOMENTS_MS)
                        .compose(waited -> vertx.executeBlocking(group::moment))
                        .map(last -> new PodSampled(pod.id(), cause, first, last)))
                .onSuccess(sampled::accept)
                .onFailure(gone -> LOG.atDebug()
                        .addKeyValue(LogKeys.POD, pod.id().label())
                        .addKeyValue(LogKeys.ERROR, words(gone))
                        .log("The control groups of a pod could not be read."))
                .onComplete(done -> after(REST_MS).onSuccess(rested -> {
                    isSampling = false;
                    var next = pending;
                    pending = Optional.empty();
                    next.filter(missed -> !isClosed).ifPresent(this::reported);
                }));
    }

    private Future<Void> after(long milliseconds) {
        Promise<Void> passed = Promise.promise();
        vertx.setTimer(milliseconds, timer -> passed.complete());
        return passed.future();
    }

    private void checkLimits() {
        watches.group()
                .ifPresent(group -> vertx.executeBlocking(() -> group.limitsDifference(pod))
                        .onSuccess(difference -> {
                            if (!isClosed) {
                                limits.found(difference, this::checkLimits);
                            }
                        }));
    }

    private static String words(Throwable failure) {
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    }

    /** Its name. From any thread. */
    String label() {
        return pod.id().label();
    }

    /** Why it is not watched as it should be, in words. From any thread. */
    Optional<String> trouble() {
        return trouble;
    }

    /** How its limits differ, in words, once that has lasted. From any thread. */
    Optional<String> limitsDifference() {
        return limits.lasting();
    }

    /** Ends all watches. */
    Future<Void> close() {
        isClosed = true;
        limits.close();
        var open = watches.open();
        return vertx.executeBlocking(() -> {
            open.values().forEach(KernelEvents.Watched::close);
            return null;
        });
    }
}
