package io.sluice.neonvm.core;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.neonvm.ClusterConfig;
import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import io.sluice.units.VmId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads VirtualMachine objects. Unknown fields are ignored; an annotation that is no good costs that annotation alone:
 * what was last good of it stays, as this remembers.
 */
public final class VmReader {
    private final ClusterConfig config;
    private final Map<String, LastValidAnnotations> good = new HashMap<>();

    /** @param config which scheduler is ours, and where VMs answer unless they say otherwise */
    public VmReader(ClusterConfig config) {
        this.config = config;
    }

    /**
     * A VM as it was read.
     *
     * @param seen the fact, with no pod yet
     * @param complaints one sentence for each annotation that was no good
     */
    public record Reading(VmObserved seen, List<String> complaints) {
        public Reading {
            complaints = List.copyOf(complaints);
        }
    }

    /** The id of a VM object. */
    public static VmId id(JsonNode vm) {
        var metadata = vm.path("metadata");
        return new VmId(
                NeonVmKeys.DRIVER,
                KubernetesJson.text(metadata, "namespace"),
                KubernetesJson.text(metadata, "name"),
                KubernetesJson.text(metadata, "uid"));
    }

    /** The version of a VM object. */
    public static long version(JsonNode vm) {
        return KubernetesJson.version(vm);
    }

    /** The name of the pod that a VM runs in; empty while it runs in none. */
    public static String podName(JsonNode vm) {
        return vm.path("status").path("podName").asText("");
    }

    /** The node that a VM says that it runs on; empty while it runs on none. */
    public static String node(JsonNode vm) {
        return vm.path("status").path("node").asText("");
    }

    /** The fence that stands on a VM; empty while nobody has claimed it. */
    public static String fence(JsonNode vm) {
        return KubernetesJson.metadata(vm, "annotations", NeonVmKeys.FENCE);
    }

    /**
     * What was last approved for a VM, by its annotation, up to its spec's maximum. One that is no good says nothing.
     */
    public static Optional<Resources> approved(JsonNode vm) {
        return approved(vm, new Annotations(LastValidAnnotations.NONE));
    }

    /**
     * Reads one VM.
     *
     * @throws IllegalArgumentException when the object has no identity or no sizes
     */
    public Reading read(JsonNode vm) {
        var id = id(vm);
        var known = good.getOrDefault(id.uid(), LastValidAnnotations.NONE);
        var annotations = new Annotations(known);
        var seen = read(vm, annotations);
        // A listing may show an object as it was before a change that was heard of meanwhile.
        if (seen.version() >= known.version()) {
            good.put(id.uid(), annotations.good(seen.version()));
        }
        return new Reading(seen, annotations.complaints());
    }

    /** Forgets what was good of all VMs but these. */
    public void keepOnly(Set<String> uids) {
        good.keySet().retainAll(uids);
    }

    private VmObserved read(JsonNode vm, Annotations annotations) {
        var status = vm.path("status");
        var ip = status.path("podIP").asText("");
        boolean alwaysMigrate = config.testingLabels() && labelled(vm, NeonVmKeys.ALWAYS_MIGRATE);
        var sizes = VmSizeReader.read(vm, annotations);
        var overcommit = overcommit(vm, annotations);
        var overrides = annotations.read(
                NeonVmKeys.CONFIG,
                KubernetesJson.metadata(vm, "annotations", NeonVmKeys.CONFIG),
                OverridesReader::read);
        var approved = approved(vm, annotations);
        var metrics = new Endpoint(ip, config.metricsPort(), config.metricsPath());
        var fileCache = new Endpoint(ip, config.lfcPort(), config.lfcPath());
        var monitor = new Endpoint(ip, config.monitorPort(), config.monitorPath());
        return new VmObserved(
                id(vm),
                version(vm),
                "",
                podName(vm),
                node(vm),
                phase(status.path("phase").asText("")),
                autoscaled(vm),
                labelled(vm, NeonVmKeys.MIGRATABLE) || alwaysMigrate,
                alwaysMigrate,
                sizes,
                overcommit,
                overrides,
                currentRevision(status),
                approved,
                fence(vm),
                EndpointReader.read(vm, NeonVmKeys.METRICS, metrics, annotations),
                EndpointReader.read(vm, NeonVmKeys.FILE_CACHE, fileCache, annotations),
                EndpointReader.read(vm, NeonVmKeys.MONITOR, monitor, annotations),
                TraitsReader.read(vm, annotations.complaints()));
    }

