package io.sluice.kube.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.kube.Residents;
import io.sluice.lab.api.RawApi;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** A Deployment or StatefulSet with an elastic job. The test plays its controller: it creates pods and deletes them. */
final class Workload {
    private final KubernetesClient client;
    private final RawApi raw;
    private final String namespace;
    private final String name;
    private final String path;
    private int made;

    private Workload(KubernetesClient client, String namespace, String kind, String name) {
        this.client = client;
        raw = new RawApi(client);
        this.namespace = namespace;
        this.name = name;
        path = "/apis/apps/v1/namespaces/" + namespace + "/" + kind.toLowerCase(Locale.ROOT) + "s";
    }

    /** Creates it without members; each is to have one CPU. */
    static Workload create(KubernetesClient client, String namespace, String kind, String name, String scheduler) {
        var workload = new Workload(client, namespace, kind, name);
        workload.created(workload.path, """
            {"apiVersion":"apps/v1","kind":"%1$s","metadata":{"name":"%2$s"},
             "spec":{"replicas":0,"serviceName":"none","selector":{"matchLabels":{"app":"%2$s"}},
               "template":{"metadata":{"labels":{"app":"%2$s"}},"spec":%3$s}}}\
            """.formatted(kind, name, podSpec(scheduler))
                .replace(kind.equals("Deployment") ? "\"serviceName\":\"none\"," : "none-of-these", ""));
        return workload;
    }

    static String podSpec(String scheduler) {
        return """
            {"schedulerName":"%s","containers":[{"name":"main","image":"none",
              "resources":{"requests":{"cpu":"1","memory":"64Mi"}}}]}\
            """.formatted(scheduler);
    }

    /** Creates its elastic job. */
    void job(int min, int max) {
        created(
                jobs(namespace),
                jobObject(name, path.endsWith("deployments") ? "Deployment" : "StatefulSet", min, max));
    }

    /** Creates its elastic job, whose members may be made smaller. */
    void jobInPlace(int min, int max, String cpu) {
        created(
                jobs(namespace),
                jobObject(name, "Deployment", min, max)
                        .replace("\"spec\":{", "\"spec\":{\"inPlace\":{\"cpu\":\"" + cpu + "\",\"memory\":\"64Mi\"},"));
    }

    /** What its pods request of CPU, sorted. */
    List<String> requests() {
        return pods().stream()
                .map(pod -> pod.at("/spec/containers/0/resources/requests/cpu").asText())
                .sorted()
                .toList();
    }

    static String jobs(String namespace) {
        return "/apis/autoscaling.sluice.io/v1alpha1/namespaces/" + namespace + "/elasticjobs";
    }

    static String jobObject(String name, String kind, int min, int max) {
        return """
            {"apiVersion":"autoscaling.sluice.io/v1alpha1","kind":"ElasticJob","metadata":{"name":"%1$s"},
             "spec":{"min":%3$d,"max":%4$d,"targetRef":{"apiVersion":"apps/v1","kind":"%2$s","name":"%1$s"}}}\
            """.formatted(name, kind, min, max);
    }

    int replicas() {
        return raw.get(path + "/" + name).body().at("/spec/replicas").asInt();
    }

    JsonNode condition() {
        return status().at("/conditions/0");
    }

    JsonNode status() {
        return raw.get(jobs(namespace) + "/" + name).body().path("status");
    }

    /** Creates the pods that are missing, as its controller would. */
    void createPods(String scheduler) {
        for (int missing = replicas() - pods().size(); missing > 0; missing--) {
            created(podsPath(), """
                {"metadata":{"name":"%1$s-%2$d","labels":{"app":"%1$s"}},"spec":%3$s}\
                """.formatted(name, made++, podSpec(scheduler)));
        }
    }

    /** Ends the newest pod, if there is one too many. */
    boolean endOne() {
        var pods = pods();
        if (pods.size() <= replicas()) {
            return false;
        }
        client.pods()
                .inNamespace(namespace)
                .withName(pods.getLast().at("/metadata/name").asText())
                .withGracePeriod(0)
                .delete();
        return true;
    }

    /** Deletes it with its job and its pods. */
    void delete() {
        for (var object : List.of(jobs(namespace) + "/" + name, path + "/" + name)) {
            assertThat(raw.delete(object, "{}").status()).isEqualTo(200);
        }
        client.pods()
                .inNamespace(namespace)
                .withLabel("app", name)
                .withGracePeriod(0)
                .delete();
    }

    long bound() {
        return pods().stream()
                .filter(pod -> !pod.at("/spec/nodeName").asText("").isEmpty())
                .count();
    }

    /** The oldest first. */
    private List<JsonNode> pods() {
        return raw.get(podsPath() + "?labelSelector=app%3D" + name)
                .body()
                .path("items")
                .valueStream()
                .sorted(Comparator.comparingInt(Workload::number))
                .toList();
    }

    private static int number(JsonNode pod) {
        var full = pod.at("/metadata/name").asText();
        return Integer.parseInt(full.substring(full.lastIndexOf('-') + 1));
    }

    private String podsPath() {
        return Residents.PODS.replace("/default/", "/" + namespace + "/");
    }

    private void created(String at, String object) {
        var answer = raw.post(at, object);
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(201);
    }
}
