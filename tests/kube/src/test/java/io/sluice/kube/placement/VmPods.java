package io.sluice.kube.placement;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.kube.Residents;
import io.sluice.lab.api.RawApi;
import io.sluice.units.Resources;

/**
 * Creates VMs and their pods, as NeonVM's controller does: a pod requests little, and its annotation has the use.
 *
 * @param scheduler of VMs and pods
 * @param only the label of the nodes on which the pods may run
 */
public record VmPods(RawApi api, String scheduler, String only) {
    /** @param priorityClass of the pod; empty for the default */
    public void create(String vm, String pod, Resources uses, String priorityClass) {
        var made = created(Residents.VMS, """
            {"apiVersion":"vm.neon.tech/v1","kind":"VirtualMachine",
             "metadata":{"name":"%s"},
             "spec":{"schedulerName":"%s","guest":{"cpus":{"min":"250m","max":4,"use":"%dm"},
               "memorySlots":{"min":1,"max":16,"use":%d},"memorySlotSize":"1Gi"}}}\
            """.formatted(vm, scheduler, uses.milliCpu(), uses.memoryBytes() >> 30));
        created(Residents.PODS, """
            {"metadata":{"name":"%8$s","labels":{"vm.neon.tech/name":"%1$s"},
               "annotations":{"vm.neon.tech/usage":"{\\"cpu\\":\\"%2$dm\\",\\"memory\\":\\"%3$d\\"}"},
               "ownerReferences":[{"apiVersion":"vm.neon.tech/v1","kind":"VirtualMachine","name":"%1$s","uid":"%4$s",
                 "controller":true,"blockOwnerDeletion":true}]},
             "spec":{"schedulerName":"%5$s","nodeSelector":{"only":"%6$s"},"priorityClassName":"%7$s",
               "containers":[{"name":"neonvm-runner","image":"none",
               "resources":{"requests":{"cpu":"100m","memory":"100Mi"}}}]}}\
            """.formatted(
                vm, uses.milliCpu(), uses.memoryBytes(), Residents.uid(made), scheduler, only, priorityClass, pod));
    }

    private JsonNode created(String path, String object) {
        var made = api.post(path, object);
        assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
        return made.body();
    }
}
