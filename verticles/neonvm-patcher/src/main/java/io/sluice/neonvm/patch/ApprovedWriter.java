package io.sluice.neonvm.patch;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.sluice.bus.AgentAddresses;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.neonvm.api.KubernetesApi;
import io.sluice.neonvm.core.Approvals;
import io.sluice.neonvm.core.objects.NeonVmKeys;
import io.sluice.neonvm.core.objects.PatchOutcome;
import io.sluice.neonvm.core.objects.VmPatches;
import io.sluice.shell.Assignment;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Shell;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the permit of each VM that is assigned to this process to the VM's annotations. It runs in the background, a
 * few writes at a time, and never while this process patches the VM's size. No component waits for it.
 */
final class ApprovedWriter {
    private static final Logger LOG = LoggerFactory.getLogger(ApprovedWriter.class);
    private static final String ROLE = "vm";
    private static final int AT_A_TIME = 32;
    private static final int VMS_MAX = 20_000;
    private static final long LOOK_EVERY_MS = 250;
    private static final Duration RETRY = Duration.ofSeconds(5);
    private static final Duration RETRY_MAX = Duration.ofMinutes(1);
    private static final double JITTER = 0.3;

    private final KubernetesApi api;
    private final Shell shell;
    private final Assignment share;
    private final Predicate<String> busy;
    private final Approvals approvals;
    private final ScalingUnits units;
    private Context context;
    private int underWay;

    /** @param busy whether the size of the VM with this uid is being patched */
    ApprovedWriter(KubernetesApi api, Bus bus, VmConfig config, Shell shell, Predicate<String> busy) {
        this.api = api;
        this.shell = shell;
        this.share = new Assignment(shell.peers(), ROLE);
        this.busy = busy;
        this.approvals = new Approvals(config.approvedEvery(), VMS_MAX);
        this.units = new ScalingUnits(bus, shell.clock());
    }

    Future<Void> start(Vertx vertx, Bus bus) {
        context = vertx.getOrCreateContext();
        Gauge.builder("sluice.vm.approvals.waiting", approvals, Approvals::waiting)
                .description("VMs with approved amounts that are not written to their objects yet")
                .register(shell.meters());
        vertx.setPeriodic(LOOK_EVERY_MS, timer -> write());
        return bus.subscribe(AgentAddresses.STATUS, this::received)
                .compose(done -> bus.subscribe(LedgerAddresses.VM_STATUS, this::received))
                .compose(done -> bus.subscribe(
                        ClusterAddresses.VM_GONE,
                        gone -> approvals.forget(gone.vm().uid())));
    }

    private void received(RunnerStatus status) {
        // A superseded runner repeats its earlier permit.
        if (status.permit().isEmpty()
                || !status.waiting().isServed()
                || !NeonVmKeys.DRIVER.equals(status.vm().driver())) {
            return;
        }
        if (!share.mine(status.vm().label())) {
            // The assigned process has the newest amounts. If the VM is assigned to this process later, the runner's
            // next status has them.
            approvals.forget(status.vm().uid());
            return;
        }
        var unit = units.of(status.node(), status.pod());
        approvals.received(
                status.vm(),
                new Approvals.Amounts(unit, status.goal(), status.permit().get()));
    }

    private void write() {
        for (var write : approvals.due(shell.clock().instant(), AT_A_TIME - underWay, busy)) {
            if (!share.mine(write.vm().label())) {
                approvals.forget(write.vm().uid());
                continue;
            }
            underWay++;
            send(write).onComplete(ended -> {
                underWay--;
                approvals.ended(write, ended.result(), shell.clock().instant());
                count(ended.result());
                // If many writes wait, the next one starts at once.
                context.runOnContext(next -> write());
            });
        }
    }

    private Future<Approvals.Outcome> send(Approvals.Write write) {
        var patch = VmPatches.approved(write.vm().uid(), write.amounts());
        return api.merge(NeonVmKeys.VM_KIND, KubernetesApi.vmPath(write.vm()), patch)
                .map(answer -> outcome(write, answer))
                .otherwise(failure -> failed(write, KubernetesApi.words(failure), Duration.ZERO));
    }

    private Approvals.Outcome outcome(Approvals.Write write, KubernetesApi.Answer answer) {
        if (answer.isSuccess()) {
            return new Approvals.Outcome.Written();
        }
        return switch (answer.status()) {
            // For a VM of that name with another uid, API servers answer either of the last two.
            case 404, PatchOutcome.CONFLICT, PatchOutcome.UNPROCESSABLE -> new Approvals.Outcome.Gone();
            default -> failed(write, "the API server answered " + answer.status(), answer.retryAfter());
        };
    }

    /** @param requested how long the API server requests not to be called; zero if it requests nothing */
    private Approvals.Outcome failed(Approvals.Write write, String reason, Duration requested) {
        LOG.atDebug()
                .addKeyValue(LogKeys.VM, write.vm().label())
                .addKeyValue(LogKeys.REASON, reason)
                .log("The approved amounts of a VM are not written to its object yet.");
        return new Approvals.Outcome.Failed(rest(requested));
    }

    /** The random part differs for each VM, so that writes that failed together are not repeated together. */
    private Duration rest(Duration requested) {
        var least = requested.compareTo(RETRY) > 0 ? requested : RETRY;
        var bounded = least.compareTo(RETRY_MAX) > 0 ? RETRY_MAX : least;
        return bounded.plusMillis(
                (long) (JITTER * bounded.toMillis() * shell.random().nextDouble()));
    }

    private void count(Approvals.Outcome outcome) {
        var word = switch (outcome) {
            case Approvals.Outcome.Written() -> "written";
            case Approvals.Outcome.Failed failed -> "failed";
            case Approvals.Outcome.Gone() -> "gone";
        };
        Counter.builder("sluice.vm.approvals")
                .description("Writes of approved amounts to the annotations of VMs, by outcome")
                .tag("outcome", word)
                .register(shell.meters())
                .increment();
    }
}
