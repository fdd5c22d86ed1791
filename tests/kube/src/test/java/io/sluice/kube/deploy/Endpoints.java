package io.sluice.kube.deploy;

import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;

/**
 * The EndpointSlices of the schedulers' service, one for each endpoint, as the controller of Kubernetes writes them.
 */
final class Endpoints {
    static final String SERVICE = "sluice-scheduler";
    private static final String NAMESPACE = "kube-system";

    private final KubernetesClient client;
    private final String address;

    /** @param address of all endpoints, which differ by their ports */
    Endpoints(KubernetesClient client, String address) {
        this.client = client;
        this.address = address;
    }

    /** Creates the slice of an endpoint, or replaces it. */
    void put(int port, boolean ready) {
        client.resource(slice(port, ready)).inNamespace(NAMESPACE).createOr(existing -> existing.update());
    }

    void remove(int port) {
        client.resource(slice(port, false)).inNamespace(NAMESPACE).delete();
    }

    /** The newest version of these objects. */
    String version() {
        return client.discovery()
                .v1()
                .endpointSlices()
                .inNamespace(NAMESPACE)
                .list()
                .getMetadata()
                .getResourceVersion();
    }

    private EndpointSlice slice(int port, boolean ready) {
        return new EndpointSliceBuilder()
                .withNewMetadata()
                .withName(SERVICE + "-" + port)
                .withNamespace(NAMESPACE)
                .addToLabels("kubernetes.io/service-name", SERVICE)
                .endMetadata()
                .withAddressType("IPv4")
                .addNewEndpoint()
                .withAddresses(address)
                .withNewConditions()
                .withReady(ready)
                .endConditions()
                .endEndpoint()
                .addNewPort()
                .withName("agents")
                .withPort(port)
                .endPort()
                .build();
    }
}
