package io.sluice.neonvm.patch;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.sluice.bus.AgentAddresses;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.vm.PatchVm;
import io.sluice.neonvm.api.KubernetesApi;
import io.sluice.neonvm.core.Approvals;
import io.sluice.neonvm.core.objects.NeonVmKeys;
import io.sluice.neonvm.core.objects.PatchOutcome;
import io.sluice.neonvm.core.objects.VmPatches;
import io.sluice.shell.Assignment;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the permit of each VM that is assigned to this process to the VM's annotations, where no patch of its size
 * carries it. It runs in the background, at most four writes a second and none while this process patches sizes, so
 * that it delays no patch. No component waits for it.
 */
final class ApprovedWriter {
    private static final Logger LOG = LoggerFactory.getLogger(ApprovedWriter.class);
    private static final String ROLE = "vm";
    private static final int VMS_MAX = 20_000;
    private static final List<String> OUTCOMES = List.of("written", "failed", "gone");
    private static final long PACE_MS = 250;
    private static final Duration RETRY = Duration.ofSeconds(5);
    private static final Duration RETRY_MAX = Duration.ofMinutes(1);
    private static final double JITTER = 0.3;

    private final KubernetesApi api;
    private final Shell shell;
    private final Assignment share;
    private final BooleanSupplier patching;
    private final Approvals approvals;
    private boolean isWriting;

    /** @param patching whether this process is patching any size */
    ApprovedWriter(KubernetesApi api, VmConfig config, Shell shell, BooleanSupplier patching) {
        this.api = api;
        this.shell = shell;
        this.share = new Assignment(shell.peers(), ROLE);
        this.patching = patching;
        this.approvals = new Approvals(config.approvedEvery(), VMS_MAX);
    }

    Future<Void> start(Vertx vertx, Bus bus) {
        Gauge.builder("sluice.vm.approvals.waiting", approvals, Approvals::waiting)
                .description("VMs with approved amounts that are not written to their objects yet")
                .register(shell.meters());
        OUTCOMES.forEach(this::writes);
        vertx.setPeriodic(PACE_MS, timer -> write());
        return bus.subscribe(AgentAddresses.STATUS, status -> received(status, false))
                .compose(done -> bus.subscribe(LedgerAddresses.VM_STATUS, status -> received(status, true)))
                .compose(done -> bus.subscribe(
                        ClusterAddresses.VM_GONE,
                        gone -> approvals.forget(gone.vm().uid())));
    }

    /** The amounts that a patch of the VM to this size is to carry. */
    Approvals.Amounts carriedBy(PatchVm patch) {
        return approvals.ofPatch(patch.vm().uid(), patch.target());
    }

    /** A patch was applied that carried the amounts. */
    void carried(PatchVm patch, Approvals.Amounts amounts) {
        approvals.patched(patch.vm().uid(), amounts, shell.clock().instant());
    }

    private void received(RunnerStatus status, boolean hurries) {
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
        approvals.received(
                status.vm(),
                new Approvals.Amounts(
                        status.unit(), status.goal(), status.permit().get()),
                hurries,
                shell.clock().instant());
    }

    private void write() {
        if (isWriting) {
            return;
        }
        approvals.due(shell.clock().instant(), patching.getAsBoolean()).ifPresent(write -> {
            if (!share.mine(write.vm().label())) {
                approvals.forget(write.vm().uid());
                return;
            }
            isWriting = true;
            send(write).onComplete(ended -> {
                isWriting = false;
                approvals.ended(write, ended.result(), shell.clock().instant());
                count(ended.result());
            });
        });
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
        writes(
                        switch (outcome) {
                            case Approvals.Outcome.Written() -> "written";
                            case Approvals.Outcome.Failed failed -> "failed";
                            case Approvals.Outcome.Gone() -> "gone";
                        })
                .increment();
    }

    private Counter writes(String outcome) {
        return Counter.builder("sluice.vm.approvals")
                .description("Writes of approved amounts that no patch of a size carried, by outcome")
                .tag("outcome", outcome)
                .register(shell.meters());
    }
}
