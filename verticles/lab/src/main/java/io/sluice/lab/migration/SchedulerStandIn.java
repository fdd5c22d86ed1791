package io.sluice.lab.migration;

import io.sluice.lab.api.ApiClient;
import io.sluice.lab.api.LabPaths;
import io.sluice.lab.controller.RunnerPod;
import io.sluice.lab.migration.core.TargetPlacement;
import io.sluice.lab.migration.core.TargetPlacement.Room;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Simulates the scheduler for target pods of migrations, which no other component binds. */
final class SchedulerStandIn {
    private static final Set<String> TERMINAL = Set.of("Succeeded", "Failed");

    private final ApiClient api;

    SchedulerStandIn(ApiClient api) {
        this.api = api;
    }

    /** Binds a pod; if no node is suitable, the pod stays unbound. */
    Future<Void> bind(String pod, TargetPlacement landing) {
        return api.get(LabPaths.NODES)
                .compose(nodes -> api.get(LabPaths.PODS)
                        .compose(pods -> landing.choose(rooms(nodes, pods))
                                .map(node -> bind(pod, node))
                                .orElseGet(Future::succeededFuture)));
    }

    private Future<Void> bind(String pod, String node) {
        var target = new JsonObject().put("kind", "Node").put("name", node);
        var binding = new JsonObject()
                .put("apiVersion", "v1")
                .put("kind", "Binding")
                .put("metadata", new JsonObject().put("name", pod))
                .put("target", target);
        return api.create(LabPaths.pod(pod) + "/binding", binding).mapEmpty();
    }

    private static Map<String, Room> rooms(JsonObject nodes, JsonObject pods) {
        var used = new HashMap<String, Resources>();
        for (var item : pods.getJsonArray("items")) {
            var pod = (JsonObject) item;
            var phase = pod.getJsonObject("status", new JsonObject()).getString("phase", "");
            if (!TERMINAL.contains(phase)) {
                used.merge(pod.getJsonObject("spec").getString("nodeName", ""), RunnerPod.use(pod), Resources::plus);
            }
        }
        var rooms = new HashMap<String, Room>();
        for (var item : nodes.getJsonArray("items")) {
            var node = (JsonObject) item;
            var name = node.getJsonObject("metadata").getString("name");
            var total = RunnerPod.amounts(node.getJsonObject("status").getJsonObject("allocatable"));
            rooms.put(name, new Room(total, used.getOrDefault(name, Resources.NONE)));
        }
        return rooms;
    }
}
