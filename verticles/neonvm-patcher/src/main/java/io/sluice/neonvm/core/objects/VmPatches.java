package io.sluice.neonvm.core.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.messages.vm.PatchVm;
import io.sluice.neonvm.core.Approvals;
import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Writes patches for VirtualMachine objects. A JSON Patch first tests that the object is the one meant, that it runs in
 * the expected pod, and that no other session has claimed it. Values are set by {@code add}, which works whether or not
 * they exist.
 */
public final class VmPatches {
    private static final String ANNOTATIONS = "/metadata/annotations";
    private static final String FENCE = ANNOTATIONS + "/" + escaped(NeonVmKeys.FENCE);

    private VmPatches() {}

    /**
     * A new size.
     *
     * @param amounts written to the annotations with it; empty if they are not to be written
     * @param slot the VM's memory slots as last read; the patch fails if they differ by now
     * @param updatedAt when the goal was set; written in whole seconds
     * @throws IllegalArgumentException if the target is not a whole number of slots
     */
    public static String resize(
            PatchVm patch, Optional<Approvals.Amounts> amounts, VmSizeReader.Slot slot, Instant updatedAt) {
        long memory = patch.target().memoryBytes();
        if (memory == 0 || memory % slot.bytes() != 0) {
            throw new IllegalArgumentException(
                    "target memory of " + memory + " B must be a whole number of slots of " + slot.bytes() + " B");
        }
        var ops = KubernetesJson.MAPPER.createArrayNode();
        testUid(ops, patch.vm().uid());
        // The patch does not change the status, but its tests may read it.
        if (!patch.podName().isEmpty()) {
            op(ops, "test", "/status/podName").put("value", patch.podName());
        }
        op(ops, "test", FENCE).put("value", patch.fence());
        op(ops, "test", "/spec/guest/memorySlotSize").set("value", slot.written());
        op(ops, "add", FENCE).put("value", patch.nextFence());
        op(ops, "add", "/spec/guest/cpus/use")
                .put("value", Quantities.cpuText(patch.target().milliCpu()));
        op(ops, "add", "/spec/guest/memorySlots/use").put("value", memory / slot.bytes());
        var revision = op(ops, "add", "/spec/targetRevision").putObject("value");
        revision.putObject("revision")
                .put("value", patch.revision().value())
                .put("flags", patch.revision().flags());
        revision.put("updatedAt", updatedAt.truncatedTo(ChronoUnit.SECONDS).toString());
        amounts.ifPresent(carried -> annotations(carried)
                .forEach((key, value) ->
                        op(ops, "add", ANNOTATIONS + "/" + escaped(key)).put("value", value)));
        return ops.toString();
    }

    /**
     * A new fence in place of the one that was read, whatever its session is.
     *
     * @param read the object as it was read; if its fence has changed since, the patch fails
     */
    public static String claim(JsonNode read, String fence) {
        var ops = KubernetesJson.MAPPER.createArrayNode();
        testUid(ops, VmReader.id(read).uid());
        if (!read.path("metadata").path("annotations").isObject()) {
            op(ops, "test", ANNOTATIONS).putNull("value");
            op(ops, "add", ANNOTATIONS).putObject("value");
        } else if (VmReader.fence(read).isEmpty()) {
            op(ops, "test", FENCE).putNull("value");
        } else {
            op(ops, "test", FENCE).put("value", VmReader.fence(read));
        }
        op(ops, "add", FENCE).put("value", fence);
        return ops.toString();
    }

    /**
     * A merge patch that writes the approved amounts of a VM. It tests neither fence nor version, so it may pass
     * between any two patches of sizes. It fails only if the VM of that name has another uid.
     */
    public static String approved(String uid, Approvals.Amounts amounts) {
        var metadata = KubernetesJson.MAPPER.createObjectNode();
        var annotations = metadata.putObject("metadata").put("uid", uid).putObject("annotations");
        annotations(amounts).forEach(annotations::put);
        return metadata.toString();
    }

    private static Map<String, String> annotations(Approvals.Amounts amounts) {
        var annotations = new LinkedHashMap<String, String>();
        amounts.unit().ifPresent(unit -> annotations.put(NeonVmKeys.SCALING_UNIT, text(unit)));
        amounts.requested().ifPresent(requested -> annotations.put(NeonVmKeys.REQUESTED, text(requested)));
        annotations.put(NeonVmKeys.APPROVED, text(amounts.approved()));
        return annotations;
    }

    /** The format of the annotations: a whole number of CPUs is a number. */
    private static String text(Resources amounts) {
        var json = KubernetesJson.MAPPER.createObjectNode();
        if (amounts.milliCpu() % 1_000 == 0) {
            json.put("vCPUs", amounts.milliCpu() / 1_000);
        } else {
            json.put("vCPUs", Quantities.cpuText(amounts.milliCpu()));
        }
        return json.put("mem", Quantities.memoryText(amounts.memoryBytes())).toString();
    }

    private static void testUid(ArrayNode ops, String uid) {
        op(ops, "test", "/metadata/uid").put("value", uid);
    }

    private static ObjectNode op(ArrayNode ops, String op, String path) {
        return ops.addObject().put("op", op).put("path", path);
    }

    private static String escaped(String key) {
        return key.replace("~", "~0").replace("/", "~1");
    }
}
