package io.sluice.neonvm.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.messages.vm.PatchVm;
import io.sluice.shell.Quantities;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Writes JSON Patches for VirtualMachine objects. Each tests first that the object is the one meant and that nobody
 * else has claimed it; values are set by {@code add}, which is right whether or not they are there.
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
        var ops = Json.MAPPER.createArrayNode();
        testUid(ops, patch.vm().uid());
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
        var ops = Json.MAPPER.createArrayNode();
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
