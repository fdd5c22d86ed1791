package io.sluice.neonvm;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.sluice.bus.AgentAddresses;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.neonvm.core.Approvals;
import io.sluice.neonvm.core.NeonVmKeys;
import io.sluice.neonvm.core.PatchOutcome;
import io.sluice.neonvm.core.VmPatches;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down on each VM what the ledger booked for it, in the background: a few at a time, never while a size of the
 * VM is being patched, and nobody waits for it.
 */
final class ApprovedWriter {
    private static final Logger LOG = LoggerFactory.getLogger(ApprovedWriter.class);
    private static final int AT_A_TIME = 8;
    private static final int VMS_MAX = 20_000;
    private static final long LOOK_EVERY_MS = 250;

    private final KubernetesApi api;
    private final Shell shell;
    private final Predicate<String> busy;
    private final Approvals approvals;
    private final ScalingUnits units;
    private int underWay;

    /** @param busy tells by a VM's uid whether its size is being patched */
    ApprovedWriter(KubernetesApi api, Bus bus, VmConfig config, Shell shell, Predicate<String> busy) {
        this.api = api;
        this.shell = shell;
        this.busy = busy;
        this.approvals = new Approvals(config.approvedEvery(), VMS_MAX);
        this.units = new ScalingUnits(bus, shell.clock());
    }

    Future<Void> start(Vertx vertx, Bus bus) {
        Gauge.builder("sluice.vm.approvals.waiting", approvals, Approvals::waiting)
                .description("VMs whose booked amounts are not on their objects yet")
                .register(shell.meters());
        vertx.setPeriodic(LOOK_EVERY_MS, timer -> write());
        return bus.subscribe(AgentAddresses.STATUS, this::heard)
                .compose(done -> bus.subscribe(
                        ClusterAddresses.VM_GONE,
                        gone -> approvals.forget(gone.vm().uid())));
    }

    private void heard(RunnerStatus status) {
        if (status.permit().isEmpty() || !NeonVmKeys.DRIVER.equals(status.vm().driver())) {
            return;
        }
        var unit = units.of(status.node(), status.member());
        approvals.heard(
                status.vm(),
                new Approvals.Amounts(unit, status.goal(), status.permit().get()));
    }

    private void write() {
        for (var write : approvals.due(shell.clock().instant(), AT_A_TIME - underWay, busy)) {
            underWay++;
            send(write).onComplete(ended -> {
                underWay--;
                approvals.ended(write, ended.result(), shell.clock().instant());
                count(ended.result());
            });
        }
    }

    private Future<Approvals.Outcome> send(Approvals.Write write) {
        var patch = VmPatches.approved(write.vm().uid(), write.amounts());
        return api.merge(NeonVmKeys.VM_KIND, KubernetesApi.vmPath(write.vm()), patch)
                .map(answer -> outcome(write, answer))
                .otherwise(failure -> failed(write, KubernetesApi.words(failure)));
    }

    private static Approvals.Outcome outcome(Approvals.Write write, KubernetesApi.Answer answer) {
        if (answer.isSuccess()) {
            return Approvals.Outcome.WRITTEN;
        }
        return switch (answer.status()) {
            // Of a VM by that name with another uid, servers say either of the last two.
            case 404, PatchOutcome.CONFLICT, PatchOutcome.UNPROCESSABLE -> Approvals.Outcome.GONE;
            default -> failed(write, "the API server answered " + answer.status());
        };
    }

    private static Approvals.Outcome failed(Approvals.Write write, String reason) {
        LOG.atDebug()
                .addKeyValue(LogKeys.VM, write.vm().label())
                .addKeyValue(LogKeys.REASON, reason)
                .log("What was booked for a VM is not on its object yet.");
        return Approvals.Outcome.FAILED;
    }

    private void count(Approvals.Outcome outcome) {
        var word = switch (outcome) {
            case WRITTEN -> "written";
            case FAILED -> "failed";
            case GONE -> "gone";
        };
        Counter.builder("sluice.vm.approvals")
                .description("Writes of booked amounts to the annotations of VMs, by what became of them")
                .tag("outcome", word)
                .register(shell.meters())
                .increment();
    }
}
