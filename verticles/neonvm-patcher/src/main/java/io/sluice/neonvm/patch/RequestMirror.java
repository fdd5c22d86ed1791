package io.sluice.neonvm.patch;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.neonvm.api.KubernetesApi;
import io.sluice.neonvm.core.MirroredRequests;
import io.sluice.neonvm.core.MirroredRequests.State;
import io.sluice.neonvm.core.MirroredRequests.Target;
import io.sluice.neonvm.core.objects.PatchOutcome;
import io.sluice.neonvm.core.objects.PodResize;
import io.sluice.shell.Assignment;
import io.sluice.shell.LogKeys;
import io.sluice.shell.LogThrottle;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Resizes the runner pods of the nodes that are assigned to this process, so that their requests are what the ledger
 * charges for them. A change of a node has its reservations read; each full list has so too, so that nothing rests on a
 * message. At most 20 pods a second are read, and no component waits for it.
 */
final class RequestMirror {
    private static final Logger LOG = LoggerFactory.getLogger(RequestMirror.class);
    private static final String ROLE = "vm";
    private static final String KIND = "Pod";
    private static final int NOT_FOUND = 404;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int UNDER_WAY_MAX = 20;
    private static final long PACE_MS = 50;
    private static final Duration READ_AGAIN = Duration.ofSeconds(1);
    private static final Duration LOG_EVERY = Duration.ofMinutes(1);
    private static final List<String> OUTCOMES = List.of("resized", "conflict", "refused", "failed");

    private final KubernetesApi api;
    private final Shell shell;
    private final Assignment share;
    private final LogThrottle excluded;
    private final LogThrottle failing;
    private final MirroredRequests mirrored = new MirroredRequests();
    private final Set<String> changedNodes = new LinkedHashSet<>();
    private Instant readNext = Instant.MIN;
    private boolean isReading;
    private int underWay;

    RequestMirror(KubernetesApi api, Shell shell) {
        this.api = api;
        this.shell = shell;
        share = new Assignment(shell.peers(), ROLE);
        excluded = new LogThrottle(shell.clock(), LOG_EVERY);
        failing = new LogThrottle(shell.clock(), LOG_EVERY);
    }

    Future<Void> start(Vertx vertx, Bus bus) {
        for (var state : State.values()) {
            Gauge.builder("sluice.vm.mirrored.pods", () -> mirrored.count(state))
                    .description("Runner pods by how their requests are to what the ledger charges for them")
                    .tag("state", state.name().toLowerCase(Locale.ROOT))
                    .register(shell.meters());
        }
        OUTCOMES.forEach(this::resizes);
        vertx.setPeriodic(PACE_MS, timer -> {
            readNode(bus);
            mirrorPod();
        });
        return bus.subscribe(LedgerAddresses.NODE_CHANGED, sums -> changed(sums.node()))
                .compose(done -> bus.subscribe(ClusterAddresses.NODE_OBSERVED, node -> changed(node.node())))
                .compose(done -> bus.subscribe(ClusterAddresses.NODE_GONE, gone -> forget(gone.node())));
    }

    private void changed(String node) {
        if (share.mine(node)) {
            changedNodes.add(node);
        } else {
            forget(node);
        }
    }

    private void forget(String node) {
        changedNodes.remove(node);
        mirrored.forget(node);
    }

