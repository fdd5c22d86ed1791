package io.sluice.neonvm.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.devices.NodeZones;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.neonvm.core.ClusterConfig;
import io.sluice.neonvm.core.gpus.ZoneObjects;
import io.sluice.neonvm.core.objects.MigrationReader;
import io.sluice.neonvm.core.objects.NodeReader;
import io.sluice.neonvm.core.objects.PodReader;
import io.sluice.neonvm.core.objects.VmReader;
import io.sluice.neonvm.core.observed.ClusterModel;
import io.sluice.shell.LogKeys;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns objects into observations, and logs once what is invalid in each. An object that cannot be read does not stop
 * the others: its last valid observation stays.
 */
public final class ObjectReader {
    private static final Logger LOG = LoggerFactory.getLogger(ObjectReader.class);
    private static final String MIGRATION = "migration";
    private static final String ZONES = "zones";
    private static final int REPORTED_MAX = 10_000;

    private final VmReader vms;
    private final Set<String> ignoredNamespaces;
    private final MeterRegistry meters;
    private final Map<String, String> logged = new HashMap<>();
    private final Map<String, NodeZones> zones = new HashMap<>();
    private final boolean readsZones;
    private final NodeLabelMetrics labels;

    public ObjectReader(ClusterConfig config, MeterRegistry meters) {
        this.vms = new VmReader(config);
        this.ignoredNamespaces = Set.copyOf(config.ignoredNamespaces());
        this.meters = meters;
        readsZones = config.zones();
        labels = new NodeLabelMetrics(config.nodeMetricLabels(), meters);
        List.of(LogKeys.VM, LogKeys.POD, LogKeys.NODE, MIGRATION, ZONES).forEach(this::unreadable);
    }

    /** The uid of an object, even of one that is invalid otherwise. */
    public static String uid(JsonNode object) {
        return object.path("metadata").path("uid").asText();
    }

    /** The name of an object, even of one that is invalid otherwise. */
    public static String name(JsonNode object) {
        return object.path("metadata").path("name").asText();
    }

    /** Also empty for a VM outside the scope. */
    public Optional<VmObserved> vm(JsonNode object, ClusterModel model) {
        var uid = uid(object);
        if (!model.concerns(uid, namespace(object), VmReader.podName(object), VmReader.node(object))) {
            return Optional.empty();
        }
        return guarded(LogKeys.VM, object, model.vm(uid), VmObserved::version, () -> {
            var reading = vms.read(object);
            log(LogKeys.VM, label(object), reading.complaints());
            return reading.observed();
        });
    }

    /** Drops what is kept of all VMs and nodes except these. */
    public void keepOnly(Collection<VmObserved> alive, Collection<NodeObserved> nodes) {
        labels.keepOnly(nodes.stream().map(NodeObserved::node).collect(Collectors.toSet()));
        vms.keepOnly(alive.stream().map(vm -> vm.vm().uid()).collect(Collectors.toSet()));
    }

    /** Whether a pod takes room that counts. */
    public boolean counts(JsonNode pod) {
        return PodReader.counts(pod) && !PodReader.isIgnored(pod, ignoredNamespaces);
    }

    public Optional<PodReader.Reading> pod(JsonNode object, Optional<PodReader.Reading> previous) {
        return guarded(LogKeys.POD, object, previous, known -> known.observed().version(), () -> {
            var reading = PodReader.read(object, readsZones);
            log(LogKeys.POD, label(object), reading.complaints());
            return reading;
        });
    }

    /** The node is gone. */
    public void nodeGone(String node) {
        labels.gone(node);
    }

    public Optional<NodeObserved> node(JsonNode object, Optional<NodeObserved> previous) {
        labels.observed(object);
        return guarded(LogKeys.NODE, object, previous, NodeObserved::version, () -> {
                    var observed = NodeReader.read(object);
                    log(LogKeys.NODE, label(object), List.of());
                    return observed;
                })
                .map(observed -> {
                    var known = zones.get(observed.node());
                    return known == null ? observed : observed.with(known);
                });
    }

    /** Reads the zones of a node; its observations have the newest of them from now on. */
    public NodeZones zones(JsonNode object) {
        var complaints = new ArrayList<String>();
        long version = NodeReader.version(object);
        var read = NodeZones.none(version);
        try {
            read = ZoneObjects.zones(object, version, complaints);
        } catch (IllegalArgumentException unreadable) {
            complaints.add(unreadable.getMessage());
        }
        log(ZONES, name(object), complaints);
        return newest(name(object), read);
    }

    private NodeZones newest(String node, NodeZones read) {
        return zones.merge(node, read, (known, other) -> other.version() >= known.version() ? other : known);
    }

    /** The zones of a node were deleted at a version. */
    public NodeZones withoutZones(String node, long version) {
        return newest(node, NodeZones.none(version));
    }

    /** No other nodes have zones at the version of a full list. Deletions from before are forgotten then. */
    public void keepZones(Set<String> nodes, long version) {
        zones.entrySet()
                .removeIf(known -> !nodes.contains(known.getKey())
                        && known.getValue().zones().isEmpty()
                        && known.getValue().version() <= version);
        zones.replaceAll((node, known) ->
                nodes.contains(node) || known.version() > version ? known : NodeZones.none(known.version() + 1));
    }

    public Optional<MigrationObserved> migration(JsonNode object, Optional<MigrationObserved> previous) {
        return guarded(MIGRATION, object, previous, MigrationObserved::version, () -> {
            var observed = MigrationReader.read(object);
            log(MIGRATION, label(object), List.of());
            return observed;
        });
    }

    /**
     * If the same version was read before without a complaint, the earlier observation is returned, so that one is
     * stored.
     */
    private <T> Optional<T> guarded(
            String kind, JsonNode object, Optional<T> previous, ToLongFunction<T> version, Supplier<T> read) {
        try {
            boolean known = previous.filter(
                            observation -> version.applyAsLong(observation) == NodeReader.version(object))
                    .isPresent();
            return known && !logged.containsKey(key(kind, label(object))) ? previous : Optional.of(read.get());
        } catch (RuntimeException unreadable) {
            log(kind, label(object), List.of(String.valueOf(unreadable.getMessage())));
            return previous;
        }
    }

    private static String label(JsonNode object) {
        var namespace = namespace(object);
        return namespace.isEmpty() ? name(object) : namespace + "/" + name(object);
    }

    private static String namespace(JsonNode object) {
        return object.path("metadata").path("namespace").asText("");
    }

    private static String key(String kind, String name) {
        return kind + " " + name;
    }

    private void log(String kind, String name, List<String> complaints) {
        var key = key(kind, name);
        if (complaints.isEmpty()) {
            logged.remove(key);
            return;
        }
        var words = String.join("; ", complaints);
        unreadable(kind).increment();
        if (!words.equals(logged.put(key, words))) {
            LOG.atWarn()
                    .addKeyValue(isKey(kind) ? kind : LogKeys.KIND, isKey(kind) ? name : key)
                    .addKeyValue(LogKeys.REASON, words)
                    .log("An object could not be read completely; its last valid values stay in force.");
        }
        if (logged.size() > REPORTED_MAX) {
            logged.clear();
        }
    }

    private static boolean isKey(String kind) {
        return !kind.equals(MIGRATION) && !kind.equals(ZONES);
    }

    private Counter unreadable(String kind) {
        return Counter.builder("sluice.cluster.unreadable")
                .description("Objects that could not be read completely")
                .tag("kind", kind)
                .register(meters);
    }
}
