package io.sluice.gateway.peers;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.MemberAddresses;
import io.sluice.bus.RequestFailureText;
import io.sluice.gateway.console.SharedTaps;
import io.sluice.gateway.core.peers.PeerView;
import io.sluice.gateway.core.peers.PeerWatch;
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
 * Tells the other processes how this one is, lets them look into it, and asks each of them every second whether it
 * answers. While nobody answers for a role that this process needs, this process is not ready.
 */
public final class PeerVerticle extends VerticleBase {
    /** The part of the process's readiness. */
    public static final String PART = "peers";

    private static final Duration ASK_EVERY = Duration.ofSeconds(1);
    private static final Duration TELL_AFTER = Duration.ofMillis(50);

    private final Shell shell;
    private final OwnStatus status;
    private final PeerWatch watch;
    private final MemberStatusRequest question;
    private Bus bus;
    private SharedTaps taps;
    private DumpServer dumps;
    private Counter lost;
    private Peers.Watching watching = () -> {};
    private boolean telling;
    private volatile List<PeerView> others = List.of();

    /**
     * A process that has asked nobody yet.
     *
     * @param version of the program
     * @param roles what this process runs, by the names that config uses
     * @param needs for a role of this process the roles that some process must answer for
     */
    public PeerVerticle(Shell shell, String version, Set<String> roles, Map<String, Set<String>> needs) {
        this.shell = Objects.requireNonNull(shell, "shell");
        status = new OwnStatus(shell, version, roles);
        watch = new PeerWatch(roles, needs);
        question = new MemberStatusRequest(shell.peers().self().id());
    }

    /** How all processes stand. Safe from any thread. */
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
        vertx.setPeriodic(ASK_EVERY.toMillis(), second -> {
            taps.tick();
            dumps.tick(now());
        });
        watchOthers(context);
        return Future.all(serve(self), hearOfPods());
    }

    private Future<Void> serve(String self) {
        return Future.all(
                        bus.serve(MemberAddresses.STATUS.at(self), asker -> Future.succeededFuture(status.now())),
                        bus.serve(MemberAddresses.TAP.at(self), taps::answer),
                        bus.serve(MemberAddresses.DUMP.at(self), wanted -> dumps.answer(wanted, now())))
                .mapEmpty();
    }

    /** Nobody else listens to a process that is alone. */
    private Future<Void> hearOfPods() {
        return shell.peers().alone()
                ? Future.succeededFuture()
                : Future.all(
                                bus.subscribe(ClusterAddresses.POD_SEEN, taps::seen),
                                bus.subscribe(ClusterAddresses.POD_GONE, end -> taps.gone(end.uid())))
                        .mapEmpty();
    }

    private void watchOthers(Context here) {
        if (shell.peers().alone()) {
            return;
        }
        watching = shell.peers().watch(() -> here.runOnContext(changed -> look()));
        vertx.setPeriodic(ASK_EVERY.toMillis(), second -> look());
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
        watch.ask(now).forEach(this::ask);
        tell();
    }

    private void ask(String id) {
        var address = MemberAddresses.STATUS.at(id);
        bus.request(address, question).onComplete(ended -> {
            if (ended.succeeded()) {
                watch.answered(id, ended.result(), now());
            } else {
                lost.increment();
                watch.lost(id, RequestFailureText.why(address, ended.cause()), now());
            }
            tellSoon();
        });
    }

    /** Answers of many processes come together: they are told of together. */
    private void tellSoon() {
        if (!telling) {
            telling = true;
            vertx.setTimer(TELL_AFTER.toMillis(), timer -> {
                telling = false;
                tell();
            });
        }
    }

    private void tell() {
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
                .description("Other processes of the cluster that this one sees.")
                .register(shell.meters());
        Gauge.builder(
                        "sluice.peers.answering",
                        () -> others.stream().filter(PeerView::answering).count())
                .description("Other processes of the cluster that answer this one over the bus.")
                .register(shell.meters());
        Gauge.builder("sluice.peers.taps", () -> taps.size())
                .description("Listeners of other processes to the bus of this one.")
                .register(shell.meters());
        lost = Counter.builder("sluice.peers.pings.lost")
                .description("Questions to another process whether it answers, and that it did not.")
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