    /**
     * The same fact with the pod that the VM runs in, and the node of that pod: the object may name the pod that the VM
     * was moved to before it names its node.
     */
    static VmObserved inPod(VmObserved vm, String pod, String node) {
        return new VmObserved(
                vm.vm(),
                vm.version(),
                pod,
                vm.podName(),
                node,
                vm.phase(),
                vm.autoscaled(),
                vm.migratable(),
                vm.alwaysMigrate(),
                vm.sizes(),
                vm.overcommit(),
                vm.overrides(),
                vm.currentRevision(),
                vm.approved(),
                vm.fence(),
                vm.metrics(),
                vm.fileCache(),
                vm.monitor(),
                vm.traits());
    }

    /** The larger of what a VM is, was told to be and was approved for. */
    public static Resources largest(VmSizes sizes, Optional<Resources> approved) {
        return approved.map(sizes.inUse()::max).orElse(sizes.inUse());
    }

    private boolean autoscaled(JsonNode vm) {
        var scheduler = vm.path("spec").path("schedulerName").asText("");
        return labelled(vm, NeonVmKeys.ENABLED) && config.schedulerName().equals(scheduler);
    }

    private static VmPhase phase(String phase) {
        return switch (phase) {
            case "Running" -> VmPhase.RUNNING;
            case "Scaling" -> VmPhase.SCALING;
            case "PreMigrating" -> VmPhase.PRE_MIGRATING;
            case "Migrating" -> VmPhase.MIGRATING;
            case "Succeeded", "Failed" -> VmPhase.ENDED;
            default -> VmPhase.PENDING;
        };
    }

    private static boolean labelled(JsonNode vm, String label) {
        return NeonVmKeys.TRUE.equals(KubernetesJson.metadata(vm, "labels", label));
    }

    private static Overcommit overcommit(JsonNode vm, Annotations annotations) {
        var written = vm.path("spec").path("overcommit");
        var text = written.isMissingNode() || written.isNull() ? "" : written.toString();
        return annotations.read("spec.overcommit", text, VmReader::overcommit);
    }

    private static Overcommit overcommit(String text) {
        if (text.isEmpty()) {
            return Overcommit.OFF;
        }
        var factors = KubernetesJson.parse("spec.overcommit", text);
        Function<String, Long> milli =
                kind -> factors.hasNonNull(kind) ? KubernetesJson.milliCpu(factors, kind) : 1000L;
        return new Overcommit(milli.apply("cpu"), milli.apply("memory"));
    }

    /**
     * Whether the driver has nothing left to do: it has shown the goal that the VM was told last, and the VM is what it
     * was told to be, where a CPU that is plugged whole stands for any part of it.
     */
    public static boolean isSettled(JsonNode vm, VmSizes sizes) {
        var told = sizes.spec();
        var whole = new Resources(Math.ceilDiv(told.milliCpu(), 1_000) * 1_000, told.memoryBytes());
        return sizes.status().filter(is -> is.equals(told) || is.equals(whole)).isPresent()
                && currentRevision(vm.path("status")).equals(targetRevision(vm));
    }

    /** The goal that a VM was told last, whether it has reached it or not. */
    public static Optional<Revision> targetRevision(JsonNode vm) {
        return revision(vm.path("spec").path("targetRevision"));
    }

    private static Optional<Revision> currentRevision(JsonNode status) {
        return revision(status.path("currentRevision"));
    }

    private static Optional<Revision> revision(JsonNode stamped) {
        var revision = stamped.path("revision");
        return revision.isObject()
                ? Optional.of(new Revision(
                        revision.path("value").asLong(), revision.path("flags").asLong()))
                : Optional.empty();
    }

    private static Optional<Resources> approved(JsonNode vm, Annotations annotations) {
        var text = KubernetesJson.metadata(vm, "annotations", NeonVmKeys.APPROVED);
        var written = annotations.read(NeonVmKeys.APPROVED, text, VmReader::approved);
        var most = VmSizeReader.specBounds(vm).max();
        if (written.filter(amount -> amount.exceeds(most)).isPresent()) {
            annotations.capped(
                    NeonVmKeys.APPROVED, Quantities.text(written.get().min(most)));
        }
        return written.map(most::min);
    }

    private static Optional<Resources> approved(String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        var json = KubernetesJson.parse("the annotation", text);
        return Optional.of(new Resources(KubernetesJson.milliCpu(json, "vCPUs"), KubernetesJson.bytes(json, "mem")));
    }
}
