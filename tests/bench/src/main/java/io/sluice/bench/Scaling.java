package io.sluice.bench;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.agent.AgentVerticle;
import io.sluice.bench.measurement.Config;
import io.sluice.bus.AgentAddresses;
import io.sluice.bus.Bus;
import io.sluice.ledger.LedgerVerticle;
import io.sluice.messages.agent.Waiting;
import io.sluice.monitor.MonitorVerticle;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.neonvm.patch.VmPatchVerticle;
import io.sluice.neonvm.watch.ClusterVerticle;
import io.sluice.pressure.PressureVerticle;
import io.vertx.core.Deployable;
import io.vertx.core.Vertx;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Every role that scales VMs, in this process, for the API server of a {@link World}: what is measured. */
final class Scaling implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx();
    private final Set<String> content = ConcurrentHashMap.newKeySet();
    private final KubernetesClient kubernetes;

    /**
     * Starts it.
     *
     * @param url of the API server
     * @param keys config keys that differ from the defaults
     */
    Scaling(String url, Map<String, String> keys) {
        var config = Config.with(keys);
        var shell = Config.shell();
        var settings = config.kubernetes().at(url);
        kubernetes = KubernetesConnection.open(settings, shell.meters());
        Config.done(new Bus(vertx).subscribe(AgentAddresses.STATUS, status -> {
            if (status.waiting().equals(Waiting.NOTHING)) {
                content.add(status.vm().name());
            }
        }));
        deploy(new LedgerVerticle(config.ledger(), shell));
        deploy(new PressureVerticle(config.pressure(), shell));
        deploy(new MonitorVerticle(config.monitor(), shell));
        deploy(new VmPatchVerticle(config.vm(), settings, shell, kubernetes));
        deploy(new AgentVerticle(config.agent(), shell));
        deploy(new ClusterVerticle(config.cluster(), settings, shell, kubernetes));
    }

    /** The names of the VMs that were served and needed no change, at some time. */
    Set<String> content() {
        return content;
    }

    private void deploy(Deployable verticle) {
        Config.done(vertx.deployVerticle(verticle));
    }

    @Override
    public void close() {
        Config.done(vertx.close());
        kubernetes.close();
    }
}
