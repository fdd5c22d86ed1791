package io.sluice.neonvm.core;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSeen;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.neonvm.ClusterConfig;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import io.sluice.units.VmId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads VirtualMachine objects. Unknown fields are ignored; an annotation that is no good costs that annotation alone,
 * and what was last read of it stays.
 */
public final class VmReader {
    private final ClusterConfig config;

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
    public record Reading(VmSeen seen, List<String> complaints) {
        public Reading {
            complaints = List.copyOf(complaints);
        }
    }

    /** The id of a VM object. */
    public static VmId id(JsonNode vm) {
        var metadata = vm.path("metadata");
        return new VmId(
                NeonVmKeys.DRIVER,
                Json.text(metadata, "namespace"),
                Json.text(metadata, "name"),
                Json.text(metadata, "uid"));
    }

    /** The version of a VM object. */
    public static long version(JsonNode vm) {
        return Json.version(vm);
    }

    /** The name of the pod that a VM runs in; empty while it runs in none. */
    public static String podName(JsonNode vm) {
        return vm.path("status").path("podName").asText("");
    }

    /** The fence that stands on a VM; empty while nobody has claimed it. */
    public static String fence(JsonNode vm) {
        return Json.metadata(vm, "annotations", NeonVmKeys.FENCE);
    }

    /** What was last approved for a VM, by its annotation. One that is no good says nothing. */
    public static Optional<Resources> approved(JsonNode vm) {
        return approved(vm, new ArrayList<>());
    }

    /**
     * Reads one VM.
     *
     * @param previous what was last read of it
     * @throws IllegalArgumentException when the object has no identity or no sizes
     */
    public Reading read(JsonNode vm, Optional<VmSeen> previous) {
        var complaints = new ArrayList<String>();
        var sized = VmSizeReader.read(vm, previous.map(VmSeen::sizes));
        sized.complaint().ifPresent(complaints::add);
        var status = vm.path("status");
        var ip = status.path("podIP").asText("");
        var seen = new VmSeen(
                id(vm),
                version(vm),
                "",
                podName(vm),
                status.path("node").asText(""),
                phase(status.path("phase").asText("")),
                labelled(vm, NeonVmKeys.ENABLED)
                        && config.schedulerName()
                                .equals(vm.path("spec").path("schedulerName").asText("")),
                labelled(vm, NeonVmKeys.MIGRATABLE) || labelled(vm, NeonVmKeys.ALWAYS_MIGRATE),
                labelled(vm, NeonVmKeys.ALWAYS_MIGRATE),
                sized.sizes(),
                guarded(
                        "spec.overcommit",
                        complaints,
                        previous.map(VmSeen::overcommit).orElse(Overcommit.OFF),
                        () -> overcommit(vm)),
                guarded(
                        NeonVmKeys.CONFIG,
                        complaints,
                        previous.map(VmSeen::overrides).orElse(ScalingOverrides.NONE),
                        () -> OverridesReader.read(Json.metadata(vm, "annotations", NeonVmKeys.CONFIG))),
                currentRevision(status),
                approved(vm, complaints),
                fence(vm),
                endpoint(
                        vm,
                        NeonVmKeys.METRICS,
                        new Endpoint(ip, config.metricsPort(), config.metricsPath()),
                        complaints),
                Optional.empty(),
                endpoint(
                        vm,
                        NeonVmKeys.MONITOR,
                        new Endpoint(ip, config.monitorPort(), config.monitorPath()),
                        complaints),
                VmTraits.NONE);
        return new Reading(seen, complaints);
    }

    /** The same fact with the uid of the pod that the VM runs in. */
    public static VmSeen inPod(VmSeen vm, String pod) {
        return new VmSeen(
                vm.vm(),
                vm.version(),
                pod,
                vm.podName(),
                vm.node(),
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

    private static boolean labelled(JsonNode vm, String label) {
        return NeonVmKeys.TRUE.equals(Json.metadata(vm, "labels", label));
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

    private static Overcommit overcommit(JsonNode vm) {
        var factors = vm.path("spec").path("overcommit");
        Function<String, Long> milli = kind -> factors.hasNonNull(kind) ? Json.milliCpu(factors, kind) : 1000L;
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

    private static Optional<Resources> approved(JsonNode vm, List<String> complaints) {
        var text = Json.metadata(vm, "annotations", NeonVmKeys.APPROVED);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        return guarded(NeonVmKeys.APPROVED, complaints, Optional.empty(), () -> {
            var json = Json.parse("the annotation", text);
            return Optional.of(new Resources(Json.milliCpu(json, "vCPUs"), Json.bytes(json, "mem")));
        });
    }

    /** An annotation may name another port, and another path behind it: {@code 9101} or {@code 9101/stats}. */
    private static Optional<Endpoint> endpoint(JsonNode vm, String key, Endpoint usual, List<String> complaints) {
        if (usual.host().isEmpty()) {
            return Optional.empty();
        }
        var text = Json.metadata(vm, "annotations", key);
        return Optional.of(
                text.isEmpty()
                        ? usual
                        : guarded(key, complaints, usual, () -> {
                            int slash = text.indexOf('/');
                            var port = slash < 0 ? text : text.substring(0, slash);
                            var path = slash < 0 ? usual.path() : text.substring(slash);
                            return new Endpoint(usual.host(), Integer.parseInt(port), path);
                        }));
    }

    private static <T> T guarded(String what, List<String> complaints, T otherwise, Supplier<T> read) {
        try {
            return read.get();
        } catch (IllegalArgumentException noGood) {
            complaints.add(what + ": " + noGood.getMessage());
            return otherwise;
        }
    }
}
