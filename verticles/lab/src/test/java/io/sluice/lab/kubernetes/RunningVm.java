package io.sluice.lab.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.lab.api.RawApi;

/** A running VM of 1 vCPU and 4Gi with its pod, as its controllers would have left it. */
final class RunningVm {
    static final String VMS = "/apis/vm.neon.tech/v1/namespaces/default/virtualmachines";
    static final String PODS = "/api/v1/namespaces/default/pods";

    private static final String MERGE = "application/merge-patch+json";

    private RunningVm() {}

    /**
     * Creates one.
     *
     * @param annotations as JSON; {@code null} for none at all
     * @return the object after its status was written
     */
    static JsonNode make(RawApi raw, String name, String annotations) {
        var vm = raw.post(VMS, """
            {"apiVersion":"vm.neon.tech/v1","kind":"VirtualMachine",
             "metadata":{"name":"%s","labels":{"autoscaling.neon.tech/enabled":"true"},"annotations":%s},
             "spec":{"schedulerName":"autoscale-scheduler","guest":{"cpus":{"min":"250m","max":4,"use":1},
               "memorySlots":{"min":1,"max":16,"use":4},"memorySlotSize":"1Gi"}}}\
            """.formatted(name, annotations));
        assertThat(vm.status()).as(vm.body().toString()).isEqualTo(201);
        var pod = raw.post(PODS, """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s-0","labels":{"vm.neon.tech/name":"%s"},
               "annotations":{"vm.neon.tech/usage":"{\\"cpu\\":1,\\"memory\\":\\"4Gi\\"}"}},
             "spec":{"nodeName":"node-a","containers":[{"name":"neonvm-runner","image":"example/runner:1"}]}}\
            """.formatted(name, name));
        assertThat(pod.status()).as(pod.body().toString()).isEqualTo(201);
        return runsIn(raw, name, name + "-0");
    }

    /** Replaces it by another one of the same name. */
    static JsonNode replace(RawApi raw, String name, String annotations) {
        raw.delete(VMS + "/" + name, "");
        raw.delete(PODS + "/" + name + "-0?gracePeriodSeconds=0", "");
        return make(raw, name, annotations);
    }

    /** Sets another pod in the VM's status. */
    static JsonNode runsIn(RawApi raw, String name, String pod) {
        var status = raw.patch(VMS + "/" + name + "/status", MERGE, """
            {"status":{"phase":"Running","podName":"%s","podIP":"127.0.0.1","node":"node-a",
               "cpus":1,"memorySize":"4Gi"}}\
            """.formatted(pod));
        assertThat(status.status()).as(status.body().toString()).isEqualTo(200);
        return status.body();
    }
}
