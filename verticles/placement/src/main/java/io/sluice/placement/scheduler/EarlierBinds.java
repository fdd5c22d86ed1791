package io.sluice.placement.scheduler;

import io.sluice.bus.Bus;
import io.sluice.bus.VmAddresses;
import io.sluice.messages.vm.PodBinding;
import io.sluice.messages.vm.TouchPod;
import io.sluice.placement.core.preemption.Victims;
import io.sluice.placement.core.spec.PodSpec;
import io.sluice.shell.LogKeys;
import io.sluice.shell.LogThrottle;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends binds that may still take effect: it touches their pods, after which they cannot. */
final class EarlierBinds {
    /** How long touches are repeated before other pods are placed: no API server holds a Binding for longer. */
    static final Duration REPEATED_FOR = Duration.ofSeconds(60);

    private static final Logger LOG = LoggerFactory.getLogger(EarlierBinds.class);
    private static final int AT_ONCE_MAX = 50;
    private static final Duration AGAIN_AFTER = Duration.ofSeconds(1);

    private final Vertx vertx;
    private final Bus bus;
    private final InstantSource clock;
    private final LogThrottle failing;
    private final Map<String, PodSpec> open = new LinkedHashMap<>();
    private final BiConsumer<PodSpec, PodBinding> touched;

    /** @param touched receives what each touch shows */
    EarlierBinds(Vertx vertx, Bus bus, InstantSource clock, BiConsumer<PodSpec, PodBinding> touched) {
        this.vertx = vertx;
        this.bus = bus;
        this.clock = clock;
        this.failing = new LogThrottle(clock, REPEATED_FOR);
        this.touched = touched;
    }

    /** Shows whether a pod is bound; if not, no earlier bind can take effect any more. */
    Future<PodBinding> touch(PodSpec pod) {
        var id = pod.id();
        return bus.request(VmAddresses.TOUCH_POD, new TouchPod(id.uid(), id.namespace(), id.name()))
                .<PodBinding>map(Function.identity())
                .otherwise(lost -> new PodBinding.InDoubt(lost.getMessage()))
                .onSuccess(found -> {
                    if (found instanceof PodBinding.InDoubt(var reason)) {
                        failing.happened(1, count -> notTouched(pod, reason, count));
                    } else {
                        open.remove(pod.uid());
                    }
                    touched.accept(pod, found);
                });
    }

    private static void notTouched(PodSpec pod, String reason, long count) {
        LOG.atWarn()
                .addKeyValue(LogKeys.POD, pod.label())
                .addKeyValue(LogKeys.REASON, reason)
                .addKeyValue(LogKeys.COUNT, count)
                .log("A pod could not be touched, and an earlier bind of it may still take effect; trying again.");
    }

    /** Whether a pod could not be touched at the begin of the term, nor since. */
    boolean isOpen(String uid) {
        return open.containsKey(uid);
    }

    /**
     * Touches pods, each until that has succeeded, or for {@link #REPEATED_FOR} and once at least.
     *
     * @param isDue whether it is to go on
     */
    Future<Void> touchAll(Collection<PodSpec> pods, BooleanSupplier isDue) {
        open.clear();
        var waiting = new ArrayDeque<>(pods);
        var until = clock.instant().plus(REPEATED_FOR);
        var touches = new ArrayList<Future<Void>>();
        for (int at = 0; at < AT_ONCE_MAX; at++) {
            touches.add(touchNext(waiting, until, isDue));
        }
        return Future.all(touches).onSuccess(all -> reportOpen()).mapEmpty();
    }

    private void reportOpen() {
        if (!open.isEmpty()) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.COUNT, open.size())
                    .addKeyValue(LogKeys.POD, Victims.names(List.copyOf(open.values())))
                    .log("Pods could not be touched for a minute. Others are placed now, these once that succeeds.");
        }
    }

    private Future<Void> touchNext(Queue<PodSpec> waiting, Instant until, BooleanSupplier isDue) {
        if (waiting.isEmpty() || !isDue.getAsBoolean()) {
            return Future.succeededFuture();
        }
        var next = waiting.remove();
        return touch(next).compose(found -> {
            if (!(found instanceof PodBinding.InDoubt)) {
                return touchNext(waiting, until, isDue);
            }
            if (!clock.instant().isBefore(until)) {
                open.put(next.uid(), next);
                return touchNext(waiting, until, isDue);
            }
            waiting.add(next);
            return vertx.timer(AGAIN_AFTER.toMillis(), TimeUnit.MILLISECONDS)
                    .compose(again -> touchNext(waiting, until, isDue));
        });
    }
}
