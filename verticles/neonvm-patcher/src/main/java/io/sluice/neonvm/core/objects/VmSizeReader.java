package io.sluice.neonvm.core.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import java.util.Optional;

/** Reads the actual size, the size by the spec, and the bounds of a VirtualMachine. */
public final class VmSizeReader {
    private static final long DEFAULT_SLOT_BYTES = 1L << 30;
    private static final long MILLI_CPU_MIN = 50;
    private static final long MILLI_CPU_MAX = 512_000;

    private VmSizeReader() {}

    /** The sizes of a VM; if the bounds in its annotation are invalid, those of its spec count. */
    public static VmSizes read(JsonNode vm) {
        return read(vm, new Annotations(LastValidAnnotations.NONE));
    }

    /**
     * The sizes of a VM, with the bounds of its annotation in place of those of its spec, up to the spec's maximum.
     *
     * @throws IllegalArgumentException if the spec has no valid sizes
     */
    static VmSizes read(JsonNode vm, Annotations annotations) {
        long slotBytes = slotBytes(vm);
        var inSpec = specBounds(vm);
        var use = specUse(vm);
        var annotation = KubernetesJson.metadata(vm, "annotations", NeonVmKeys.BOUNDS);
        var written = annotations.read(
                NeonVmKeys.BOUNDS, annotation, text -> text.isEmpty() ? inSpec : annotated(text, slotBytes));
        var bounds = new Bounds(written.min().min(inSpec.max()), written.max().min(inSpec.max()));
        if (!bounds.equals(written)) {
            annotations.capped(NeonVmKeys.BOUNDS, Quantities.text(bounds.max()));
        }
        return new VmSizes(bounds.min(), bounds.max(), use, status(vm), slotBytes);
    }

    /**
     * The memory slots of a VM.
     *
     * @param written the size of a slot as the object writes it; null in JSON if the object does not have it
     * @param bytes of one slot
     */
    public record Slot(JsonNode written, long bytes) {}

    /** The memory slots of a VM. */
    public static Slot slot(JsonNode vm) {
        var written = vm.path("spec").path("guest").path("memorySlotSize");
        return new Slot(written.isMissingNode() ? NullNode.getInstance() : written, slotBytes(vm));
    }

    private static long slotBytes(JsonNode vm) {
        var guest = vm.path("spec").path("guest");
        var slotBytes =
                guest.hasNonNull("memorySlotSize") ? KubernetesJson.bytes(guest, "memorySlotSize") : DEFAULT_SLOT_BYTES;
        if (slotBytes < 1) {
            throw new IllegalArgumentException("spec.guest.memorySlotSize must be above zero");
        }
        return slotBytes;
    }

    /** The size by the spec. */
    public static Resources specUse(JsonNode vm) {
        return specAmounts(vm.path("spec").path("guest"), "use", slotBytes(vm));
    }

    /** The least and the most that a VM may use. */
    record Bounds(Resources min, Resources max) {}

    /** The bounds by the spec, without the annotation. */
    static Bounds specBounds(JsonNode vm) {
        var guest = vm.path("spec").path("guest");
        long slotBytes = slotBytes(vm);
        return new Bounds(specAmounts(guest, "min", slotBytes), specAmounts(guest, "max", slotBytes));
    }

    private static Resources specAmounts(JsonNode guest, String which, long slotBytes) {
        try {
            long slots = KubernetesJson.count(guest.path("memorySlots"), which);
            return new Resources(
                    KubernetesJson.milliCpu(guest.path("cpus"), which), Math.multiplyExact(slots, slotBytes));
        } catch (ArithmeticException tooLarge) {
            throw new IllegalArgumentException("memorySlots." + which + " exceeds the range of 64 bits", tooLarge);
        }
    }

    private static Optional<Resources> status(JsonNode vm) {
        var status = vm.path("status");
        return status.hasNonNull("cpus") && status.hasNonNull("memorySize")
                ? Optional.of(new Resources(
                        KubernetesJson.milliCpu(status, "cpus"), KubernetesJson.bytes(status, "memorySize")))
                : Optional.empty();
    }

    private static Bounds annotated(String annotation, long slotBytes) {
        var json = KubernetesJson.parse("the annotation", annotation);
        var bounds = new Bounds(bound(json, "min"), bound(json, "max"));
        check(bounds.min(), "min", slotBytes);
        check(bounds.max(), "max", slotBytes);
        if (bounds.min().exceeds(bounds.max())) {
            throw new IllegalArgumentException("min must not be above max");
        }
        return bounds;
    }

    private static Resources bound(JsonNode json, String which) {
        try {
            var bound = json.path(which);
            return new Resources(KubernetesJson.milliCpu(bound, "cpu"), KubernetesJson.bytes(bound, "mem"));
        } catch (IllegalArgumentException noGood) {
            throw new IllegalArgumentException(which + "." + noGood.getMessage(), noGood);
        }
    }

    private static void check(Resources bound, String which, long slotBytes) {
        if (bound.milliCpu() < MILLI_CPU_MIN || bound.milliCpu() > MILLI_CPU_MAX) {
            throw new IllegalArgumentException(which + ".cpu must be from 50m to 512, not " + bound.milliCpu() + "m");
        }
        if (bound.memoryBytes() == 0 || bound.memoryBytes() % slotBytes != 0) {
            throw new IllegalArgumentException(which + ".mem must be a multiple of the slot size, above zero");
        }
    }
}
