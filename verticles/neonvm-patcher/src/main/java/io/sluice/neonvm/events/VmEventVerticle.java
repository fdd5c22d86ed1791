package io.sluice.neonvm.events;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.bus.AgentAddresses;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PressureAddresses;
import io.sluice.neonvm.api.KubernetesApi;
import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.neonvm.core.EventAggregator;
import io.sluice.neonvm.core.VmEvent;
import io.sluice.neonvm.core.objects.NeonVmKeys;
import io.sluice.neonvm.patch.VmConfig;
import io.sluice.shell.Assignment;
import io.sluice.shell.Shell;
import io.sluice.units.ScaledPodKeys;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Instant;
import java.util.List;

/**
 * Writes Kubernetes Events to VMs: for a denied size, a downscale that is denied for long, a migration, and an invalid
 * annotation, each with the reason. Events that cannot be written are dropped; no component waits for them.
 */
public final class VmEventVerticle extends VerticleBase {
    private static final String ROLE = "vm";
    private static final int SERIES_MAX = 10_000;
    private static final long LOOK_EVERY_MS = 1_000;

    private final VmConfig config;
    private final KubernetesConfig kubernetes;
    private final Shell shell;
    private final KubernetesClient client;
    private final Assignment share;
    private final EventAggregator events = new EventAggregator(SERIES_MAX);
    private EventWriter writer;

    /** @param client shared by the whole process and closed by its owner */
    public VmEventVerticle(VmConfig config, KubernetesConfig kubernetes, Shell shell, KubernetesClient client) {
        this.config = config;
        this.kubernetes = kubernetes;
        this.shell = shell;
        this.client = client;
        this.share = new Assignment(shell.peers(), ROLE);
    }

    @Override
    public Future<?> start() {
        if (!config.writeEvents()) {
            return Future.succeededFuture();
        }
        writer = new EventWriter(new KubernetesApi(vertx, client, kubernetes, shell.meters()), shell);
        vertx.setPeriodic(LOOK_EVERY_MS, timer -> write(events.due(now())));
        var bus = new Bus(vertx);
        return bus.subscribe(AgentAddresses.DECISION, decision -> write(events.events(decision, now())))
                .compose(done -> bus.subscribe(AgentAddresses.STATUS, status -> write(events.events(status, now()))))
                .compose(done ->
                        bus.subscribe(LedgerAddresses.VM_STATUS, status -> write(events.permitted(status, now()))))
                .compose(done -> bus.subscribe(PressureAddresses.DECISION, moved -> write(events.events(moved, now()))))
                .compose(done -> bus.subscribe(
                        ClusterAddresses.VM_GONE,
                        gone -> events.forget(gone.vm().uid())));
    }

    /** All processes with the role receive the same messages and count alike; the assigned one writes. */
    private void write(List<VmEvent> reported) {
        reported.stream()
                .filter(event -> NeonVmKeys.DRIVER.equals(event.vm().driver()) || ScaledPodKeys.isPod(event.vm()))
                .filter(event -> share.mine(event.vm().label()))
                .forEach(writer::write);
    }

    private Instant now() {
        return shell.clock().instant();
    }
}
