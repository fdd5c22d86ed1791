package io.sluice.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.lab.api.RawApi;

/** Creates pods and VMs that no process runs, and sets their nodes. */
public final class Residents {
    public static final String PODS = "/api/v1/namespaces/default/pods";
    public static final String VMS = "/apis/vm.neon.tech/v1/namespaces/default/virtualmachines";
    public static final String MERGE = "application/merge-patch+json";

    private final RawApi raw;

    Residents(RawApi raw) {
        this.raw = raw;
    }

    /** Creates a pod and returns its uid. */
    String pod(String name, String node) {
        var made = raw.post(PODS, podObject(name, node));
        assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
        return uid(made.body());
    }

    static String podObject(String name, String node) {
        return """
            {"metadata":{"name":"%s","labels":{"vm.neon.tech/name":"%s"},
               "annotations":{"vm.neon.tech/usage":"{\\"cpu\\":1,\\"memory\\":\\"4Gi\\"}"}},
             "spec":{"nodeName":"%s","containers":[{"name":"neonvm-runner","image":"none"}]}}\
            """.formatted(name, name.replace("-0", ""), node);
    }

    void vm(String name, String node) {
        var made = raw.post(VMS, """
            {"apiVersion":"vm.neon.tech/v1","kind":"VirtualMachine",
             "metadata":{"name":"%s","labels":{"autoscaling.neon.tech/enabled":"true"}},
             "spec":{"schedulerName":"autoscale-scheduler","guest":{"cpus":{"min":"250m","max":4,"use":1},
               "memorySlots":{"min":1,"max":16,"use":4},"memorySlotSize":"1Gi"}}}\
            """.formatted(name));
        assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
        place(name, node);
    }

    void place(String vm, String node) {
        raw.patch(VMS + "/" + vm + "/status", MERGE, """
            {"status":{"phase":"Running","podName":"%s-%s","podIP":"127.0.0.1","node":"%s","cpus":1,"memorySize":"4Gi"}}\
            """.formatted(
                        vm, node.equals("node-a") == vm.equals("there") ? 1 : 0, node));
    }

    public static String uid(JsonNode object) {
        return object.at("/metadata/uid").asText();
    }

    static long version(JsonNode object) {
        return object.at("/metadata/resourceVersion").asLong();
    }
}
