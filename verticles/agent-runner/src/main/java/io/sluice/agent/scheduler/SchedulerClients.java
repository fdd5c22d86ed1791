package io.sluice.agent.scheduler;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.bus.Bus;
import io.sluice.shell.Shell;
import io.vertx.core.Vertx;
import java.util.Optional;

/** Makes the line that the config asks for. */
public final class SchedulerClients {
    private SchedulerClients() {}

    /**
     * A line that is not started yet.
     *
     * @param client needed where schedulers are looked for in Kubernetes; closed by its owner
     */
    public static SchedulerClient of(
            SchedulerConfig config,
            Vertx vertx,
            Shell shell,
            HttpSchedulerClient.Terms terms,
            Optional<KubernetesClient> client) {
        return switch (config.transport()) {
            case BUS -> new BusSchedulerClient(new Bus(vertx));
            case HTTP -> new HttpSchedulerClient(vertx, shell, config, directory(config, vertx, shell, client), terms);
        };
    }

    private static SchedulerDirectory directory(
            SchedulerConfig config, Vertx vertx, Shell shell, Optional<KubernetesClient> client) {
        return switch (config.discover()) {
            case URLS -> new ListedSchedulers(config.addresses());
            case PODS -> new PodSchedulers(vertx, given(client), config);
            case SERVICE ->
                new ServiceSchedulers(
                        vertx, given(client), config, shell.random().nextInt());
        };
    }

    private static KubernetesClient given(Optional<KubernetesClient> client) {
        return client.orElseThrow(
                () -> new IllegalStateException("schedulers are looked for in Kubernetes, without a client for it"));
    }
}
