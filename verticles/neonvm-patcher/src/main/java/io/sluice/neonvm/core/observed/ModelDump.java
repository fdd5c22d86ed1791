package io.sluice.neonvm.core.observed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.neonvm.core.objects.KubernetesJson;
import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Shows the model's objects to operators. A key is a kind and names, and ends with the object's id:
 * {@code pod/default/db-0/<uid>}.
 */
public final class ModelDump {
    private static final String COUNTS = "counts";
    private static final String NODE = "node/";
    private static final String POD = "pod/";
    private static final String VM = "vm/";
    private static final String MIGRATION = "migration/";

    private ModelDump() {}

    /** The keys of all objects, and of their counts. */
    public static List<String> keys(ClusterModel model) {
        var keys = new ArrayList<String>();
        keys.add(COUNTS);
        model.nodes().forEach(node -> keys.add(NODE + node.node()));
        model.pods().forEach(pod -> keys.add(POD + pod.namespace() + "/" + pod.name() + "/" + pod.uid()));
        model.vms().forEach(vm -> keys.add(VM + vm.vm().label() + "/" + vm.vm().uid()));
        model.migrations()
                .forEach(moving -> keys.add(MIGRATION + moving.namespace() + "/" + moving.name() + "/" + moving.uid()));
        return keys;
    }

    /** One object; null in JSON if it is gone. */
    public static JsonNode read(ClusterModel model, String key) {
        if (key.equals(COUNTS)) {
            return counts(model);
        }
        var id = key.substring(key.lastIndexOf('/') + 1);
        Optional<ObjectNode> found = Optional.empty();
        if (key.startsWith(NODE)) {
            found = model.node(id).map(ModelDump::node);
        } else if (key.startsWith(POD)) {
            found = model.podAsObserved(id).map(ModelDump::pod);
        } else if (key.startsWith(VM)) {
            found = model.vm(id).map(ModelDump::vm);
        } else if (key.startsWith(MIGRATION)) {
            found = model.migration(id).map(ModelDump::migration);
        }
        return found.<JsonNode>map(json -> json).orElse(NullNode.getInstance());
    }

    private static ObjectNode counts(ClusterModel model) {
        return json().put("nodes", model.nodes().size())
                .put("pods", model.pods().size())
                .put("vms", model.vms().size())
                .put("migrations", model.migrations().size());
    }

    private static ObjectNode node(NodeObserved node) {
        var json = json().put("version", node.version())
                .put("allocatable", text(node.allocatable()))
                .put("closed", node.closed());
        node.taints().forEach(json.putArray("taints")::add);
        return json;
    }

    private static ObjectNode pod(PodObserved pod) {
        return json().put("version", pod.version())
                .put("node", pod.node())
                .put("vm", pod.vmName())
                .put("migration", pod.migration())
                .put("amounts", text(pod.amounts()));
    }

    private static ObjectNode vm(VmObserved vm) {
        var json = json().put("version", vm.version())
                .put("phase", word(vm.phase()))
                .put("node", vm.node())
                .put("pod", vm.podName())
                .put("autoscaled", vm.autoscaled())
                .put("migratable", vm.migratable())
                .put("min", text(vm.sizes().min()))
                .put("max", text(vm.sizes().max()))
                .put("spec", text(vm.sizes().spec()))
                .put("status", text(vm.sizes().status()))
                .put("approved", text(vm.approved()))
                .put("fence", vm.fence());
        vm.traits().complaints().forEach(json.putArray("complaints")::add);
        return json;
    }

    private static ObjectNode migration(MigrationObserved migration) {
        return json().put("version", migration.version())
                .put("vm", migration.vmName())
                .put("phase", word(migration.phase()))
                .put("sourcePod", migration.sourcePod())
                .put("targetPod", migration.targetPod())
                .put("roomOn", migration.roomOn())
                .put("ours", migration.ours())
                .put("deleting", migration.deleting());
    }

    private static ObjectNode json() {
        return KubernetesJson.MAPPER.createObjectNode();
    }

    private static String word(Enum<?> phase) {
        return phase.name().toLowerCase(Locale.ROOT);
    }

    private static String text(Resources amounts) {
        return Quantities.text(amounts);
    }

    private static String text(Optional<Resources> amounts) {
        return amounts.map(Quantities::text).orElse("");
    }
}
