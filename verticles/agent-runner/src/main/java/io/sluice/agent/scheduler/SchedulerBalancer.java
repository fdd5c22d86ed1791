package io.sluice.agent.scheduler;

import io.sluice.agent.scheduler.core.SchedulerAddress;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.endpoint.InteractionMetrics;
import io.vertx.core.net.endpoint.LoadBalancer;
import io.vertx.core.net.endpoint.ServerEndpoint;
import io.vertx.core.net.endpoint.ServerSelector;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Vert.x' balancing, among the candidates of each request. By itself Vert.x neither lets a server rest that failed nor
 * sends a repeat to another one, and it does not report which one it selected if no connection comes about.
 */
final class SchedulerBalancer implements LoadBalancer {
    /** It counts nothing: the others' counters of requests stay wrong after a connection that ends too early. */
    private static final LoadBalancer BALANCING = LoadBalancer.RANDOM;

    private final Map<String, Choice> undecided = new HashMap<>();
    private long choices;

    /** The candidates of one request, and the one that Vert.x selected. */
    static final class Choice {
        private final String routingKey;
        private final List<SchedulerAddress> candidates;
        private Optional<SchedulerAddress> selected = Optional.empty();

        private Choice(String routingKey, List<SchedulerAddress> candidates) {
            this.routingKey = routingKey;
            this.candidates = candidates;
        }

        /** The routing key that the request must have. */
        String routingKey() {
            return routingKey;
        }

        List<SchedulerAddress> candidates() {
            return candidates;
        }

        /** Empty if there was none to select any more. */
        Optional<SchedulerAddress> selected() {
            return selected;
        }

        private Optional<SchedulerAddress> candidate(ServerEndpoint server) {
            return candidates.stream()
                    .filter(candidate -> socket(candidate).equals(server.address()))
                    .findFirst();
        }

        private int select(List<? extends ServerEndpoint> servers) {
            var eligible = servers.stream()
                    .filter(server -> candidate(server).isPresent())
                    .toList();
            int picked = BALANCING.selector(eligible).select();
            if (picked < 0) {
                return picked;
            }
            selected = candidate(eligible.get(picked));
            return servers.indexOf(eligible.get(picked));
        }
    }

    /** Where Vert.x connects to. */
    static SocketAddress socket(SchedulerAddress address) {
        return SocketAddress.inetSocketAddress(address.port(), address.host());
    }

    /** The choice for a new request. */
    Choice among(List<SchedulerAddress> candidates) {
        var choice = new Choice(Long.toString(choices++), candidates);
        undecided.put(choice.routingKey(), choice);
        return choice;
    }

    /** Ends a choice: its request has a connection, or gets none. */
    void end(Choice choice) {
        undecided.remove(choice.routingKey());
    }

    @Override
    public InteractionMetrics<?> newMetrics() {
        return BALANCING.newMetrics();
    }

    @Override
    public ServerSelector selector(List<? extends ServerEndpoint> servers) {
        return new ServerSelector() {
            @Override
            public int select() {
                return BALANCING.selector(servers).select();
            }

            @Override
            public int select(String routingKey) {
                return undecided.get(routingKey).select(servers);
            }
        };
    }
}
