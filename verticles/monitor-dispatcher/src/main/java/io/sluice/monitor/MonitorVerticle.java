package io.sluice.monitor;

import io.sluice.bus.Bus;
import io.sluice.bus.MonitorAddresses;
import io.sluice.bus.RequestAddress;
import io.sluice.messages.monitor.AttachMonitor;
import io.sluice.messages.monitor.DetachMonitor;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeGuest;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.monitor.UpscaleRequest;
import io.sluice.monitor.core.CallKind;
import io.sluice.monitor.core.ConnectionEvent;
import io.sluice.monitor.core.MonitorConnection;
import io.sluice.shell.Shell;
import io.sluice.units.VmId;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * Keeps a session with the monitor of each VM that somebody asks it to, and carries questions and cries between them
 * and the bus. What one monitor does touches its own link alone.
 */
public final class MonitorVerticle extends VerticleBase {
    private final MonitorConfig config;
    private final Shell shell;
    private final Map<VmId, ConnectionDriver> links = new HashMap<>();
    private Bus bus;
    private WebSocketDialer dialler;
    private MonitorMetrics meters;
    private String here = "";
    private long generationsUsed;

    /** A dispatcher with nothing to do yet. */
    public MonitorVerticle(MonitorConfig config, Shell shell) {
        this.config = Objects.requireNonNull(config, "config");
        this.shell = Objects.requireNonNull(shell, "shell");
    }

    @Override
    public Future<?> start() {
        bus = new Bus(vertx);
        meters = new MonitorMetrics(shell.meters());
        dialler = new WebSocketDialer(vertx, config, shell.clock(), meters);
        here = shell.peers().self().id();
        return Future.all(
                serve(MonitorAddresses.ATTACH, asked -> Future.succeededFuture(attach(asked))),
                serve(MonitorAddresses.DETACH, asked -> Future.succeededFuture(detach(asked))),
                serve(MonitorAddresses.UPSCALE, asked -> resize(CallKind.UPSCALE, asked)),
                serve(MonitorAddresses.DOWNSCALE, asked -> resize(CallKind.DOWNSCALE, asked)),
                here.isEmpty() ? Future.succeededFuture() : bus.subscribe(MonitorAddresses.STATE, this::heard));
    }

    /**
     * A monitor serves whoever came last, so two that both want it take it from each other again and again. Who has
     * lost it to another process lets go; who is still asked for it hears that before long, and begins anew.
     */
    private void heard(MonitorState state) {
        var driver = links.get(state.vm());
        if (driver != null
                && state.connected()
                && !state.at().equals(here)
                && !driver.state().connected()) {
            driver.handle(new ConnectionEvent.Unwanted("the session is kept by another process"));
        }
    }

    /** A session is in one process: whoever has one here asks here, wherever the address leads without it. */
    private <Q, A> Future<?> serve(RequestAddress<Q, A> address, Function<Q, Future<A>> answer) {
        var anywhere = bus.serve(address, answer);
        return here.isEmpty() ? anywhere : Future.all(anywhere, bus.serve(address.at(here), answer));
    }

    @Override
    public Future<?> stop() {
        List.copyOf(links.values())
                .forEach(driver -> driver.handle(new ConnectionEvent.Unwanted("the dispatcher stops")));
        meters.close();
        return dialler.close();
    }

    private MonitorState attach(AttachMonitor asked) {
        var driver = links.get(asked.vm());
        if (driver != null && driver.endpoint().equals(asked.endpoint())) {
            driver.handle(new ConnectionEvent.Requested());
            return stateOf(driver);
        }
        if (driver != null) {
            driver.handle(new ConnectionEvent.Unwanted("its monitor answers elsewhere now"));
        }
        if (asked.endpoint().host().isEmpty()) {
            return none(asked.vm(), "its monitor has no address yet");
        }
        if (links.size() >= config.maxSessions()) {
            return none(asked.vm(), "there are monitor.maxSessions=" + config.maxSessions() + " sessions already");
        }
        return begin(asked);
    }

    private MonitorState begin(AttachMonitor asked) {
        var now = shell.clock().instant();
        var link = new MonitorConnection(asked.vm(), config, shell.random(), generationsUsed, now);
        var room = new ConnectionDriver.Room(vertx, dialler, shell.clock(), meters, new News());
        var driver = new ConnectionDriver(room, asked.vm(), asked.endpoint(), link);
        links.put(asked.vm(), driver);
        meters.attached(1);
        driver.handle(new ConnectionEvent.Requested());
        return stateOf(driver);
    }

    private MonitorState detach(DetachMonitor asked) {
        var driver = links.get(asked.vm());
        if (driver == null) {
            return none(asked.vm(), "nobody asked for a session with it");
        }
        driver.handle(new ConnectionEvent.Unwanted("nobody wants the session any more"));
        return stateOf(driver);
    }

    private MonitorState stateOf(ConnectionDriver driver) {
        return driver.state().keptAt(here);
    }

    private Future<ResizeReply> resize(CallKind kind, ResizeGuest asked) {
        var driver = links.get(asked.vm());
        return driver == null
                ? Future.succeededFuture(new ResizeReply.Failed("nobody asked for a session with its monitor"))
                : driver.ask(kind, asked);
    }

    private MonitorState none(VmId vm, String reason) {
        return new MonitorState(
                vm, Math.max(generationsUsed, shell.clock().instant().toEpochMilli()), false, reason, here);
    }

    /** What links tell, put on the bus. */
    private final class News implements ConnectionDriver.Listener {
        @Override
        public void announced(MonitorState state) {
            bus.publish(MonitorAddresses.STATE, state.keptAt(here));
        }

        @Override
        public void cried(VmId vm, long generation) {
            bus.publish(MonitorAddresses.MEMORY_WANTED, new UpscaleRequest(vm, generation, here));
        }

        @Override
        public void over(ConnectionDriver driver) {
            generationsUsed = Math.max(generationsUsed, driver.state().generation());
            if (links.remove(driver.vm(), driver)) {
                meters.attached(-1);
            }
        }
    }
}
