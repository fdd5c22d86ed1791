package io.sluice.neonvm;

import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.neonvm.core.ClusterModel;
import io.sluice.neonvm.core.MigrationReader;
import io.sluice.neonvm.core.NodeReader;
import io.sluice.neonvm.core.PodReader;
import io.sluice.neonvm.core.VmReader;
import io.sluice.shell.LogKeys;
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
 * Turns objects into facts, and says once what was no good about each. An object that cannot be read at all never stops
 * the others: what was last read of it stands in.
 */
final class ObjectReader {
    private static final Logger LOG = LoggerFactory.getLogger(ObjectReader.class);
    private static final String MIGRATION = "migration";
    private static final int SAID_MAX = 10_000;

    private final VmReader vms;
    private final Set<String> ignoredNamespaces;
    private final MeterRegistry meters;
    private final Map<String, String> said = new HashMap<>();

    ObjectReader(ClusterConfig config, MeterRegistry meters) {
        this.vms = new VmReader(config);
        this.ignoredNamespaces = Set.copyOf(config.ignoredNamespaces());
        this.meters = meters;
        List.of(LogKeys.VM, LogKeys.POD, LogKeys.NODE, MIGRATION).forEach(this::unreadable);
    }

    /** The uid of an object, even one that cannot be read otherwise. */
    static String uid(JsonNode object) {
        return object.path("metadata").path("uid").asText();
    }

    /** The name of an object, even one that cannot be read otherwise. */
    static String name(JsonNode object) {
        return object.path("metadata").path("name").asText();
    }

    /** Empty too for one that nobody is to hear of. */
    Optional<VmObserved> vm(JsonNode object, ClusterModel model) {
        var uid = uid(object);
        if (!model.concerns(uid, namespace(object), VmReader.podName(object), VmReader.node(object))) {
            return Optional.empty();
        }
        return guarded(LogKeys.VM, object, model.vm(uid), VmObserved::version, () -> {
            var reading = vms.read(object);
            say(LogKeys.VM, label(object), reading.complaints());
            return reading.seen();
        });
    }

    /** Forgets what was good of the annotations of all VMs but these. */
    void keepOnly(Collection<VmObserved> alive) {
        vms.keepOnly(alive.stream().map(vm -> vm.vm().uid()).collect(Collectors.toSet()));
    }

    /** Whether a pod takes room that is to be counted. */
    boolean counts(JsonNode pod) {
        return PodReader.counts(pod) && !PodReader.isIgnored(pod, ignoredNamespaces);
    }

    Optional<PodReader.Reading> pod(JsonNode object, Optional<PodReader.Reading> previous) {
        return guarded(LogKeys.POD, object, previous, known -> known.seen().version(), () -> {
            var reading = PodReader.read(object);
            say(LogKeys.POD, label(object), reading.complaints());
            return reading;
        });
    }

    Optional<NodeObserved> node(JsonNode object, Optional<NodeObserved> previous) {
        return guarded(LogKeys.NODE, object, previous, NodeObserved::version, () -> {
            var seen = NodeReader.read(object);
            say(LogKeys.NODE, label(object), List.of());
            return seen;
        });
    }

    Optional<MigrationObserved> migration(JsonNode object, Optional<MigrationObserved> previous) {
        return guarded(MIGRATION, object, previous, MigrationObserved::version, () -> {
            var seen = MigrationReader.read(object);
            say(MIGRATION, label(object), List.of());
            return seen;
        });
    }

    /** What was read of the same version without a complaint is the same fact, and one is kept. */
    private <T> Optional<T> guarded(
            String kind, JsonNode object, Optional<T> previous, ToLongFunction<T> version, Supplier<T> read) {
        try {
            boolean known = previous.filter(fact -> version.applyAsLong(fact) == NodeReader.version(object))
                    .isPresent();
            return known && !said.containsKey(key(kind, label(object))) ? previous : Optional.of(read.get());
        } catch (RuntimeException unreadable) {
            say(kind, label(object), List.of(String.valueOf(unreadable.getMessage())));
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

    private void say(String kind, String name, List<String> complaints) {
        var key = key(kind, name);
        if (complaints.isEmpty()) {
            said.remove(key);
            return;
        }
        var words = String.join("; ", complaints);
        unreadable(kind).increment();
        if (!words.equals(said.put(key, words))) {
            LOG.atWarn()
                    .addKeyValue(kind.equals(MIGRATION) ? LogKeys.KIND : kind, kind.equals(MIGRATION) ? key : name)
                    .addKeyValue(LogKeys.REASON, words)
                    .log("Not everything of an object could be read; what was last read of it stays.");
        }
        if (said.size() > SAID_MAX) {
            said.clear();
        }
    }

    private Counter unreadable(String kind) {
        return Counter.builder("sluice.cluster.unreadable")
                .description("Objects of which something could not be read")
                .tag("kind", kind)
                .register(meters);
    }
}
