package io.sluice.agent.scheduler;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.sluice.agent.scheduler.core.SchedulerAddress;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;

/** The ready endpoints of a service: each request goes to any of them. */
final class ServiceSchedulers implements SchedulerDirectory {
    private static final String LABEL = "kubernetes.io/service-name";

    private final SchedulerConfig config;
    private final SchedulerPodWatch watch;
    private List<SchedulerAddress> known = List.of();

    ServiceSchedulers(Vertx vertx, KubernetesClient client, SchedulerConfig config) {
        this.config = config;
        watch = new SchedulerPodWatch(
                vertx,
                () -> client.genericKubernetesResources(ResourceDefinitionContext.fromResourceType(EndpointSlice.class))
                        .inNamespace(config.namespace())
                        .withLabel(LABEL, config.service())
                        .runnableInformer(0),
                this::read);
    }

    @Override
    public Future<Void> start() {
        return watch.start();
    }

    @Override
    public List<SchedulerAddress> known() {
        return known;
    }

    @Override
    public boolean spreads() {
        return true;
    }

    @Override
    public String whereabouts() {
        return "the service " + config.service() + " in namespace " + config.namespace() + " has no ready endpoint";
    }

    @Override
    public void noneResponded() {
        watch.renew();
    }

    @Override
    public Future<Void> close() {
        return watch.stop();
    }

    private void read(List<JsonNode> slices) {
        known = slices.stream()
                .flatMap(slice -> read(slice, config).stream())
                .distinct()
                .toList();
    }

    static List<SchedulerAddress> read(JsonNode slice, SchedulerConfig config) {
        int port = port(slice, config.port());
        return slice.path("endpoints")
                .valueStream()
                .filter(ServiceSchedulers::ready)
                .flatMap(endpoint -> endpoint.path("addresses").valueStream())
                .map(ip -> new SchedulerAddress(config.tls().enabled(), ip.asText(), port))
                .toList();
    }

    /** Whether it can serve: by the rules of Kubernetes, an endpoint of unknown readiness can. */
    private static boolean ready(JsonNode endpoint) {
        return endpoint.path("conditions").path("ready").asBoolean(true);
    }

    /** A service with a single port may have another port in its pods. */
    private static int port(JsonNode slice, int wanted) {
        var ports = slice.path("ports")
                .valueStream()
                .map(port -> port.path("port"))
                .filter(JsonNode::isInt)
                .toList();
        return ports.size() == 1 ? ports.getFirst().asInt() : wanted;
    }
}
