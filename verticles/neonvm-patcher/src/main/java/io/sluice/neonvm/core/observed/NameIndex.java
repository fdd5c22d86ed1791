package io.sluice.neonvm.core.observed;

import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.neonvm.core.objects.VmReader;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Finds pods and VMs by the names with which they refer to each other. */
final class NameIndex {
    private final Map<String, PodObserved> pods = new HashMap<>();
    private final Map<String, String> vms = new HashMap<>();
    private final Map<String, String> vmsByPod = new HashMap<>();

    void remember(PodObserved pod) {
        pods.put(key(pod), pod);
    }

    void forget(PodObserved pod) {
        if (contains(pod)) {
            pods.remove(key(pod));
        }
    }

    void remember(VmObserved vm) {
        vms.put(vm.vm().label(), vm.vm().uid());
        if (!vm.podName().isEmpty()) {
            vmsByPod.put(podKey(vm), vm.vm().uid());
        }
    }

    void forget(VmObserved vm) {
        vms.remove(vm.vm().label(), vm.vm().uid());
        vmsByPod.remove(podKey(vm), vm.vm().uid());
    }

    boolean contains(PodObserved pod) {
        return pod(pod.namespace(), pod.name()).filter(pod.uid()::equals).isPresent();
    }

    Optional<String> pod(String namespace, String name) {
        return Optional.ofNullable(pods.get(key(namespace, name))).map(PodObserved::uid);
    }

    /** The VM that names the pod in its status. */
    Optional<String> vmIn(PodObserved pod) {
        return Optional.ofNullable(vmsByPod.get(key(pod)));
    }

    /** The VM of that name. */
    Optional<String> vm(String namespace, String name) {
        return Optional.ofNullable(vms.get(key(namespace, name)));
    }

    /** The VM for which the pod was created, whether it runs there or not. */
    Optional<String> vmOf(PodObserved pod) {
        return vm(pod.namespace(), pod.vmName());
    }

    /** The VM with the uid and the node of the pod in which it runs, if that pod is known. */
    VmObserved joined(VmObserved vm) {
        var pod = pods.get(podKey(vm));
        return pod == null ? vm : VmReader.inPod(vm, pod.uid(), pod.node());
    }

    static String podKey(VmObserved vm) {
        return key(vm.vm().namespace(), vm.podName());
    }

    static String key(PodObserved pod) {
        return key(pod.namespace(), pod.name());
    }

    private static String key(String namespace, String name) {
        return namespace + "/" + name;
    }
}
