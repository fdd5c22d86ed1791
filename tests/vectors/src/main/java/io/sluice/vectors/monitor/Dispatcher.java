package io.sluice.vectors.monitor;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.MonitorAddresses;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.monitor.AttachMonitor;
import io.sluice.messages.monitor.DetachMonitor;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeGuest;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.monitor.MonitorVerticle;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The real dispatcher on a bus of its own, against which all recordings are played. */
final class Dispatcher implements AutoCloseable {
    private static final List<String> GAUGES = List.of("attached", "connected", "sockets", "waiting", "timers");
    private static final String NOT_YET = "not connected yet";
    private static final int TIMEOUT_SECONDS = 20;

    /** Vert.x logs a line for each connection that ends before it is a websocket, and here there are hundreds. */
    private static final Logger ENDS = Logger.getLogger("io.vertx.core.http.impl.HttpClientConnectionInternal");

    private final Vertx vertx = Vertx.vertx();
    private final Bus bus = new Bus(vertx);
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Map<VmId, Expected> sessions = new ConcurrentHashMap<>();

    Dispatcher(Timing timing) {
        ENDS.setLevel(Level.OFF);
        var shell = new Shell(new MonotonicClock(), meters, new Readiness(), new Random(1));
        await(bus.subscribe(MonitorAddresses.STATE, state -> wanted(state.vm()).received(state))
                .compose(received -> bus.subscribe(
                        MonitorAddresses.MEMORY_WANTED,
                        upscaleRequest -> wanted(upscaleRequest.vm()).upscaleRequested(upscaleRequest.generation())))
                .compose(received -> vertx.deployVerticle(new MonitorVerticle(timing.config(), shell))));
    }

    /** The consumer of the monitor session of this VM: what it requests and receives. */
    Expected wanted(VmId vm) {
        return sessions.computeIfAbsent(vm, Expected::new);
    }

    /** The sessions that are left although none is wanted; empty if there are none. */
    List<String> left() {
        var left = new ArrayList<String>();
        for (var name : GAUGES) {
            double value = meters.get("sluice.monitor." + name).gauge().value();
            if (value != 0) {
                left.add("%.0f %s".formatted(value, name));
            }
        }
        return left;
    }

    @Override
    public void close() {
        await(vertx.close());
    }

    private static <T> T await(Future<T> future) {
        return future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    /** One VM, as seen from the bus. Messages about sessions before the latest attach are ignored. */
    final class Expected {
        private final VmId vm;
        private long since = Long.MAX_VALUE;
        private boolean connected;
        private boolean upscaleRequested;
        private Optional<String> lostBecause = Optional.empty();
        private MonitorState latest;

        private Expected(VmId vm) {
            this.vm = vm;
            this.latest = new MonitorState(vm, 0, false, "");
        }

        private synchronized void received(MonitorState state) {
            if (state.generation() >= since) {
                connected |= state.connected();
                latest = state;
                if (!state.connected() && !state.reason().equals(NOT_YET) && lostBecause.isEmpty()) {
                    lostBecause = Optional.of(state.reason());
                }
            }
        }

        private synchronized void upscaleRequested(long generation) {
            upscaleRequested |= generation >= since;
        }

        void attach(int port) {
            synchronized (this) {
                since = latest.generation() + 1;
                connected = false;
                upscaleRequested = false;
                lostBecause = Optional.empty();
            }
            var endpoint = new Endpoint("127.0.0.1", port, "/monitor");
            await(bus.request(MonitorAddresses.ATTACH, new AttachMonitor(vm, endpoint)));
        }

        void detach() {
            received(await(bus.request(MonitorAddresses.DETACH, new DetachMonitor(vm))));
        }

        CompletableFuture<ResizeReply> request(boolean up, Resources target) {
            var request = new ResizeGuest(vm, state().generation(), target);
            return bus.request(up ? MonitorAddresses.UPSCALE : MonitorAddresses.DOWNSCALE, request)
                    .toCompletionStage()
                    .toCompletableFuture();
        }

        synchronized MonitorState state() {
            return latest;
        }

        /** Why the session, or the attempt at one, ended first. */
        synchronized Optional<String> lostBecause() {
            return lostBecause;
        }

        synchronized boolean everConnected() {
            return connected;
        }

        synchronized boolean everRequestedUpscale() {
            return upscaleRequested;
        }
    }
}
