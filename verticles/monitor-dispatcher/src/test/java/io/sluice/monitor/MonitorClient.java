package io.sluice.monitor;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.MonitorAddresses;
import io.sluice.bus.RequestAddress;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.monitor.AttachMonitor;
import io.sluice.messages.monitor.DetachMonitor;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeGuest;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.monitor.UpscaleRequest;
import io.sluice.monitor.core.MonitorConfig;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;

/** A dispatcher on its own bus, and a client there that requests sessions. */
final class MonitorClient {
    private static final int ATTEMPTS = 10;
    private static final String LATE = "the monitor did not answer within ";

    static final Resources TWO = new Resources(500, 2L << 30);

    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Bus bus;
    private final Map<VmId, BlockingQueue<MonitorState>> states = new ConcurrentHashMap<>();
    private final Map<VmId, BlockingQueue<UpscaleRequest>> upscaleRequests = new ConcurrentHashMap<>();

    MonitorClient(Vertx vertx, MonitorConfig config) {
        bus = new Bus(vertx);
        bus.subscribe(MonitorAddresses.STATE, state -> states(state.vm()).add(state))
                .await();
        bus.subscribe(
                        MonitorAddresses.MEMORY_WANTED,
                        upscaleRequest -> upscaleRequests(upscaleRequest.vm()).add(upscaleRequest))
                .await();
        var shell = new Shell(new MonotonicClock(), meters, new Readiness(), new Random(1));
        vertx.deployVerticle(new MonitorVerticle(config, shell)).await();
    }

    static VmId vm(String name) {
        return new VmId("neonvm", "default", name, "uid-" + name);
    }

    BlockingQueue<MonitorState> states(VmId vm) {
        return states.computeIfAbsent(vm, _ -> new LinkedBlockingQueue<>());
    }

    BlockingQueue<UpscaleRequest> upscaleRequests(VmId vm) {
        return upscaleRequests.computeIfAbsent(vm, _ -> new LinkedBlockingQueue<>());
    }

    /** Repeats a request that had no reply in time, as on a busy machine: it is safe to repeat. */
    static <Q, A> A reply(Bus bus, RequestAddress<Q, A> address, Q request) {
        return reply(bus, address, request, ATTEMPTS).await();
    }

    private static <Q, A> Future<A> reply(Bus bus, RequestAddress<Q, A> address, Q request, int attempts) {
        var once = bus.request(address, request);
        return once.transform(
                replied -> attempts > 1 && isLate(replied) ? reply(bus, address, request, attempts - 1) : once);
    }

    private static boolean isLate(AsyncResult<?> replied) {
        return replied.failed()
                ? replied.cause() instanceof ReplyException lost && lost.failureType() == ReplyFailure.TIMEOUT
                : replied.result() instanceof ResizeReply.Failed(var reason) && reason.startsWith(LATE);
    }

    MonitorState attach(VmId vm, Endpoint endpoint) {
        return reply(bus, MonitorAddresses.ATTACH, new AttachMonitor(vm, endpoint));
    }

    MonitorState detach(VmId vm) {
        return reply(bus, MonitorAddresses.DETACH, new DetachMonitor(vm));
    }

    /** The next state of this VM that matches. */
    MonitorState state(VmId vm, Predicate<MonitorState> condition) throws InterruptedException {
        while (true) {
            var next = states(vm).take();
            if (condition.test(next)) {
                return next;
            }
        }
    }

    /** The reply of a monitor that behaves; it is repeated if it is late. */
    ResizeReply upscaleInTime(VmId vm, long generation) {
        return reply(bus, MonitorAddresses.UPSCALE, new ResizeGuest(vm, generation, TWO));
    }

    Future<ResizeReply> upscale(VmId vm, long generation) {
        return bus.request(MonitorAddresses.UPSCALE, new ResizeGuest(vm, generation, TWO));
    }

    Future<ResizeReply> resize(boolean up, VmId vm, long generation, Resources target) {
        return bus.request(
                up ? MonitorAddresses.UPSCALE : MonitorAddresses.DOWNSCALE, new ResizeGuest(vm, generation, target));
    }

    double gauge(String name) {
        return meters.get("sluice.monitor." + name).gauge().value();
    }
}
