package io.sluice.gateway.peers;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.MemberAddresses;
import io.sluice.bus.RequestFailureText;
import io.sluice.gateway.console.SharedTaps;
import io.sluice.gateway.core.peers.PeerReport;
import io.sluice.gateway.core.peers.PeerView;
import io.sluice.gateway.core.peers.PeerWatch;
import io.sluice.gateway.dump.DumpServer;
import io.sluice.messages.member.MemberStatusRequest;
import io.sluice.shell.Peers;
import io.sluice.shell.Shell;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Reports the status of this process to the others, serves its taps and dumps to them, and requests their status every
 * second. While no process replies for a role that this process needs, this process is not ready.
 */
public final class PeerVerticle extends VerticleBase {
    /** The name of its part of the process's readiness. */
    public static final String PART = "peers";

    private static final Duration REQUEST_EVERY = Duration.ofSeconds(1);
    private static final Duration REPORT_AFTER = Duration.ofMillis(50);

    private final Shell shell;
    private final OwnStatus status;
    private final PeerWatch watch;
    private final MemberStatusRequest request;
    private Bus bus;
    private SharedTaps taps;
    private DumpServer dumps;
    private Counter lost;
    private Peers.Watching watching = () -> {};
    private boolean telling;
    private volatile List<PeerView> others = List.of();

    /**
     * Creates it without requests under way.
     *
     * @param version of the program
     * @param roles what this process runs, by the names that config uses
     * @param needs for a role of this process the roles that some process must reply for
     */
    public PeerVerticle(Shell shell, String version, Set<String> roles, Map<String, Set<String>> needs) {
        this.shell = Objects.requireNonNull(shell, "shell");
        status = new OwnStatus(shell, version, roles);
        watch = new PeerWatch(roles, needs);
        request = new MemberStatusRequest(shell.peers().self().id());
    }

    /** Returns the state of all processes. Safe from any thread. */
    public PeerReport report() {
        return new PeerReport(status.now(), others);
    }

    @Override
    public Future<?> start() {
        bus = new Bus(vertx);
        var self = shell.peers().self().id();
        taps = new SharedTaps(vertx, bus.tap(), shell.clock(), self);
        dumps = new DumpServer(shell.dumps(), context);
        measure();
        vertx.setPeriodic(REQUEST_EVERY.toMillis(), second -> {
            taps.tick();
            dumps.tick(now());
        });
        watchOthers(context);
        return Future.all(serve(self), subscribeToPods());
    }

    private Future<Void> serve(String self) {
        return Future.all(
                        bus.serve(MemberAddresses.STATUS.at(self), requester -> Future.succeededFuture(status.now())),
                        bus.serve(MemberAddresses.TAP.at(self), taps::answer),
                        bus.serve(MemberAddresses.DUMP.at(self), request -> dumps.answer(request, now())))
                .mapEmpty();
    }

    /** Taps of other processes need this; a process that is alone has none. */
    private Future<Void> subscribeToPods() {
        return shell.peers().alone()
                ? Future.succeededFuture()
                : Future.all(
                                bus.subscribe(ClusterAddresses.POD_OBSERVED, taps::observed),
                                bus.subscribe(ClusterAddresses.POD_GONE, end -> taps.gone(end.uid())))
                        .mapEmpty();
    }

    private void watchOthers(Context here) {
        if (shell.peers().alone()) {
            return;
        }
        watching = shell.peers().watch(() -> here.runOnContext(changed -> look()));
        vertx.setPeriodic(REQUEST_EVERY.toMillis(), second -> look());
        look();
    }

    private void look() {
        var now = now();
        var self = shell.peers().self().id();
        watch.members(
                shell.peers().all().stream()
                        .filter(peer -> !peer.id().equals(self))
                        .toList(),
                now);
        watch.request(now).forEach(this::request);
        publish();
    }

    private void request(String id) {
        var address = MemberAddresses.STATUS.at(id);
        bus.request(address, request).onComplete(ended -> {
            if (ended.succeeded()) {
                watch.answered(id, ended.result(), now());
            } else {
                lost.increment();
                watch.lost(id, RequestFailureText.why(address, ended.cause()), now());
            }
            publishSoon();
        });
    }

    /** Replies of many processes arrive together: they are published together. */
    private void publishSoon() {
        if (!telling) {
            telling = true;
            vertx.setTimer(REPORT_AFTER.toMillis(), timer -> {
                telling = false;
                publish();
            });
        }
    }

    private void publish() {
        var now = now();
        others = watch.views(now);
        var missing = watch.missing(now);
        if (missing.isEmpty()) {
            shell.readiness().ready(PART);
        } else {
            shell.readiness().waitFor(PART, String.join("; ", missing));
        }
    }

    private void measure() {
        Gauge.builder("sluice.peers.members", () -> others.size())
                .description("Other processes of the Hazelcast cluster that this one sees.")
                .register(shell.meters());
        Gauge.builder(
                        "sluice.peers.answering",
                        () -> others.stream().filter(PeerView::answering).count())
                .description("Other processes of the Hazelcast cluster that reply to this one over the bus.")
                .register(shell.meters());
        Gauge.builder("sluice.peers.taps", () -> taps.size())
                .description("Taps of this process that other processes read.")
                .register(shell.meters());
        lost = Counter.builder("sluice.peers.pings.lost")
                .description("Status requests to other processes without a reply.")
                .register(shell.meters());
    }

    @Override
    public Future<?> stop() {
        watching.close();
        taps.close();
        return Future.succeededFuture();
    }

    private Instant now() {
        return shell.clock().instant();
    }
}
