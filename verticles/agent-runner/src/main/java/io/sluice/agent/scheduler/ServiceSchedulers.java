package io.sluice.agent.scheduler;

import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointPort;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.agent.scheduler.core.SchedulerAddress;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The ready endpoints of a service: each request goes to any of them. */
final class ServiceSchedulers implements SchedulerDirectory {
    private static final String LABEL = "kubernetes.io/service-name";

    private final SchedulerConfig config;
    private final SchedulerPodWatch<EndpointSlice> watch;
    private List<SchedulerAddress> known = List.of();

    ServiceSchedulers(Vertx vertx, KubernetesClient client, SchedulerConfig config) {
        this.config = config;
        watch = new SchedulerPodWatch<>(
                vertx,
                () -> client.discovery()
                        .v1()
                        .endpointSlices()
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

    private void read(List<EndpointSlice> slices) {
        known = slices.stream()
                .flatMap(slice -> read(slice, config).stream())
                .distinct()
                .toList();
    }

    static List<SchedulerAddress> read(EndpointSlice slice, SchedulerConfig config) {
        int port = port(slice, config.port());
        return nothingForNull(slice.getEndpoints())
                .filter(ServiceSchedulers::ready)
                .flatMap(endpoint -> nothingForNull(endpoint.getAddresses()))
                .map(ip -> new SchedulerAddress(config.tls().enabled(), ip, port))
                .toList();
    }

    /** Whether it can serve: by the rules of Kubernetes, an endpoint of unknown readiness can. */
    private static boolean ready(Endpoint endpoint) {
        return endpoint.getConditions() == null
                || !Boolean.FALSE.equals(endpoint.getConditions().getReady());
    }

    /** A service with a single port may have another port in its pods. */
    private static int port(EndpointSlice slice, int wanted) {
        var ports = nothingForNull(slice.getPorts())
                .map(EndpointPort::getPort)
                .filter(Objects::nonNull)
                .toList();
        return ports.size() == 1 ? ports.getFirst() : wanted;
    }

    private static <T> Stream<T> nothingForNull(List<T> list) {
        return list == null ? Stream.empty() : list.stream();
    }
}
