package io.sluice.neonvm.core.objects;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.vm.BindPod;
import io.sluice.messages.vm.ChooseVolume;
import io.sluice.messages.vm.PodBinding;
import io.sluice.neonvm.core.gpus.GpuObjects;

/** The Bindings of pods, and what a pod shows of them. */
public final class BindingObjects {
    private BindingObjects() {}

    /**
     * The Binding. The API server refuses it for a pod with another uid or another version, and writes its annotations
     * together with the node.
     *
     * @param nowSeconds since 1970
     */
    public static String create(BindPod request, long nowSeconds) {
        var object = KubernetesJson.MAPPER.createObjectNode();
        object.put("apiVersion", "v1").put("kind", "Binding");
        var metadata = object.putObject("metadata");
        metadata.put("name", request.name())
                .put("namespace", request.namespace())
                .put("uid", request.uid())
                .put("resourceVersion", Long.toString(request.version()));
        var annotations = GpuObjects.annotations(request.node(), request.gpus(), nowSeconds);
        if (!annotations.isEmpty()) {
            annotations.forEach(metadata.putObject("annotations")::put);
        }
        object.putObject("target").put("apiVersion", "v1").put("kind", "Node").put("name", request.node());
        return object.toString();
    }

    /**
     * The change of a pod that waits; the API server refuses it for a pod with another uid.
     *
     * @param value differs from the one before, or the pod keeps its version
     */
    public static String touch(String uid, String value) {
        var object = KubernetesJson.MAPPER.createObjectNode();
        object.putObject("metadata").put("uid", uid).putObject("annotations").put(NeonVmKeys.TOUCHED, value);
        return object.toString();
    }

    /** Whether the API server refused a touch because the pod of that name has another uid. */
    public static boolean isOfAnother(JsonNode refusal) {
        return refusal.path("details").path("causes").findValuesAsText("field").contains("metadata.uid");
    }

    /** The change of a claim whose volume is to be made for a node, which its provisioner waits for. */
    public static String selectNode(ChooseVolume choice) {
        var object = KubernetesJson.MAPPER.createObjectNode();
        object.putObject("metadata")
                .put("uid", choice.uid())
                .put("resourceVersion", Long.toString(choice.version()))
                .putObject("annotations")
                .put(NeonVmKeys.SELECTED_NODE, choice.node());
        return object.toString();
    }

    /** The change of a volume that is reserved for a claim; Kubernetes binds both then. */
    public static String reserve(ChooseVolume choice) {
        var object = KubernetesJson.MAPPER.createObjectNode();
        object.putObject("metadata").put("resourceVersion", Long.toString(choice.version()));
        object.putObject("spec")
                .putObject("claimRef")
                .put("apiVersion", "v1")
                .put("kind", "PersistentVolumeClaim")
                .put("namespace", choice.namespace())
                .put("name", choice.claim())
                .put("uid", choice.uid());
        return object.toString();
    }

    /** Where a pod is bound, by its object as read. */
    public static PodBinding binding(String uid, JsonNode pod) {
        boolean same = pod.path("metadata").path("uid").asText("").equals(uid);
        if (same && PodReader.isPending(pod)) {
            return new PodBinding.Unbound();
        }
        return same && PodReader.counts(pod)
                ? new PodBinding.Bound(pod.path("spec").path("nodeName").asText())
                : new PodBinding.Gone();
    }
}
