package io.sluice.placement.scheduler;

import io.sluice.bus.Bus;
import io.sluice.bus.VmAddresses;
import io.sluice.messages.vm.PodBinding;
import io.sluice.messages.vm.TouchPod;
import io.sluice.placement.core.spec.PodSpec;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** Ends binds that may still take effect: it touches their pods, after which they cannot. */
final class EarlierBinds {
    private static final int AT_ONCE_MAX = 50;
    private static final Duration AGAIN_AFTER = Duration.ofSeconds(1);

    private final Vertx vertx;
    private final Bus bus;
    private final BiConsumer<PodSpec, PodBinding> touched;

    /** @param touched receives what each touch shows */
    EarlierBinds(Vertx vertx, Bus bus, BiConsumer<PodSpec, PodBinding> touched) {
        this.vertx = vertx;
        this.bus = bus;
        this.touched = touched;
    }

    /** Shows whether a pod is bound; if not, no earlier bind can take effect any more. */
    Future<PodBinding> touch(PodSpec pod) {
        var id = pod.id();
        return bus.request(VmAddresses.TOUCH_POD, new TouchPod(id.uid(), id.namespace(), id.name()))
                .<PodBinding>map(Function.identity())
                .otherwise(lost -> new PodBinding.InDoubt(lost.getMessage()))
                .onSuccess(found -> touched.accept(pod, found));
    }

    /**
     * Touches pods, each until that has succeeded.
     *
     * @param isDue whether it is to go on
     */
    Future<Void> touchAll(Collection<PodSpec> pods, BooleanSupplier isDue) {
        var waiting = new ArrayDeque<>(pods);
        var touches = new ArrayList<Future<Void>>();
        for (int at = 0; at < AT_ONCE_MAX; at++) {
            touches.add(touchNext(waiting, isDue));
        }
        return Future.all(touches).mapEmpty();
    }

    private Future<Void> touchNext(Queue<PodSpec> waiting, BooleanSupplier isDue) {
        if (waiting.isEmpty() || !isDue.getAsBoolean()) {
            return Future.succeededFuture();
        }
        var next = waiting.remove();
        return touch(next).compose(found -> {
            if (found instanceof PodBinding.InDoubt) {
                waiting.add(next);
                return vertx.timer(AGAIN_AFTER.toMillis(), TimeUnit.MILLISECONDS)
                        .compose(again -> touchNext(waiting, isDue));
            }
            return touchNext(waiting, isDue);
        });
    }
}
