package io.sluice.neonvm.core.objects;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.cluster.Endpoint;
import java.util.Optional;

/** Reads an endpoint of a VM: an annotation may name another port, and another path after it. */
final class EndpointReader {
    private EndpointReader() {}

    /**
     * @param usual the default endpoint, at the VM's address; without one the VM has no endpoint, whatever its
     *     annotation is
     */
    static Optional<Endpoint> read(JsonNode vm, String key, Endpoint usual, Annotations annotations) {
        var text = KubernetesJson.metadata(vm, "annotations", key);
        var place = annotations.read(key, text, reported -> reported.isEmpty() ? usual : usual.at(reported));
        return usual.host().isEmpty() ? Optional.empty() : Optional.of(place);
    }
}
