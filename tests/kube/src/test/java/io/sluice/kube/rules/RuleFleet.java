package io.sluice.kube.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.lab.api.RawApi;
import io.sluice.neonvm.core.objects.PodReader;
import io.sluice.neonvm.core.objects.SchedulingFields;
import io.sluice.placement.core.rules.ClusterTable;
import io.sluice.placement.core.spec.SpecReader;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** Seeded nodes, pods and volumes on an API server, and the table that Sluice's rules read of them. */
final class RuleFleet {
    static final int NODES = 200;
    static final int ZONES = 5;
    static final int RACKS = 20;
    static final int APPS = 4;
    private static final int PODS = 600;
    private static final int VOLUMES = 9;
    private static final String CORE = "/api/v1/";
    private static final String STORAGE = "/apis/storage.k8s.io/v1/";
    private static final List<String> TAINTS = List.of(
            "{'key':'dedicated','value':'a','effect':'NoSchedule'}",
            "{'key':'dedicated','value':'b','effect':'NoExecute'}",
            "{'key':'level','value':'3','effect':'NoSchedule'}",
            "{'key':'level','value':'7','effect':'NoSchedule'}",
            "{'key':'level','value':'x','effect':'NoSchedule'}",
            "{'key':'soft','effect':'PreferNoSchedule'}");

    private final RawApi api;
    private final Random random;

    RuleFleet(RawApi api, Random random) {
        this.api = api;
        this.random = random;
    }

    static String node(int number) {
        return "n%03d".formatted(number);
    }

    void create() {
        post(CORE + "namespaces", "{'metadata':{'name':'team-x','labels':{'team':'x'}}}");
        post(CORE + "namespaces", "{'metadata':{'name':'team-y','labels':{'team':'y'}}}");
        post(
                "/apis/node.k8s.io/v1/runtimeclasses",
                "{'metadata':{'name':'heavy'},'handler':'h','overhead':{'podFixed':{'cpu':'2','memory':'1Gi'}}}");
        for (int number = 0; number < NODES; number++) {
            createNode(number);
        }
        for (int number = 1; number <= VOLUMES; number++) {
            volume("zonal-" + number, "'topology.kubernetes.io/zone':'z" + number % ZONES + "'", "");
            volume("zones-" + number, "'topology.kubernetes.io/zone':'z" + number % ZONES + "__z1'", "");
            volume("old-" + number, "'failure-domain.beta.kubernetes.io/zone':'z" + number % ZONES + "'", "");
            volume(
                    "pinned-" + number,
                    "",
                    "'nodeAffinity':{'required':{'nodeSelectorTerms':[{'matchExpressions':[{'key':'rack','operator':'In',"
                        + "'values':['r" + number + "','r0']}]}]}},");
            volume("free-" + number, "", "");
            volume("more-" + number, "", "");
            volume("single-" + number, "", "");
        }
        for (int number = 0; number < PODS; number++) {
            createPod(number);
        }
    }

    private void createNode(int number) {
        var name = node(number);
        var zone = "z" + random.nextInt(ZONES);
        var labels = "'kubernetes.io/hostname':'" + name + "'"
                + often(90, ",'zone':'" + zone + "','topology.kubernetes.io/zone':'" + zone + "'")
                + often(70, ",'rack':'r" + random.nextInt(RACKS) + "'")
                + often(50, ",'disk':'" + (random.nextBoolean() ? "ssd" : "hdd") + "'")
                + often(80, ",'cores':'" + (random.nextInt(10) == 0 ? "many" : 1 + random.nextInt(10)) + "'");
        var taint = TAINTS.get(random.nextInt(TAINTS.size()));
        post(
                CORE + "nodes",
                "{'metadata':{'name':'" + name + "','labels':{" + labels + "}},'spec':{'taints':["
                        + often(40, taint) + "]" + often(8, ",'unschedulable':true")
                        + "},'status':{'allocatable':{'cpu':'4','memory':'8Gi','ephemeral-storage':'10Gi','pods':'"
                        + (random.nextInt(10) == 0 ? 3 : 110) + "'"
                        + often(40, ",'example.com/gpu':'" + random.nextInt(4) + "'")
                        + "},'conditions':[{'type':'Ready','status':'True'}]}}");
        if (number % 2 == 0) {
            post(
                    STORAGE + "csinodes",
                    "{'metadata':{'name':'" + name + "'},'spec':{'drivers':[{'name':'csi.example.com','nodeID':'" + name
                            + "','allocatable':{'count':" + (1 + random.nextInt(2)) + "}}]}}");
        }
        if (number % 5 == 0) {
            post(
                    STORAGE + "volumeattachments",
                    "{'metadata':{'name':'at-" + name + "'},'spec':{'attacher':'csi.example.com','nodeName':'" + name
                            + "','source':{'persistentVolumeName':'free-" + (1 + random.nextInt(VOLUMES)) + "'}}}");
        }
    }

    private void volume(String name, String labels, String affinity) {
        var single = name.startsWith("single") ? "ReadWriteOncePod" : "ReadWriteOnce";
        post(
                CORE + "persistentvolumes",
                "{'metadata':{'name':'" + name + "','labels':{" + labels + "}},'spec':{" + affinity
                        + "'capacity':{'storage':'1Gi'},'accessModes':['" + single
                        + "'],'claimRef':{'namespace':'default','name':'" + name
                        + "'},'csi':{'driver':'csi.example.com','volumeHandle':'h-" + name + "'}}}");
        post(
                CORE + "namespaces/default/persistentvolumeclaims",
                "{'metadata':{'name':'" + name + "','annotations':{'pv.kubernetes.io/bind-completed':'yes'}},'spec':{"
                        + "'accessModes':['" + single + "'],'storageClassName':'','volumeName':'" + name
                        + "','resources':{'requests':{'storage':'1Gi'}}}}");
    }

