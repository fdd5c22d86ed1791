package io.sluice.neonvm.core.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** A VM object with variations for tests. */
public final class Samples {
    private static final String VM = """
        {"metadata":{"namespace":"ns","name":"db","uid":"u1","resourceVersion":"7",
           "labels":{"autoscaling.neon.tech/enabled":"true"},"annotations":{}},
         "spec":{"schedulerName":"autoscale-scheduler","unknown":{"field":[1]},"guest":{
           "cpus":{"min":0.25,"max":4,"use":"500m"},
           "memorySlots":{"min":1,"max":16,"use":2},"memorySlotSize":"1Gi"}},
         "status":{"phase":"Running","podName":"db-0","podIP":"10.0.0.1","node":"n1",
           "cpus":"250m","memorySize":"3Gi"}}\
        """;

    private Samples() {}

    public static ObjectNode vm() {
        return (ObjectNode) KubernetesJson.parse("sample", VM);
    }

    public static ObjectNode annotated(String key, String value) {
        var vm = vm();
        vm.withObject("/metadata/annotations").put(key, value);
        return vm;
    }

    /** @param path of a field, as a JSON pointer to its parent */
    static ObjectNode with(String path, String field, String json) {
        var vm = vm();
        vm.withObject(path).set(field, json(json));
        return vm;
    }

    public static JsonNode json(String text) {
        return KubernetesJson.parse("sample", text);
    }
}
