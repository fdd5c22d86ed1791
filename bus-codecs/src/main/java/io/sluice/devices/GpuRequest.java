package io.sluice.devices;

import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * What one container requests of a node's GPUs.
 *
 * @param container its number among the pod's containers
 * @param family the prefix of the resource names by which it requests, such as {@code nvidia.com}
 * @param devices how many
 * @param each what of each
 * @param selector which ones
 */
public record GpuRequest(int container, String family, int devices, Amounts each, Selector selector) {
    /** The family of {@code nvidia.com/gpu}. */
    public static final String NVIDIA = "nvidia.com";

    private static final int PERCENT = 100;

    /**
     * What a request takes of a device.
     *
     * @param memoryMiB memory; 0 where {@code memoryPercent} counts, or none is requested
     * @param memoryPercent memory as a part of the device's; 0 where {@code memoryMiB} counts
     * @param core compute, in percent of a device
     * @param exclusive whether it takes the whole device
     */
    public record Amounts(long memoryMiB, int memoryPercent, int core, boolean exclusive) {
        /** A whole device. */
        public static final Amounts WHOLE = new Amounts(0, 0, 0, true);

        public Amounts {
            if (memoryMiB < 0 || memoryPercent < 0 || memoryPercent > PERCENT || core < 0) {
                throw new IllegalArgumentException("no request is for " + memoryMiB + " MiB, " + memoryPercent
                        + " % of the memory and " + core + " % of the compute");
            }
            if (!exclusive && memoryMiB == 0 && memoryPercent == 0 && core == 0) {
                throw new IllegalArgumentException("a request for nothing of a device is none");
            }
        }

        public static Amounts share(long memoryMiB, int core) {
            return new Amounts(memoryMiB, 0, core, false);
        }

        /** The memory that it takes of a device. */
        public long memoryOf(Device device) {
            if (exclusive) {
                return device.memoryMiB();
            }
            return memoryPercent > 0 ? device.memoryMiB() * memoryPercent / PERCENT : memoryMiB;
        }

        /** The compute that it takes of a device. */
        public int coreOf(Device device) {
            return exclusive ? device.core() : core;
        }
    }

    /**
     * Which devices a request may have, and which of them it prefers.
     *
     * @param models parts of the names of models of which one has to match; empty for any
     * @param notModels parts of the names of models of which none may match
     * @param scope how close together
     * @param scopeRequired whether devices that are further apart are refused
     * @param spread whether it prefers devices with much room; else those with little
     */
    public record Selector(
            List<String> models, List<String> notModels, GpuScope scope, boolean scopeRequired, boolean spread) {
        /** Any device, with as little room as possible. */
        public static final Selector ANY = new Selector(List.of(), List.of(), GpuScope.NODE, false, false);

        public Selector {
            models = List.copyOf(models);
            notModels = List.copyOf(notModels);
            Objects.requireNonNull(scope, "scope");
        }

        /** Whether it may have the device. */
        public boolean allows(Device device) {
            var model = device.model().toLowerCase(Locale.ROOT);
            return (models.isEmpty() || models.stream().anyMatch(part -> model.contains(part.toLowerCase(Locale.ROOT))))
                    && notModels.stream().noneMatch(part -> model.contains(part.toLowerCase(Locale.ROOT)));
        }

        public Selector within(GpuScope newScope, boolean required) {
            return new Selector(models, notModels, newScope, required, spread);
        }

        public Selector of(List<String> newModels) {
            return new Selector(newModels, notModels, scope, scopeRequired, spread);
        }
    }

    public GpuRequest {
        Objects.requireNonNull(family, "family");
        Objects.requireNonNull(each, "each");
        Objects.requireNonNull(selector, "selector");
        if (container < 0 || devices < 1) {
            throw new IllegalArgumentException("container " + container + " requests " + devices + " devices");
        }
    }

    /** Whether the kubelet can serve it: whole devices by its own resource name. */
    public boolean isWhole() {
        return each.exclusive() && family.equals(NVIDIA);
    }
}