    private void createPod(int number) {
        var inDefault = random.nextInt(10) < 6;
        var namespace = inDefault ? "default" : random.nextBoolean() ? "team-x" : "team-y";
        var labels = "'app':'" + (char) ('a' + random.nextInt(APPS)) + "','v':'" + (1 + random.nextInt(2)) + "'"
                + often(10, ",'rare':'" + (1 + random.nextInt(9)) + "'");
        var claim = number % 12 == 0 && inDefault
                ? (number % 24 == 0 ? "single-" + (1 + number / 24 % 4) : "more-" + (1 + random.nextInt(VOLUMES)))
                : "";
        var apart = "'affinity':{'podAntiAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{'topologyKey':'"
                + (random.nextBoolean() ? "rack" : "kubernetes.io/hostname")
                + "','labelSelector':{'matchLabels':{'hated':'" + (1 + random.nextInt(3)) + "'}}"
                + (random.nextBoolean() ? ",'namespaceSelector':{}" : "") + "}]}},";
        var drawing = "'affinity':{'" + (random.nextBoolean() ? "podAffinity" : "podAntiAffinity")
                + "':{'preferredDuringSchedulingIgnoredDuringExecution':[{'weight':" + (1 + random.nextInt(100))
                + ",'podAffinityTerm':{'topologyKey':'" + (random.nextBoolean() ? "rack" : "zone")
                + "','labelSelector':{'matchLabels':{'drawn':'" + (1 + random.nextInt(3)) + "'}}}}]}},";
        var port = "'ports':[{'containerPort':80,'hostPort':" + (8081 + random.nextInt(3)) + ",'protocol':'"
                + (random.nextInt(3) == 0 ? "UDP" : "TCP") + "'"
                + (random.nextBoolean() ? ",'hostIP':'10.0.0." + (1 + random.nextInt(2)) + "'" : "") + "}],";
        var path = CORE + "namespaces/" + namespace + "/pods";
        post(
                path,
                "{'metadata':{'name':'e-" + number + "','labels':{" + labels + "}"
                        + (number % 40 == 1 ? ",'finalizers':['example.com/stays']" : "") + "},'spec':{'nodeName':'"
                        + node(random.nextInt(NODES)) + "','terminationGracePeriodSeconds':0,"
                        + (random.nextInt(100) < 6 ? apart : often(15, drawing))
                        + (claim.isEmpty()
                                ? ""
                                : "'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'" + claim + "'}}],")
                        + "'containers':[{'name':'c','image':'none'," + often(25, port)
                        + "'resources':{'requests':{'cpu':'" + (100 + random.nextInt(1200)) + "m','memory':'"
                        + (1 + random.nextInt(3)) + "Gi','ephemeral-storage':'" + (1 + random.nextInt(3))
                        + "Gi'}}}]}}");
        if (number % 40 == 1) {
            api.delete(path + "/e-" + number, "{\"gracePeriodSeconds\":0}");
        } else if (number % 40 == 2) {
            var ended = api.patch(
                    path + "/e-" + number + "/status",
                    "application/merge-patch+json",
                    "{\"status\":{\"phase\":\"Succeeded\"}}");
            require(ended);
        }
    }

    private String often(int percent, String piece) {
        return random.nextInt(100) < percent ? piece : "";
    }

    private void post(String path, String object) {
        require(api.post(path, object.replace('\'', '"')));
    }

    private static void require(RawApi.Reply reply) {
        if (reply.status() / 100 != 2) {
            throw new IllegalStateException(reply.body().toString());
        }
    }

    /** The table as Sluice would fill it. */
    ClusterTable table() {
        var table = new ClusterTable();
        each(
                CORE + "namespaces",
                namespace -> table.namespace(
                        namespace.at("/metadata/name").asText(),
                        SpecReader.labels(SchedulingFields.namespace(namespace))));
        each(CORE + "nodes", node -> table.observed(SpecReader.node(SchedulingFields.node(node))));
        each(
                CORE + "persistentvolumes",
                volume -> table.observed(SpecReader.volume(SchedulingFields.volume(volume), 0)));
        each(
                CORE + "persistentvolumeclaims",
                claim -> table.observed(SpecReader.claim(SchedulingFields.claim(claim), 0)));
        each(
                STORAGE + "csinodes",
                drivers -> table.attachLimits(
                        drivers.at("/metadata/name").asText(),
                        SpecReader.attachLimits(SchedulingFields.drivers(drivers))));
        each(
                STORAGE + "volumeattachments",
                attachment -> table.observed(SpecReader.attachment(SchedulingFields.attachment(attachment))));
        each(CORE + "pods", pod -> {
            if (PodReader.counts(pod)) {
                table.placed(SpecReader.pod(SchedulingFields.pod(pod), 0));
            }
        });
        return table;
    }

    private void each(String path, Consumer<JsonNode> object) {
        api.get(path).body().path("items").forEach(object);
    }
}
