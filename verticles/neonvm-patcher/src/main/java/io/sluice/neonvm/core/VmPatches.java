package io.sluice.neonvm.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.messages.vm.PatchVm;
import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Writes patches for VirtualMachine objects. A JSON Patch tests first that the object is the one meant, that it runs
 * where it did, and that nobody else has claimed it; values are set by {@code add}, which is right whether or not they
 * are there.
 */
public final class VmPatches {
    private static final String ANNOTATIONS = "/metadata/annotations";
    private static final String FENCE = ANNOTATIONS + "/" + escaped(NeonVmKeys.FENCE);

    private VmPatches() {}

    /**
     * A new size.
     *
     * @param slot the VM's memory slots as last read; the patch fails where they are others by now
     * @param updatedAt when the goal was set; written in whole seconds
     * @throws IllegalArgumentException when the target is no whole number of slots
     */
    public static String resize(PatchVm patch, VmSizeReader.Slot slot, Instant updatedAt) {
        long memory = patch.target().memoryBytes();
        if (memory == 0 || memory % slot.bytes() != 0) {
            throw new IllegalArgumentException(
                    "target memory of " + memory + " B must be a whole number of slots of " + slot.bytes() + " B");
        }
        var ops = KubernetesJson.MAPPER.createArrayNode();
        testUid(ops, patch.vm().uid());
        // The status is no part of what is patched here, and yet of the object that the tests are held against.
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
        return ops.toString();
    }

    /**
     * A new fence in place of the one that was read, whoever's it is.
     *
     * @param read the object as it was read: if its fence has changed since, the patch fails
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
     * A merge patch that writes down what was booked for a VM. It minds no fence and no version: it may pass between
     * any two patches of sizes, and only fails where the VM of that name is another one.
     */
    public static String approved(String uid, Approvals.Amounts amounts) {
        var metadata = KubernetesJson.MAPPER.createObjectNode();
        var annotations = metadata.putObject("metadata").put("uid", uid).putObject("annotations");
        amounts.unit().ifPresent(unit -> annotations.put(NeonVmKeys.SCALING_UNIT, text(unit)));
        amounts.requested().ifPresent(requested -> annotations.put(NeonVmKeys.REQUESTED, text(requested)));
        annotations.put(NeonVmKeys.APPROVED, text(amounts.approved()));
        return metadata.toString();
    }

    /** As the annotations have it: a whole number of CPUs is a number. */
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
