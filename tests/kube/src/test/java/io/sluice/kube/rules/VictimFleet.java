package io.sluice.kube.rules;

import io.sluice.lab.api.RawApi;
import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.neonvm.core.objects.SchedulingFields;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.rules.ClusterTable;
import io.sluice.placement.core.spec.DisruptionBudget;
import io.sluice.placement.core.spec.SpecReader;
import io.sluice.shell.load.NodeUse;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Seeded nodes that are nearly full, with pods of different priorities and ages, and disruption budgets. */
final class VictimFleet {
    static final int NODES = 30;
    static final List<Integer> PRIORITIES = List.of(-10, 5, 10, 20);
    private static final int PODS_PER_NODE = 6;
    private static final int APPS = 5;
    private static final String NODES_PATH = "/api/v1/nodes";
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
    private static final String MERGE = "application/merge-patch+json";

    private final RawApi api;
    private final Random random;
    private int starts;

    VictimFleet(RawApi api, Random random) {
        this.api = api;
        this.random = random;
    }

    void create() {
        PRIORITIES.forEach(value -> priorityClass("p" + value, value, ""));
        priorityClass("never", 20, ",'preemptionPolicy':'Never'");
        for (int app = 0; app < APPS - 1; app++) {
            budget(app);
        }
        for (int number = 0; number < NODES; number++) {
            var name = "n%02d".formatted(number);
            post(
                    NODES_PATH,
                    "{'metadata':{'name':'" + name + "','labels':{'kubernetes.io/hostname':'" + name + "','zone':'z"
                            + number % 3 + "'}},'spec':{'taints':[" + often(10, "{'key':'k','effect':'NoSchedule'}")
                            + "]},'status':{'allocatable':{'cpu':'4','memory':'8Gi','pods':'" + (6 + random.nextInt(3))
                            + "'},'conditions':[{'type':'Ready','status':'True'}]}}");
            for (int pod = 0; pod < PODS_PER_NODE; pod++) {
                pod(name + "-" + pod, name, pod == 0);
            }
        }
    }

    private void priorityClass(String name, int value, String more) {
        post(
                "/apis/scheduling.k8s.io/v1/priorityclasses",
                "{'metadata':{'name':'" + name + "'},'value':" + value + more + "}");
    }

    private void budget(int app) {
        post(
                BUDGETS,
                "{'metadata':{'name':'b" + app + "'},'spec':{'minAvailable':1,'selector':{'matchLabels':{'app':'a" + app
                        + "'}}}}");
        patch(
                BUDGETS + "/b" + app + "/status",
                "{'status':{'observedGeneration':1,'disruptionsAllowed':" + app
                        + ",'currentHealthy':9,'desiredHealthy':1,'expectedPods':9}}");
    }

    /** No two of a node use one port: kube-scheduler frees a port with the first pod that goes. */
    private void pod(String name, String node, boolean mayUsePort) {
        var priority = random.nextInt(5);
        post(
                PODS,
                "{'metadata':{'name':'" + name + "','labels':{'app':'a" + random.nextInt(APPS) + "'"
                        + often(20, ",'loud':'yes'") + "}},'spec':{'nodeName':'" + node
                        + "','terminationGracePeriodSeconds':0,"
                        + (priority < 4 ? "'priorityClassName':'p" + PRIORITIES.get(priority) + "'," : "")
                        + "'containers':[{'name':'c','image':'none',"
                        + often(mayUsePort ? 70 : 0, "'ports':[{'containerPort':80,'hostPort':8080}],")
                        + "'resources':{'requests':{'cpu':'" + (100 + random.nextInt(900)) + "m','memory':'"
                        + (200 + random.nextInt(1_200)) + "Mi'}}}]}}");
        started(name);
    }

    /** As the kubelet would; no two at one time, as kube-scheduler draws between those. */
    void started(String name) {
        int second = ++starts;
        patch(
                PODS + "/" + name + "/status",
                "{'status':{'phase':'Running','startTime':'2026-01-01T%02d:%02d:%02dZ'}}"
                        .formatted(second / 3600, second / 60 % 60, second % 60));
    }

    private String often(int percent, String piece) {
        return random.nextInt(100) < percent ? piece : "";
    }

    /** The table as Sluice would fill it, with ledgers that have room for everything. */
    ClusterTable table() {
        var table = new RuleFleet(api, random).table();
        var plenty = new Resources(1L << 40, 1L << 60);
        table.all().stream()
                .mapToObj(table::name)
                .forEach(node -> table.observed(new NodeSnapshot(
                        node,
                        true,
                        NodeReadiness.READY,
                        plenty,
                        plenty,
                        Resources.NONE,
                        NodeUse.NONE,
                        List.of(),
                        FixedAmounts.NONE,
                        FixedAmounts.NONE)));
        return table;
    }

    List<DisruptionBudget> budgets() {
        var budgets = new ArrayList<DisruptionBudget>();
        api.get(BUDGETS)
                .body()
                .path("items")
                .forEach(budget -> budgets.add(SpecReader.budget(SchedulingFields.budget(budget))));
        return budgets;
    }

    private void post(String path, String object) {
        require(api.post(path, object.replace('\'', '"')));
    }

    private void patch(String path, String change) {
        require(api.patch(path, MERGE, change.replace('\'', '"')));
    }

    private static void require(RawApi.Reply reply) {
        if (reply.status() / 100 != 2) {
            throw new IllegalStateException(reply.body().toString());
        }
    }
}
