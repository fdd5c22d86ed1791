package io.sluice.gateway.core;

import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmObserved;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Which pods run which VMs where, as the facts about the cluster tell. Facts may repeat, arrive out of order or be
 * missed; when the book is full, what was not heard of for longest goes first.
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

    /** A book for as many pods as anybody has. */
    public PodIndex() {
        this(PODS_MAX);
    }

    PodIndex(int podsMax) {
        pods = new Recent<>(podsMax, pod -> podNames.remove(name(pod), pod.uid()));
        vms = new Recent<>(podsMax, this::unname);
        gone = new Recent<>(podsMax, version -> {});
    }

    /** Says that every pod was told at least once: one that is unknown now does not exist. */
    public void listed() {
        listed = true;
    }

    /** Takes a fact about a pod. */
    public void seen(PodObserved pod) {
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

    /** Takes a fact about a VM. */
    public void seen(VmObserved vm) {
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

    /** How many pods are in the book. */
    public int size() {
        return pods.size();
    }

    /** Finds who asks. */
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
                .<Place>map(vm -> new Place.Found(member(pod, vm)))
                .orElseGet(Place.VmNotObserved::new);
    }

    private Place unknown(Name name) {
        if (vmPods.containsKey(name)) {
            return new Place.NoNode();
        }
        return listed ? new Place.Unknown() : new Place.NotListed();
    }

    private static AgentPod member(PodObserved pod, VmObserved vm) {
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

    /** Where a pod was looked for, and what stood there. */
    sealed interface Place {
        /** A VM's pod on its node. */
        record Found(AgentPod member) implements Place {}

        /** No such pod. */
        record Unknown() implements Place {}

        /** Not known yet: the first listing is not through. */
        record NotListed() implements Place {}

        /** The pod waits for a node. */
        record NoNode() implements Place {}

        /** The pod runs no VM. */
        record NoVm() implements Place {}

        /** The pod runs a VM that nobody has told of. */
        record VmNotObserved() implements Place {}
    }

    /** Keeps the entries that were put last. */
    private static final class Recent<V> extends LinkedHashMap<String, V> {
        private static final long serialVersionUID = 1;

        private final transient int sizeMax;
        private final transient Consumer<V> evicted;

        Recent(int sizeMax, Consumer<V> evicted) {
            this.sizeMax = sizeMax;
            this.evicted = evicted;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
            if (size() <= sizeMax) {
                return false;
            }
            evicted.accept(eldest.getValue());
            return true;
        }
    }
}