    /** One node at a time; a node that changes meanwhile is read again after the others. */
    private void readNode(Bus bus) {
        if (isReading || changedNodes.isEmpty() || shell.clock().instant().isBefore(readNext)) {
            return;
        }
        var node = changedNodes.iterator().next();
        changedNodes.remove(node);
        isReading = true;
        bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest(node)).onComplete(read -> {
            isReading = false;
            if (read.failed()) {
                changedNodes.add(node);
                readNext = shell.clock().instant().plus(READ_AGAIN);
                return;
            }
            // An incomplete node may lack reservations of pods that run.
            read.result().nodes().stream()
                    .filter(NodeLedgerView::complete)
                    .forEach(ledger -> mirrored.observed(
                            ledger.node(), targets(ledger), shell.clock().instant()));
        });
    }

    private static List<Target> targets(NodeLedgerView ledger) {
        return ledger.reservations().stream()
                .filter(reservation ->
                        !reservation.vmName().isEmpty() && !reservation.traits().held())
                .map(reservation -> new Target(
                        ledger.node(),
                        reservation.pod(),
                        reservation.namespace(),
                        reservation.name(),
                        reservation.traits().charge()))
                .toList();
    }

    private void mirrorPod() {
        if (underWay >= UNDER_WAY_MAX) {
            return;
        }
        mirrored.due(shell.clock().instant()).ifPresent(target -> {
            if (!share.mine(target.node())) {
                forget(target.node());
                return;
            }
            underWay++;
            mirror(target).onComplete(ended -> {
                underWay--;
                if (ended.failed()) {
                    failed(target, "failed", KubernetesApi.words(ended.cause()), Duration.ZERO);
                }
            });
        });
    }

    private Future<Void> mirror(Target target) {
        return api.get(KubernetesApi.podPath(target.namespace(), target.name())).compose(answer -> {
            if (answer.status() == NOT_FOUND) {
                return ended(target, State.ENDED);
            }
            if (!answer.isSuccess()) {
                return failed(target, "failed", "reading it was answered " + answer.status(), answer.retryAfter());
            }
            return switch (PodResize.of(answer.body(), target.uid(), target.charge())) {
                case PodResize.Patch(var operations) -> resize(target, operations);
                case PodResize.Done(var progress) -> ended(target, state(progress));
                case PodResize.Ended() -> ended(target, State.ENDED);
                case PodResize.NotYet(var reason) -> failed(target, "refused", reason, Duration.ZERO);
                case PodResize.Never(var reason) -> excluded(target, reason);
            };
        });
    }

    private Future<Void> resize(Target target, String operations) {
        var path = KubernetesApi.podPath(target.namespace(), target.name()) + "/resize";
        return api.patch(KIND, path, operations).compose(answer -> {
            if (answer.isSuccess()) {
                resizes("resized").increment();
                return ended(target, State.WRITTEN);
            }
            var words = "resizing it was answered " + answer.status() + PatchOutcome.words(answer.body());
            boolean refused = answer.status() >= 400 && answer.status() < 500 && answer.status() != TOO_MANY_REQUESTS;
            var outcome = answer.status() == PatchOutcome.CONFLICT ? "conflict" : refused ? "refused" : "failed";
            // The next attempt reads the pod again, and finds whether it is gone.
            return failed(target, outcome, words, answer.retryAfter());
        });
    }

    private Future<Void> ended(Target target, State state) {
        mirrored.ended(target, state, jitter(), shell.clock().instant());
        return Future.succeededFuture();
    }

    private Future<Void> excluded(Target target, String reason) {
        excluded.happened(
                1,
                count -> LOG.atInfo()
                        .addKeyValue(LogKeys.POD, target.namespace() + "/" + target.name())
                        .addKeyValue(LogKeys.REASON, reason)
                        .addKeyValue(LogKeys.COUNT, count)
                        .log("The requests of a runner pod do not follow its reservation."));
        return ended(target, State.EXCLUDED);
    }

    private Future<Void> failed(Target target, String outcome, String reason, Duration rest) {
        resizes(outcome).increment();
        failing.happened(
                1,
                count -> LOG.atWarn()
                        .addKeyValue(LogKeys.POD, target.namespace() + "/" + target.name())
                        .addKeyValue(LogKeys.REASON, reason)
                        .addKeyValue(LogKeys.COUNT, count)
                        .log("A runner pod could not be resized; trying again."));
        mirrored.failed(target, rest, jitter(), shell.clock().instant());
        return Future.succeededFuture();
    }

    private double jitter() {
        return shell.random().nextDouble();
    }

    private static State state(PodResize.Progress progress) {
        return switch (progress) {
            case ACCEPTED -> State.FOLLOWS;
            case APPLYING -> State.APPLYING;
            case LIMITED -> State.LIMITED;
            case DEFERRED -> State.DEFERRED;
            case INFEASIBLE -> State.INFEASIBLE;
        };
    }

    private Counter resizes(String outcome) {
        return Counter.builder("sluice.vm.resizes")
                .description("Attempts to resize runner pods, by outcome")
                .tag("outcome", outcome)
                .register(shell.meters());
    }
}
