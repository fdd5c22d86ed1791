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
import io.sluice.monitor.core.MonitorConfig;
import io.sluice.monitor.core.MonitorConnection;
import io.sluice.monitor.core.SilentMonitor;
import io.sluice.shell.Shell;
import io.sluice.trace.CurrentSpan;
import io.sluice.trace.TraceSpan;
import io.sluice.units.VmId;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Keeps a session with the monitor of each attached VM. It sends resize requests from the bus to the monitors, and
 * publishes the monitors' upscale requests. What one monitor does affects its own connection alone.
 */
public final class MonitorVerticle extends VerticleBase {
    /** As in Neon's agent. */
    private static final Duration SILENCE_MAX = Duration.ofSeconds(20);

    private static final Duration LOOK_EVERY = Duration.ofSeconds(2);

    private final MonitorConfig config;
    private final Shell shell;
    private final Map<VmId, ConnectionDriver> links = new HashMap<>();
    private Bus bus;
    private WebSocketDialer dialler;
    private volatile Optional<String> trouble = Optional.empty();
    private MonitorMetrics meters;
    private String here = "";
    private long generationsUsed;

    /** A dispatcher without sessions. */
    public MonitorVerticle(MonitorConfig config, Shell shell) {
        this.config = Objects.requireNonNull(config, "config");
        this.shell = Objects.requireNonNull(shell, "shell");
    }

    @Override
    public Future<?> start() {
        bus = new Bus(vertx);
        meters = new MonitorMetrics(shell.meters());
        shell.readiness().reports("monitor", "monitors", () -> trouble);
        dialler = new WebSocketDialer(vertx, config, shell.clock(), meters);
        here = shell.peers().self().id();
        vertx.setPeriodic(LOOK_EVERY.toMillis(), timer -> look());
        return Future.all(
                serve(MonitorAddresses.ATTACH, request -> Future.succeededFuture(attach(request))),
                serve(MonitorAddresses.DETACH, request -> Future.succeededFuture(detach(request))),
                serve(MonitorAddresses.UPSCALE, request -> resize(CallKind.UPSCALE, request)),
                serve(MonitorAddresses.DOWNSCALE, request -> resize(CallKind.DOWNSCALE, request)),
                here.isEmpty() ? Future.succeededFuture() : bus.subscribe(MonitorAddresses.STATE, this::received));
    }

    private void look() {
        var silent = links.values().stream()
                .filter(driver -> driver.silence().compareTo(SILENCE_MAX) > 0)
                .map(driver -> new SilentMonitor(
                        driver.vm(), driver.silence(), driver.state().reason()))
                .toList();
        meters.silent(silent.size());
        trouble = SilentMonitor.sentence(silent);
    }

    /**
     * A monitor serves the newest connection only, so two processes with a session for the same VM would disconnect
     * each other repeatedly. The process that lost the session to another one gives it up. If requests for it still
     * arrive here, it begins again.
     */
    private void received(MonitorState state) {
        var driver = links.get(state.vm());
        if (driver != null
                && state.connected()
                && !state.at().equals(here)
                && !driver.state().connected()) {
            driver.handle(new ConnectionEvent.Unwanted("another process has the session"));
        }
    }

    /**
     * A session is in one process. So each address is served twice: for requests to any process, and for requests to
     * this one.
     */
    private <Q, A> Future<?> serve(RequestAddress<Q, A> address, Function<Q, Future<A>> answer) {
        var anywhere = bus.serve(address, answer);
        return here.isEmpty() ? anywhere : Future.all(anywhere, bus.serve(address.at(here), answer));
    }

    @Override
    public Future<?> stop() {
        List.copyOf(links.values())
                .forEach(driver -> driver.handle(new ConnectionEvent.Unwanted("the dispatcher stops")));
        trouble = Optional.empty();
        meters.close();
        return dialler.close();
    }

    private MonitorState attach(AttachMonitor request) {
        var driver = links.get(request.vm());
        if (driver != null && driver.endpoint().equals(request.endpoint())) {
            driver.handle(new ConnectionEvent.Requested());
            return stateOf(driver);
        }
        if (driver != null) {
            driver.handle(new ConnectionEvent.Unwanted("its monitor has another endpoint now"));
        }
        if (request.endpoint().host().isEmpty()) {
            return none(request.vm(), "its monitor has no address yet");
        }
        if (links.size() >= config.maxSessions()) {
            return none(request.vm(), "there are monitor.maxSessions=" + config.maxSessions() + " sessions already");
        }
        return begin(request);
    }

    private MonitorState begin(AttachMonitor request) {
        var now = shell.clock().instant();
        var link = new MonitorConnection(request.vm(), config, shell.random(), generationsUsed, now);
        var dependencies = new ConnectionDriver.Dependencies(vertx, dialler, shell.clock(), meters, new News());
        var driver = new ConnectionDriver(dependencies, request.vm(), request.endpoint(), link);
        links.put(request.vm(), driver);
        meters.attached(1);
        driver.handle(new ConnectionEvent.Requested());
        return stateOf(driver);
    }

    private MonitorState detach(DetachMonitor request) {
        var driver = links.get(request.vm());
        if (driver == null) {
            return none(request.vm(), "no session with it was requested");
        }
        driver.handle(new ConnectionEvent.Unwanted("the session is not requested any more"));
        return stateOf(driver);
    }

    private MonitorState stateOf(ConnectionDriver driver) {
        return driver.state().keptAt(here);
    }

    private Future<ResizeReply> resize(CallKind kind, ResizeGuest request) {
        var driver = links.get(request.vm());
        if (driver == null) {
            return Future.succeededFuture(new ResizeReply.Failed("no session with its monitor was requested"));
        }
        var span = CurrentSpan.get();
        if (!span.isRecorded()) {
            return driver.request(kind, request);
        }
        span.of(request.vm().label()).amount("requested", request.target());
        return driver.request(kind, request).onSuccess(reply -> span.outcome(reply.word()));
    }

    private MonitorState none(VmId vm, String reason) {
        return new MonitorState(
                vm, Math.max(generationsUsed, shell.clock().instant().toEpochMilli()), false, reason, here);
    }

    /** Publishes the events of connections on the bus. */
    private final class News implements ConnectionDriver.Listener {
        @Override
        public void announced(MonitorState state) {
            bus.publish(MonitorAddresses.STATE, state.keptAt(here));
        }

        @Override
        public void upscaleRequested(VmId vm, long generation) {
            var span = bus.tracer()
                    .begin("monitor.upscale-request", TraceSpan.Kind.PRODUCER, Duration.ZERO)
                    .of(vm.label());
            bus.publish(MonitorAddresses.MEMORY_WANTED, new UpscaleRequest(vm, generation, here), span);
            span.end();
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
