package io.sluice.neonvm.core.objects;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.neonvm.core.ClusterConfig;
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
 * Reads VirtualMachine objects. Unknown fields are ignored. An invalid annotation affects itself alone: its last valid
 * value, which this object stores, is used.
 */
public final class VmReader {
    private final ClusterConfig config;
    private final Map<String, LastValidAnnotations> good = new HashMap<>();

    /** @param config the scheduler name that counts, and the default ports and paths */
    public VmReader(ClusterConfig config) {
        this.config = config;
    }

    /**
     * A VM as it was read.
     *
     * @param observed the observation, without a pod yet
     * @param complaints one sentence for each invalid annotation
     */
    public record Reading(VmObserved observed, List<String> complaints) {
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

    /** The node in a VM's status; empty while it runs on none. */
    public static String node(JsonNode vm) {
        return vm.path("status").path("node").asText("");
    }

    /** The fence of a VM; empty while it was not claimed. */
    public static String fence(JsonNode vm) {
        return KubernetesJson.metadata(vm, "annotations", NeonVmKeys.FENCE);
    }

    /** The approved amount in a VM's annotation, up to its spec's maximum. Empty if it is invalid. */
    public static Optional<Resources> approved(JsonNode vm) {
        return approved(vm, new Annotations(LastValidAnnotations.NONE));
    }

    /**
     * Reads one VM.
     *
     * @throws IllegalArgumentException if the object has no identity or no sizes
     */
    public Reading read(JsonNode vm) {
        var id = id(vm);
        var known = good.getOrDefault(id.uid(), LastValidAnnotations.NONE);
        var annotations = new Annotations(known);
        var observed = read(vm, annotations);
        // A full list may contain an object as it was before a change that arrived earlier.
        if (observed.version() >= known.version()) {
            good.put(id.uid(), annotations.good(observed.version()));
        }
        return new Reading(observed, annotations.complaints());
    }

    /** Drops the last valid annotations of all VMs except these. */
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
     * The same observation with the pod in which the VM runs, and with the node of that pod: the object may name the
     * target pod before it names the target node.
     */
    public static VmObserved inPod(VmObserved vm, String pod, String node) {
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

    /** The largest of a VM's actual size, its size by the spec, and its approved amount. */
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
     * Whether the driver has nothing left to do: the status shows the last goal's revision, and the actual size is that
     * of the spec. A whole CPU that is plugged satisfies any part of it.
     */
    public static boolean isSettled(JsonNode vm, VmSizes sizes) {
        var reported = sizes.spec();
        var whole = new Resources(Math.ceilDiv(reported.milliCpu(), 1_000) * 1_000, reported.memoryBytes());
        return sizes.status()
                        .filter(is -> is.equals(reported) || is.equals(whole))
                        .isPresent()
                && currentRevision(vm.path("status")).equals(targetRevision(vm));
    }

    /** The revision of the last goal that was patched, whether it is reached or not. */
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
