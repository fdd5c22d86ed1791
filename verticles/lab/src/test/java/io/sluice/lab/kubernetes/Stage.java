package io.sluice.lab.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.EventAddress;
import io.sluice.lab.api.LabApi;
import io.sluice.lab.api.RawApi;
import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;

/** One API with a node, and a client, a bus and a shell for the verticle under test. */
final class Stage implements AutoCloseable {
    static final String VMS = RunningVm.VMS;
    static final String PODS = RunningVm.PODS;
    private static final int HISTORY_MAX = 1000;

    final Vertx vertx;
    final Bus bus;
    final Shell shell = new Shell(new MonotonicClock(), new SimpleMeterRegistry(), new Readiness(), new Random(1));
    final LabApi api;
    final KubernetesConfig config;
    final KubernetesClient client;
    final RawApi raw;
    final List<Object> observations = new CopyOnWriteArrayList<>();

    Stage(Vertx vertx) {
        this.vertx = vertx;
        bus = new Bus(vertx);
        api = new LabApi(vertx, shell.clock(), HISTORY_MAX);
        config = KubernetesConfig.DEFAULTS.at(api.start("127.0.0.1", 0).await());
        client = KubernetesConnection.open(config, shell.meters());
        raw = new RawApi(client);
        raw.post("/api/v1/nodes", """
            {"metadata":{"name":"node-a"},"status":{"allocatable":{"cpu":"8","memory":"32Gi"}}}\
            """);
        for (var address : List.<EventAddress<?>>of(
                ClusterAddresses.NODE_OBSERVED,
                ClusterAddresses.NODE_GONE,
                ClusterAddresses.POD_OBSERVED,
                ClusterAddresses.POD_GONE,
                ClusterAddresses.VM_OBSERVED,
                ClusterAddresses.VM_GONE,
                ClusterAddresses.MIGRATION_OBSERVED,
                ClusterAddresses.MIGRATION_GONE,
                ClusterAddresses.LISTED)) {
            bus.subscribe(address, observations::add).await();
        }
    }

    /** A running VM of 1 vCPU and 4Gi with its pod; returns the object after its status was written. */
    JsonNode runningVm(String name, String annotations) {
        return RunningVm.make(raw, name, annotations);
    }

    <T> List<T> received(Class<T> type) {
        return observations.stream().filter(type::isInstance).map(type::cast).toList();
    }

    @Override
    public void close() {
        client.close();
    }
}
