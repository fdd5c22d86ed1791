package io.sluice.sharing;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.agent.AgentVerticle;
import io.sluice.bus.AgentAddresses;
import io.sluice.bus.Bus;
import io.sluice.lab.LabConfig;
import io.sluice.lab.LabVerticle;
import io.sluice.lab.core.LabNode;
import io.sluice.lab.core.LabVm;
import io.sluice.lab.load.SeriesLibrary;
import io.sluice.lab.load.core.ScenarioEvent;
import io.sluice.launcher.config.SluiceConfig;
import io.sluice.ledger.LedgerVerticle;
import io.sluice.messages.agent.Decision;
import io.sluice.monitor.MonitorVerticle;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.neonvm.patch.VmPatchVerticle;
import io.sluice.neonvm.watch.ClusterVerticle;
import io.sluice.shell.Dumps;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Peers;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.shell.config.ConfigReader;
import io.sluice.shell.config.ConfigSources;
import io.sluice.shell.config.YamlText;
import io.sluice.units.Resources;
import io.vertx.core.Deployable;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A lab with one VM whose load never rests, a ledger, a driver and a dispatcher, at the demo's pace; and as many agents
 * as a test starts, each of which sees the other processes that the test gives it.
 */
final class Premises implements AutoCloseable {
    static final String VM = "default/restless";
    private static final Path DEMO = Path.of("..", "..", "config", "demo.yaml");
    private static final Resources UNIT = new Resources(250, 1L << 30);
    private static final Duration SPELL = Duration.ofSeconds(1);
    private static final int SPELLS = 200;
    private static final double HARDLY_ANY = 0.01;

    final Writes writes;
    final List<Decision> decisions = new CopyOnWriteArrayList<>();
    private final SluiceConfig config;
    private final Vertx vertx;
    private final Deque<String> deployed = new ArrayDeque<>();
    private final KubernetesClient client;

    Premises(Vertx vertx, Peers dispatcher) {
        this.vertx = vertx;
        var bus = new Bus(vertx);
        config = ConfigReader.read(
                SluiceConfig.class,
                SluiceConfig.DEFAULTS,
                new ConfigSources(YamlText.read(DEMO), Map.of(), Map.of()).without("lab"));
        writes = new Writes(bus);
        var shell = shell(Peers.ALONE);
        var lab = new LabVerticle(
                LabConfig.DEFAULTS, shell, List.of(new LabNode("n1", UNIT.times(32), List.of(vm()), Resources.NONE)));
        deploy(lab);
        var kubernetes = config.kubernetes().at(lab.apiUrl());
        client = KubernetesConnection.open(kubernetes, shell.meters());
        bus.subscribe(AgentAddresses.DECISION, decisions::add).await();
        deploy(new LedgerVerticle(config.ledger(), shell));
        deploy(new MonitorVerticle(config.monitor(), shell(dispatcher)));
        deploy(new VmPatchVerticle(config.vm(), kubernetes, shell, client));
        deploy(new ClusterVerticle(config.cluster(), kubernetes, shell, client));
    }

    private static LabVm vm() {
        List<ScenarioEvent> spells = new ArrayList<>();
        for (int i = 0; i < SPELLS; i++) {
            spells.add(new ScenarioEvent.Surge(SPELL.multipliedBy(2L * i), SPELL, 3));
        }
        return new LabVm("restless", SeriesLibrary.NAMES.getFirst(), Duration.ZERO, HARDLY_ANY, false, spells);
    }

    /** An agent in a process of its own. */
    record Agent(Shell shell) {
        double serving() {
            return shell.meters()
                    .get("sluice.agent.runners")
                    .tag("stage", "serving")
                    .gauge()
                    .value();
        }

        List<String> hosted() {
            return shell.dumps().parts().get("agent").keys().await();
        }
    }

    Agent agent(Peers peers) {
        var shell = shell(peers);
        deploy(new AgentVerticle(config.agent(), shell));
        return new Agent(shell);
    }

    private static Shell shell(Peers peers) {
        return new Shell(
                        new MonotonicClock(),
                        new SimpleMeterRegistry(),
                        new SimpleMeterRegistry(),
                        new Readiness(),
                        new Dumps(),
                        new Random(1))
                .among(peers);
    }

    private void deploy(Deployable verticle) {
        deployed.push(vertx.deployVerticle(verticle).await());
    }

    @Override
    public void close() {
        deployed.forEach(id -> vertx.undeploy(id).await());
        client.close();
    }
}
