package io.sluice.neonvm.core.objects;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.cluster.Endpoint;
import java.util.Optional;

/** Reads an endpoint of a VM: an annotation may name another port, and another path after it. */
final class EndpointReader {
    private static final int PORT_MAX = 65_535;
    private static final String EXPECTED = "it must be a port from 1 to 65535, or port/path, not ";

    private EndpointReader() {}

    /**
     * @param usual the default endpoint, at the VM's address; without one the VM has no endpoint, whatever its
     *     annotation is
     */
    static Optional<Endpoint> read(JsonNode vm, String key, Endpoint usual, Annotations annotations) {
        var text = KubernetesJson.metadata(vm, "annotations", key);
        var place = annotations.read(key, text, reported -> reported.isEmpty() ? usual : place(reported, usual));
        return usual.host().isEmpty() ? Optional.empty() : Optional.of(place);
    }

    /** Parses {@code 9101} or {@code 9101/stats}. */
    private static Endpoint place(String text, Endpoint usual) {
        int slash = text.indexOf('/');
        var path = slash < 0 ? usual.path() : text.substring(slash);
        boolean fits = path.chars().allMatch(letter -> letter > ' ' && letter < 0x7f);
        int port = port(slash < 0 ? text : text.substring(0, slash));
        if (port < 1 || port > PORT_MAX || !fits) {
            throw new IllegalArgumentException(EXPECTED + "'" + text + "'");
        }
        return new Endpoint(usual.host(), port, path);
    }

    private static int port(String digits) {
        return digits.matches("\\d{1,5}") ? Integer.parseInt(digits) : 0;
    }
}
