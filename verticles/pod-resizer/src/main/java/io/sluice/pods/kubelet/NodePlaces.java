package io.sluice.pods.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.pods.api.PodApi;
import io.sluice.shell.BoundedMap;
import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;

/** Where the kubelets of nodes listen, and what room they have; read from Node objects now and then. */
public final class NodePlaces {
    private static final Duration AGE_MAX = Duration.ofSeconds(10);
    private static final Duration FAILURE_AGE_MAX = Duration.ofSeconds(1);
    private static final int NODES_MAX = 10_000;
    private static final int KUBELET_PORT = 10_250;

    private final PodApi api;
    private final InstantSource clock;
    private final Map<String, Known> known = BoundedMap.ofLastUsed(NODES_MAX);

    private record Known(Future<Place> place, Instant at) {}

    /**
     * A node.
     *
     * @param host its internal address
     * @param port the port of its kubelet
     * @param room what pods may have of it in all
     */
    public record Place(String host, int port, Resources room) {
        public Place {
            Objects.requireNonNull(host, "host");
            Objects.requireNonNull(room, "room");
        }
    }

    public NodePlaces(PodApi api, InstantSource clock) {
        this.api = api;
        this.clock = clock;
    }

    /** The place of a node; fails with the reason in words. */
    public Future<Place> find(String node) {
        var now = clock.instant();
        var before = known.get(node);
        if (before != null && now.isBefore(before.at().plus(before.place().failed() ? FAILURE_AGE_MAX : AGE_MAX))) {
            return before.place();
        }
        var place = api.get("/api/v1/nodes/" + node)
                .compose(answer -> answer.isSuccess()
                        ? Future.succeededFuture(place(answer.body()))
                        : Future.failedFuture("reading the node was answered " + answer.status()));
        known.put(node, new Known(place, now));
        return place;
    }

    private static Place place(JsonNode node) {
        var status = node.path("status");
        var host = status.path("addresses")
                .valueStream()
                .filter(address -> address.path("type").asText().equals("InternalIP"))
                .map(address -> address.path("address").asText())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the node has no internal address"));
        int port = status.path("daemonEndpoints")
                .path("kubeletEndpoint")
                .path("Port")
                .asInt(KUBELET_PORT);
        var room = status.path("allocatable");
        return new Place(
                host,
                port,
                new Resources(
                        Quantities.milliCpu(room.path("cpu").asText("0")),
                        Quantities.bytes(room.path("memory").asText("0"))));
    }
}
