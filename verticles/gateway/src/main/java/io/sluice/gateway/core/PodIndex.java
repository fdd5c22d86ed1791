package io.sluice.gateway.core;

import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.shell.BoundedMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which pods run which VMs on which nodes, from observations. Observations may repeat, arrive out of order or be
 * missed; when the index is full, the entry without an observation for the longest time is removed.
 */
public final class PodIndex {
    private static final int PODS_MAX = 100_000;

    private final Map<String, PodObserved> pods;
    private final Map<String, VmObserved> vms;
    private final Map<String, Long> gone;
    private final Map<Name, String> podNames = new HashMap<>();
    private final Map<Name, String> vmNames = new HashMap<>();
    private final Map<Name, String> vmPods = new HashMap<>();
    private boolean listed;

    /** Creates an index of the usual size. */
    public PodIndex() {
        this(PODS_MAX);
    }

    PodIndex(int podsMax) {
        pods = BoundedMap.ofNewest(podsMax, (uid, pod) -> podNames.remove(name(pod), uid));
        vms = BoundedMap.ofNewest(podsMax, (uid, vm) -> unname(vm));
        gone = BoundedMap.ofNewest(podsMax);
    }

    /** Records that a full list has arrived: a pod that is unknown now does not exist. */
    public void listed() {
        listed = true;
    }

    /** Takes an observation of a pod. */
    public void observed(PodObserved pod) {
        var known = pods.get(pod.uid());
        if (gone.containsKey(pod.uid()) || known != null && known.version() > pod.version()) {
            return;
        }
        pods.remove(pod.uid());
        pods.put(pod.uid(), pod);
        var namesake = Optional.ofNullable(podNames.get(name(pod))).map(pods::get);
        if (namesake.isEmpty() || namesake.get().version() <= pod.version()) {
            podNames.put(name(pod), pod.uid());
        }
    }

    /** Takes the end of a pod, which is final. */
    public void gone(PodGone end) {
        gone.put(end.uid(), end.version());
        var known = pods.remove(end.uid());
        if (known != null) {
            podNames.remove(name(known), end.uid());
        }
    }

    /** Takes an observation of a VM. */
    public void observed(VmObserved vm) {
        String uid = vm.vm().uid();
        var known = vms.get(uid);
        if (gone.containsKey(uid) || known != null && known.version() > vm.version()) {
            return;
        }
        if (known != null) {
            unname(known);
            vms.remove(uid);
        }
        vms.put(uid, vm);
        var namesake = Optional.ofNullable(vmNames.get(name(vm))).map(vms::get);
        if (namesake.isEmpty() || namesake.get().version() <= vm.version()) {
            vmNames.put(name(vm), uid);
            if (!vm.podName().isEmpty()) {
                vmPods.put(podName(vm), uid);
            }
        }
    }

    /** Takes the end of a VM, which is final. */
    public void gone(VmGone end) {
        gone.put(end.vm().uid(), end.version());
        var known = vms.remove(end.vm().uid());
        if (known != null) {
            unname(known);
        }
    }

    /** Returns how many pods are in the index. */
    public int size() {
        return pods.size();
    }

    /** Finds a pod by its name. */
    Place find(String namespace, String podName) {
        var name = new Name(namespace, podName);
        var uid = podNames.get(name);
        if (uid == null) {
            return unknown(name);
        }
        var pod = pods.get(uid);
        if (pod.node().isEmpty()) {
            return new Place.NoNode();
        }
        if (!pod.runsVm()) {
            return new Place.NoVm();
        }
        return Optional.ofNullable(vmNames.get(new Name(namespace, pod.vmName())))
                .map(vms::get)
                .<Place>map(vm -> new Place.Found(pod(pod, vm)))
                .orElseGet(Place.VmNotObserved::new);
    }

    private Place unknown(Name name) {
        if (vmPods.containsKey(name)) {
            return new Place.NoNode();
        }
        return listed ? new Place.Unknown() : new Place.NotListed();
    }

    private static AgentPod pod(PodObserved pod, VmObserved vm) {
        return new AgentPod(
                pod.uid(),
                pod.node(),
                pod.namespace() + "/" + pod.name(),
                vm.vm().label(),
                vm.sizes().slotBytes(),
                !vm.fence().isEmpty());
    }

    private void unname(VmObserved vm) {
        vmNames.remove(name(vm), vm.vm().uid());
        vmPods.remove(podName(vm), vm.vm().uid());
    }

    private static Name name(PodObserved pod) {
        return new Name(pod.namespace(), pod.name());
    }

    private static Name name(VmObserved vm) {
        return new Name(vm.vm().namespace(), vm.vm().name());
    }

    private static Name podName(VmObserved vm) {
        return new Name(vm.vm().namespace(), vm.podName());
    }

    private record Name(String namespace, String name) {}

    /** The result of looking up a pod. */
    sealed interface Place {
        /** A VM's pod on its node. */
        record Found(AgentPod pod) implements Place {}

        /** No such pod. */
        record Unknown() implements Place {}

        /** The pod is unknown, and the first full list has not arrived. */
        record NotListed() implements Place {}

        /** The pod has no node yet. */
        record NoNode() implements Place {}

        /** The pod runs no VM. */
        record NoVm() implements Place {}

        /** The pod runs a VM that was not observed yet. */
        record VmNotObserved() implements Place {}
    }
}
