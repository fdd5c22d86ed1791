package io.sluice.kube.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.kube.server.Kubectl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The pods of a workload of {@code deploy/}, as its controller and the kubelets would make them. */
final class WorkloadPods {
    static final String NAMESPACE = "kube-system";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Kubectl kubectl;
    private final Path folder;

    WorkloadPods(Kubectl kubectl, Path folder) {
        this.kubectl = kubectl;
        this.folder = folder;
    }

    /**
     * Creates all pods of the workload, and returns their names.
     *
     * @param nodes all nodes, each of which has a pod of a DaemonSet
     */
    List<String> createAll(JsonNode workload, List<String> nodes) {
        var name = workload.at("/metadata/name").asText();
        boolean oneForEachNode = workload.path("kind").asText().equals("DaemonSet");
        int replicas =
                oneForEachNode ? nodes.size() : workload.at("/spec/replicas").asInt(1);
        return IntStream.range(0, replicas)
                .mapToObj(each -> {
                    var pod = pod(workload, name + "-" + each);
                    if (oneForEachNode) {
                        forNode(nodes.get(each), pod.withObject("/spec"));
                    }
                    create(pod);
                    return name + "-" + each;
                })
                .toList();
    }

    /** Creates one pod of the workload, with a name of its own. */
    void create(JsonNode workload, String name) {
        create(pod(workload, name));
    }

    private static ObjectNode pod(JsonNode workload, String name) {
        var pod = MAPPER.createObjectNode().put("apiVersion", "v1").put("kind", "Pod");
        pod.setAll((ObjectNode) workload.at("/spec/template").deepCopy());
        pod.withObject("/metadata").put("name", name).put("namespace", NAMESPACE);
        return pod;
    }

    /** As the controller of a DaemonSet does, which leaves the binding to the scheduler. */
    private static void forNode(String node, ObjectNode spec) {
        spec.withObject("/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution")
                .putArray("nodeSelectorTerms")
                .addObject()
                .putArray("matchFields")
                .addObject()
                .put("key", "metadata.name")
                .put("operator", "In")
                .putArray("values")
                .add(node);
    }

    /** Has the pod run and be ready at an address. */
    void run(String name, String address) {
        kubectl.run(
                "patch",
                "pod",
                name,
                "--namespace=" + NAMESPACE,
                "--subresource=status",
                "--type=merge",
                "--patch={\"status\":{\"phase\":\"Running\",\"podIP\":\"" + address
                        + "\",\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}");
    }

    /** The node of each of these pods, by the pod; empty where it is not bound. */
    Map<String, String> nodes(Collection<String> pods) {
        return kubectl.objects("get", "pods", "--namespace=" + NAMESPACE).stream()
                .filter(pod -> pods.contains(pod.at("/metadata/name").asText()))
                .collect(Collectors.toMap(
                        pod -> pod.at("/metadata/name").asText(),
                        pod -> pod.at("/spec/nodeName").asText()));
    }

    /** Deletes all pods of Sluice with one request, as if each kubelet had ended its own at once. */
    void deleteAll() {
        kubectl.run(
                "delete",
                "--raw",
                "/api/v1/namespaces/" + NAMESPACE
                        + "/pods?gracePeriodSeconds=0&labelSelector=app.kubernetes.io/name%3Dsluice");
    }

    private void create(JsonNode pod) {
        try {
            var file = Files.writeString(Files.createTempFile(folder, "pod", ".json"), pod.toString());
            kubectl.run("create", "-f", file.toString());
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }
}
