package io.sluice.devices;

import io.sluice.devices.GpuRequest.Amounts;
import io.sluice.devices.GpuRequest.Selector;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The resource names by which containers request GPUs, of all families, and the annotations that select devices. Sizes
 * of families differ: MiB, GiB or bytes, of each device or of all together.
 */
public final class GpuNames {
    private static final String SLUICE = "autoscaling.sluice.io";
    private static final String ALNAIR = "alnair";
    private static final String KOORDINATOR = "koordinator.sh";
    private static final String VOLCANO = "volcano.sh";
    private static final long MIB = 1 << 20;
    private static final int HUNDRED = 100;

    private static final Map<String, String> FAMILIES = Map.ofEntries(
            Map.entry(SLUICE + "/gpu-memory", SLUICE),
            Map.entry(SLUICE + "/gpu-core", SLUICE),
            Map.entry(SLUICE + "/gpu-count", SLUICE),
            Map.entry("alnair/vgpu-memory", ALNAIR),
            Map.entry("alnair/vgpu-compute", ALNAIR),
            Map.entry(NodeDevices.WHOLE_DEVICES, GpuRequest.NVIDIA),
            Map.entry("nvidia.com/gpumem", GpuRequest.NVIDIA),
            Map.entry("nvidia.com/gpumem-percentage", GpuRequest.NVIDIA),
            Map.entry("nvidia.com/gpucores", GpuRequest.NVIDIA),
            Map.entry("koordinator.sh/gpu-memory", KOORDINATOR),
            Map.entry("koordinator.sh/gpu-core", KOORDINATOR),
            Map.entry("koordinator.sh/gpu-memory-ratio", KOORDINATOR),
            Map.entry("koordinator.sh/gpu.shared", KOORDINATOR),
            Map.entry("volcano.sh/vgpu-memory", VOLCANO),
            Map.entry("volcano.sh/vgpu-cores", VOLCANO),
            Map.entry("volcano.sh/vgpu-number", VOLCANO));

    private GpuNames() {}

    /** Whether a resource is a GPU, or an amount of one. */
    public static boolean isGpu(String resource) {
        return FAMILIES.containsKey(resource);
    }

    /** The families of which a container names resources, when there are several; empty otherwise. */
    public static Optional<String> ambiguous(Map<String, Long> resources) {
        var families = families(resources);
        return families.size() > 1 ? Optional.of(String.join(" and ", families)) : Optional.empty();
    }

    private static TreeSet<String> families(Map<String, Long> resources) {
        return resources.entrySet().stream()
                .filter(resource -> resource.getValue() > 0)
                .map(resource -> FAMILIES.get(resource.getKey()))
                .filter(family -> family != null)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * What a container requests; empty if no GPU, or if it is {@link #ambiguous}.
     *
     * @param container its number
     * @param resources its resources, in their own units
     * @param selector which devices its pod may have
     */
    public static Optional<GpuRequest> read(int container, Map<String, Long> resources, Selector selector) {
        var families = families(resources);
        if (families.size() != 1) {
            return Optional.empty();
        }
        var family = families.first();
        return Optional.of(
                switch (family) {
                    case SLUICE ->
                        request(container, family, selector, resources, "gpu-count", "gpu-memory", "gpu-core");
                    case VOLCANO ->
                        request(container, family, selector, resources, "vgpu-number", "vgpu-memory", "vgpu-cores");
                    case ALNAIR ->
                        new GpuRequest(
                                container,
                                family,
                                1,
                                Amounts.share(1024 * of(resources, "alnair/vgpu-memory"), (int)
                                        of(resources, "alnair/vgpu-compute")),
                                selector);
                    case KOORDINATOR -> koordinator(container, resources, selector);
                    default -> nvidia(container, resources, selector);
                });
    }

    private static long of(Map<String, Long> resources, String name) {
        return resources.getOrDefault(name, 0L);
    }

    private static GpuRequest request(
            int container,
            String family,
            Selector selector,
            Map<String, Long> resources,
            String count,
            String memory,
            String core) {
        long memoryMiB = of(resources, family + "/" + memory);
        int percent = (int) of(resources, family + "/" + core);
        return new GpuRequest(
                container,
                family,
                (int) Math.max(1, of(resources, family + "/" + count)),
                memoryMiB == 0 && percent == 0 ? Amounts.WHOLE : Amounts.share(memoryMiB, percent),
                selector);
    }

    /** By its own name alone it is whole devices; with the others, which HAMi reads, shares of them. */
    private static GpuRequest nvidia(int container, Map<String, Long> resources, Selector selector) {
        long memoryMiB = of(resources, "nvidia.com/gpumem");
        int percent = (int) Math.min(HUNDRED, of(resources, "nvidia.com/gpumem-percentage"));
        int core = (int) of(resources, "nvidia.com/gpucores");
        boolean share = memoryMiB > 0 || percent > 0 || core > 0;
        // Who limits the compute alone gets all of the memory.
        int ofMemory = memoryMiB > 0 ? 0 : percent > 0 ? percent : HUNDRED;
        return new GpuRequest(
                container,
                GpuRequest.NVIDIA,
                (int) Math.max(1, of(resources, NodeDevices.WHOLE_DEVICES)),
                share ? new Amounts(memoryMiB, ofMemory, core, false) : Amounts.WHOLE,
                selector);
    }

    /** Its amounts are of all devices together. More than one device without a number of them is whole devices. */
    private static GpuRequest koordinator(int container, Map<String, Long> resources, Selector selector) {
        long bytes = of(resources, "koordinator.sh/gpu-memory");
        long ratio = of(resources, "koordinator.sh/gpu-memory-ratio");
        long core = of(resources, "koordinator.sh/gpu-core");
        long shared = of(resources, "koordinator.sh/gpu.shared");
        long devices = shared > 0 ? shared : Math.max(1, Math.max(ratio, core) / HUNDRED);
        long eachRatio = Math.min(HUNDRED, ratio / devices);
        long eachCore = Math.min(HUNDRED, core / devices);
        boolean whole = bytes == 0 && (eachRatio == HUNDRED && eachCore >= HUNDRED || ratio == 0 && core == 0);
        return new GpuRequest(
                container,
                KOORDINATOR,
                (int) devices,
                whole
                        ? Amounts.WHOLE
                        : new Amounts(bytes / MIB / devices, bytes > 0 ? 0 : (int) eachRatio, (int) eachCore, false),
                selector);
    }

    /**
     * Which devices the annotations of a pod select.
     *
     * @throws IllegalArgumentException if one has no meaning
     */
    public static Selector selector(Map<String, String> annotations) {
        var scope = annotations.getOrDefault(SLUICE + "/gpu-scope", "").toUpperCase(Locale.ROOT);
        return new Selector(
                parts(annotations, SLUICE + "/gpu-models", "nvidia.com/use-gputype"),
                parts(annotations, SLUICE + "/gpu-not-models", "nvidia.com/nouse-gputype"),
                scope.isEmpty() ? GpuScope.NODE : GpuScope.valueOf(scope),
                Boolean.parseBoolean(annotations.get(SLUICE + "/gpu-scope-required")),
                "SPREAD".equalsIgnoreCase(annotations.get(SLUICE + "/gpu-policy")));
    }

    private static List<String> parts(Map<String, String> annotations, String own, String hami) {
        var text = annotations.getOrDefault(own, annotations.getOrDefault(hami, ""));
        return Arrays.stream(text.split("[,|]"))
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .toList();
    }
}
