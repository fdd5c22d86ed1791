package io.sluice.launcher;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.micrometer.Label;
import io.vertx.micrometer.MetricsDomain;
import io.vertx.micrometer.MicrometerMetricsFactory;
import io.vertx.micrometer.MicrometerMetricsOptions;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * Vert.x's own metrics: event bus, HTTP servers and clients, websockets and pools. No label has a value that a client,
 * a VM or another process chooses, so the number of series is bounded.
 */
final class VertxMetrics {
    private static final String PREFIX = "vertx.";
    private static final String CLIENT_PREFIX = MetricsDomain.HTTP_CLIENT.getPrefix();
    private static final String POOL_RATIO = "vertx.pool.ratio";
    private static final String OTHER = "other";
    private static final char PROCESS = '@';
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

    /** Pools of clients are named by the remote address, such as a VM's. */
    private static final Set<String> POOLS_OF_CLIENTS = Set.of("http", "ws", "net");

    private static final Set<Label> LABELS = EnumSet.of(
            Label.EB_ADDRESS,
            Label.EB_SIDE,
            Label.EB_FAILURE,
            Label.HTTP_METHOD,
            Label.HTTP_CODE,
            Label.LOCAL,
            Label.CLIENT_NAME,
            Label.POOL_TYPE,
            Label.POOL_NAME);

    private final MicrometerMetricsFactory factory;

    /**
     * @param meters a registry without meters yet, as a filter applies to later ones alone
     * @param listeners the sections of the listeners by port; servers at other ports are not told apart
     */
    VertxMetrics(MeterRegistry meters, Map<String, String> listeners) {
        meters.config().meterFilter(new Bounds(listeners));
        factory = new MicrometerMetricsFactory(meters);
    }

    /** Returns a builder of a Vert.x that is measured. */
    VertxBuilder builder(VertxOptions options) {
        // Vert.x keeps one registry for each name in this JVM.
        options.setMetricsOptions(new MicrometerMetricsOptions()
                .setEnabled(true)
                .setRegistryName(UUID.randomUUID().toString())
                .setLabels(LABELS)
                .addDisabledMetricsCategory(MetricsDomain.DATAGRAM_SOCKET));
        return Vertx.builder().with(options).withMetrics(factory);
    }

    /** Replaces what others choose. */
    private record Bounds(Map<String, String> listeners) implements MeterFilter {
        @Override
        public Meter.Id map(Meter.Id id) {
            if (!id.getName().startsWith(PREFIX)) {
                return id;
            }
            var bounded = id;
            bounded = with(bounded, Label.EB_ADDRESS, Bounds::withoutProcess);
            bounded = with(bounded, Label.LOCAL, this::listener);
            bounded = with(bounded, Label.HTTP_METHOD, method -> METHODS.contains(method) ? method : OTHER);
            if (id.getName().startsWith(CLIENT_PREFIX)) {
                bounded = with(bounded, Label.HTTP_CODE, code -> code.charAt(0) + "xx");
            }
            return isOfClients(id) ? with(bounded, Label.POOL_NAME, name -> OTHER) : bounded;
        }

        /** A ratio of several pools in one series would have no meaning. */
        @Override
        public MeterFilterReply accept(Meter.Id id) {
            return id.getName().equals(POOL_RATIO) && isOfClients(id)
                    ? MeterFilterReply.DENY
                    : MeterFilterReply.NEUTRAL;
        }

        private static boolean isOfClients(Meter.Id id) {
            var type = id.getTag(Label.POOL_TYPE.toString());
            return type != null && POOLS_OF_CLIENTS.contains(type);
        }

        private static Meter.Id with(Meter.Id id, Label label, UnaryOperator<String> replacement) {
            var value = id.getTag(label.toString());
            return value == null ? id : id.withTag(Tag.of(label.toString(), replacement.apply(value)));
        }

        private String listener(String hostAndPort) {
            return listeners.getOrDefault(hostAndPort.substring(hostAndPort.lastIndexOf(':') + 1), OTHER);
        }

        /** The address of one process is that of all, with the process's id. */
        private static String withoutProcess(String address) {
            int at = address.indexOf(PROCESS);
            return at < 0 ? address : address.substring(0, at);
        }
    }
}
