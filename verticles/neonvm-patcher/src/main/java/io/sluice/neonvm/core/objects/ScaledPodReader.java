package io.sluice.neonvm.core.objects;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.shell.pods.PodBounds;
import io.sluice.shell.pods.PodLimit;
import io.sluice.shell.pods.PodOptions;
import io.sluice.shell.pods.PodStart;
import io.sluice.shell.pods.ScaledPod;
import io.sluice.units.ScaledPodKeys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads pods that are labelled for scaling as VMs whose driver resizes them in place. An invalid annotation affects
 * itself alone, as with VMs. Without valid bounds a pod keeps its size.
 */
public final class ScaledPodReader {
    private static final int KUBELET_PORT = 10_250;

    private final Map<String, LastValidAnnotations> good = new HashMap<>();

    /**
     * What is read of a pod; empty if it takes no room, or is not labelled.
     *
     * @param known whether it was labelled before, and is to be read anyway
     */
    public Optional<VmObserved> read(JsonNode pod, boolean known) {
        if (!known && !ScaledPod.isMeant(pod) && !wasScaled(pod) || !PodReader.counts(pod)) {
            return Optional.empty();
        }
        var uid = pod.path("metadata").path("uid").asText();
        var before = good.getOrDefault(uid, LastValidAnnotations.NONE);
        var annotations = new Annotations(before);
        var observed = observed(pod, annotations);
        if (observed.version() >= before.version()) {
            good.put(uid, annotations.good(observed.version()));
        }
        return Optional.of(observed);
    }

    /** Whether a runner has claimed the pod. NeonVM's runner pods may have the annotations of their VMs. */
    private static boolean wasScaled(JsonNode pod) {
        return !text(pod, ScaledPodKeys.FENCE).isEmpty()
                && KubernetesJson.metadata(pod, "labels", NeonVmKeys.POD_VM_NAME)
                        .isEmpty();
    }

    /** Drops what is kept of all pods except these. */
    public void keepOnly(Set<String> uids) {
        good.keySet().retainAll(uids);
    }

    private static VmObserved observed(JsonNode json, Annotations annotations) {
        var options = annotations.read(ScaledPodKeys.CONFIG, text(json, ScaledPodKeys.CONFIG), PodOptions::of);
        var pod = new ScaledPod(json, options);
        var overrides = annotations.read(ScaledPodKeys.CONFIG, text(json, ScaledPodKeys.CONFIG), OverridesReader::read);
        var obstacles = pod.obstacles();
        var sizes = sizes(pod, annotations);
        var endpoint =
                new Endpoint(json.path("status").path("hostIP").asText(""), KUBELET_PORT, ScaledPodKeys.SAMPLES_PATH);
        var monitor = annotations.read(ScaledPodKeys.MONITOR, text(json, ScaledPodKeys.MONITOR), pod::monitor);
        var complaints = new ArrayList<>(obstacles);
        complaints.addAll(annotations.complaints());
        limit(pod).ifPresent(limit -> complaints.add(limit.reason()));
        var id = pod.id();
        return new VmObserved(
                id,
                KubernetesJson.version(json),
                id.uid(),
                id.name(),
                json.path("spec").path("nodeName").asText(),
                phase(pod),
                ScaledPod.isMeant(json) && obstacles.isEmpty(),
                false,
                false,
                sizes,
                Overcommit.OFF,
                overrides,
                pod.reached(),
                Optional.empty(),
                pod.fence(),
                Optional.of(endpoint),
                Optional.empty(),
                // Without a monitor of its own, its driver stands for one.
                monitor.or(() -> Optional.of(endpoint)),
                traits(json, pod, sizes, complaints),
                pod.deferred());
    }

    private static String text(JsonNode pod, String annotation) {
        return KubernetesJson.metadata(pod, "annotations", annotation);
    }

    /**
     * The bounds, from what the pod begins with and below what was last refused; never below what the pod has, which
     * cannot be taken by a bound.
     */
    private static VmSizes sizes(ScaledPod pod, Annotations annotations) {
        var now = pod.sized();
        var own = new PodBounds(now, now);
        var written = annotations.read(
                ScaledPodKeys.BOUNDS,
                pod.annotation(ScaledPodKeys.BOUNDS),
                text -> text.isEmpty() ? own : PodBounds.of(text));
        var bounds = pod.bounds(written);
        var max = limit(pod).map(limit -> bounds.max().min(limit.most())).orElse(bounds.max());
        var least = PodStart.of(pod.annotation(ScaledPodKeys.START)).map(PodStart::least);
        var min = least.map(bounds.min()::max).orElse(bounds.min());
        return new VmSizes(min.min(max), max, pod.spec(), pod.status(), 1);
    }

    private static Optional<PodLimit> limit(ScaledPod pod) {
        return PodLimit.of(pod.annotation(ScaledPodKeys.LIMIT));
    }

    private static VmPhase phase(ScaledPod pod) {
        if (pod.isDeleted()) {
            return VmPhase.ENDED;
        }
        if (!pod.runs()) {
            return VmPhase.PENDING;
        }
        return pod.isAccepted() ? VmPhase.RUNNING : VmPhase.SCALING;
    }

    private static VmTraits traits(JsonNode json, ScaledPod pod, VmSizes sizes, List<String> complaints) {
        var billedTo = json.path("metadata").path("annotations").path(ScaledPodKeys.BILLED_TO);
        return new VmTraits(
                        "",
                        "",
                        pod.containerStatus()
                                .map(found -> found.path("restartCount").asLong())
                                .orElse(0L),
                        "",
                        sizes.min(),
                        sizes.max(),
                        complaints.subList(0, Math.min(complaints.size(), VmTraits.COMPLAINTS_MAX)))
                .billed(
                        Optional.of(billedTo).filter(JsonNode::isTextual).map(JsonNode::textValue),
                        KubernetesJson.changedAtSeconds(json));
    }
}
