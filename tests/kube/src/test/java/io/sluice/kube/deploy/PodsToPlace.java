package io.sluice.kube.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.kube.server.Kubectl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Pods that name the scheduler of the overlay {@code placement}, and the only node with room for one of them. */
final class PodsToPlace {
    static final String NODE = "node-large";

    private final Kubectl kubectl;
    private final Path folder;

    PodsToPlace(Kubectl kubectl, Path folder) {
        this.kubectl = kubectl;
        this.folder = folder;
    }

    void createNode() {
        create("""
            apiVersion: v1
            kind: Node
            metadata: {name: %s}
            status:
              allocatable: {cpu: "64", memory: 256Gi, pods: "110"}
              conditions: [{type: Ready, status: "True"}]
            """.formatted(NODE));
    }

    /** Creates a pod that kube-scheduler leaves alone, and to which a Binding is answered 409. Returns its uid. */
    String createGated(String name) {
        create("""
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: default}
            spec:
              schedulerName: autoscale-scheduler
              schedulingGates: [{name: example/never}]
              containers: [{name: main, image: none}]
            """.formatted(name));
        return find(name).at("/metadata/uid").asText();
    }

    /** Creates a VM of 40 CPUs and its pod, as NeonVM's controller does. */
    void createLarge(String name) {
        create("""
            apiVersion: vm.neon.tech/v1
            kind: VirtualMachine
            metadata: {name: %s, namespace: default}
            spec:
              schedulerName: autoscale-scheduler
              guest:
                cpus: {min: 1, max: 40, use: 40}
                memorySlots: {min: 1, max: 200, use: 200}
                memorySlotSize: 1Gi
            """.formatted(name));
        var vm = kubectl.objects("get", "neonvm", name, "--namespace=default").getFirst();
        create("""
            apiVersion: v1
            kind: Pod
            metadata:
              name: %1$s
              namespace: default
              labels: {vm.neon.tech/name: %1$s}
              annotations: {vm.neon.tech/usage: '{"cpu":"40","memory":"200Gi"}'}
              ownerReferences:
              - {apiVersion: vm.neon.tech/v1, kind: VirtualMachine, name: %1$s, uid: %2$s, controller: true}
            spec:
              schedulerName: autoscale-scheduler
              terminationGracePeriodSeconds: 0
              containers: [{name: neonvm-runner, image: none}]
            """.formatted(name, vm.at("/metadata/uid").asText()));
    }

    boolean isBound(String name) {
        return find(name).at("/spec/nodeName").asText().equals(NODE);
    }

    /** Why it waits, as its condition reports it. */
    String waits(String name) {
        return find(name).path("status").findValuesAsText("message").toString();
    }

    void delete(String name) {
        kubectl.run("delete", "pod", name);
    }

    private JsonNode find(String name) {
        return kubectl.objects("get", "pod", name, "--namespace=default").getFirst();
    }

    private void create(String object) {
        try {
            kubectl.run(
                    "create",
                    "-f",
                    Files.writeString(folder.resolve("to-place.yaml"), object).toString());
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }
}
