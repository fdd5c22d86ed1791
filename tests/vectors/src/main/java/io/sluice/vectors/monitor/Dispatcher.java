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

/** The real dispatcher on a bus of its own, which all recordings are played to. */
final class Dispatcher implements AutoCloseable {
    private static final List<String> GAUGES = List.of("attached", "connected", "sockets", "waiting", "timers");
    private static final String NOT_YET = "not connected yet";
    private static final int PATIENCE_SECONDS = 20;

    /** It says a line for each connection that ends before it is a websocket, and here hundreds do. */
    private static final Logger ENDS = Logger.getLogger("io.vertx.core.http.impl.HttpClientConnectionInternal");

    private final Vertx vertx = Vertx.vertx();
    private final Bus bus = new Bus(vertx);
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Map<VmId, Wanted> sessions = new ConcurrentHashMap<>();

    Dispatcher(Timing timing) {
        ENDS.setLevel(Level.OFF);
        var shell = new Shell(new MonotonicClock(), meters, new Readiness(), new Random(1));
        await(bus.subscribe(MonitorAddresses.STATE, state -> wanted(state.vm()).heard(state))
                .compose(heard -> bus.subscribe(
                        MonitorAddresses.MEMORY_WANTED, cry -> wanted(cry.vm()).cried(cry.generation())))
                .compose(heard -> vertx.deployVerticle(new MonitorVerticle(timing.config(), shell))));
    }

    /** What somebody who wants a session with this VM's monitor does and hears. */
    Wanted wanted(VmId vm) {
        return sessions.computeIfAbsent(vm, Wanted::new);
    }

    /** What is left when nobody wants a session any more; empty if nothing is. */
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
                .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    /** One VM, seen from the bus. News of sessions before the latest attach is old and ignored. */
    final class Wanted {
        private final VmId vm;
        private long since = Long.MAX_VALUE;
        private boolean connected;
        private boolean cried;
        private Optional<String> lostBecause = Optional.empty();
        private MonitorState latest;

        private Wanted(VmId vm) {
            this.vm = vm;
            this.latest = new MonitorState(vm, 0, false, "");
        }

        private synchronized void heard(MonitorState state) {
            if (state.generation() >= since) {
                connected |= state.connected();
                latest = state;
                if (!state.connected() && !state.reason().equals(NOT_YET) && lostBecause.isEmpty()) {
                    lostBecause = Optional.of(state.reason());
                }
            }
        }

        private synchronized void cried(long generation) {
            cried |= generation >= since;
        }

        void attach(int port) {
            synchronized (this) {
                since = latest.generation() + 1;
                connected = false;
                cried = false;
                lostBecause = Optional.empty();
            }
            var endpoint = new Endpoint("127.0.0.1", port, "/monitor");
            await(bus.request(MonitorAddresses.ATTACH, new AttachMonitor(vm, endpoint)));
        }

        void detach() {
            heard(await(bus.request(MonitorAddresses.DETACH, new DetachMonitor(vm))));
        }

        CompletableFuture<ResizeReply> ask(boolean up, Resources target) {
            var question = new ResizeGuest(vm, state().generation(), target);
            return bus.request(up ? MonitorAddresses.UPSCALE : MonitorAddresses.DOWNSCALE, question)
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

        synchronized boolean everCried() {
            return cried;
        }
    }
}
