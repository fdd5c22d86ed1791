package io.sluice.agent.scheduler;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.bus.Bus;
import io.sluice.shell.Shell;
import io.vertx.core.Vertx;
import java.util.Optional;

/** Creates the client that the config selects. */
public final class SchedulerClients {
    private SchedulerClients() {}

    /**
     * A client that is not started yet.
     *
     * @param client needed where schedulers are found in Kubernetes; the caller closes it
     */
    public static SchedulerClient of(
            SchedulerConfig config,
            Vertx vertx,
            Shell shell,
            HttpSchedulerClient.Terms terms,
            Optional<KubernetesClient> client) {
        return switch (config.transport()) {
            case BUS -> new BusSchedulerClient(new Bus(vertx));
            case HTTP -> new HttpSchedulerClient(vertx, shell, config, directory(config, vertx, client), terms);
        };
    }

    private static SchedulerDirectory directory(
            SchedulerConfig config, Vertx vertx, Optional<KubernetesClient> client) {
        return switch (config.discover()) {
            case URLS -> new ListedSchedulers(config.addresses());
            case PODS -> new PodSchedulers(vertx, given(client), config);
            case SERVICE -> new ServiceSchedulers(vertx, given(client), config);
        };
    }

    private static KubernetesClient given(Optional<KubernetesClient> client) {
        return client.orElseThrow(
                () -> new IllegalStateException("schedulers are to be found in Kubernetes, without a client for it"));
    }
}
