package io.sluice.neonvm.core.observed;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.neonvm.core.objects.ScaledPodReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The pods that are scaled in place, as VMs: each from the same object as its pod, so neither is newer than the other.
 * Their observations follow those of their pods.
 */
public final class ScaledPods {
    private final boolean enabled;
    private final ScaledPodReader reader = new ScaledPodReader();
    private final ObjectIndex<VmObserved> vms =
            new ObjectIndex<>(observed -> observed.vm().uid(), VmObserved::version);
    private List<VmObserved> listed = new ArrayList<>();

    /** @param enabled whether pods are scaled at all */
    public ScaledPods(boolean enabled) {
        this.enabled = enabled;
    }

    /** Whether pods are scaled at all. */
    public boolean enabled() {
        return enabled;
    }

    /** A full list of pods begins. */
    public void beginList() {
        listed = new ArrayList<>();
    }

    /** Takes a pod of the full list. */
    public void listed(JsonNode pod) {
        read(pod).ifPresent(listed::add);
    }

    /** The full list of that version has ended: publishes all pods in it, and the end of those that it lacks. */
    public List<Observation> listed(long version) {
        var gone = vms.listed(new FullList.Part<>(version, listed));
        listed = new ArrayList<>();
        var observations = new ArrayList<Observation>();
        gone.forEach(vm -> observations.add(new Observation.VmWent(new VmGone(vm.vm(), version))));
        vms.all().forEach(vm -> observations.add(new Observation.VmCame(vm)));
        reader.keepOnly(vms.all().stream().map(vm -> vm.vm().uid()).collect(Collectors.toSet()));
        return observations;
    }

    /** Takes a new or changed pod. */
    public List<Observation> changed(JsonNode pod) {
        return read(pod)
                .filter(vms::changed)
                .<List<Observation>>map(vm -> List.of(new Observation.VmCame(vm)))
                .orElseGet(List::of);
    }

    /** A pod that was labelled once stays a VM until its end: one that is not scaled any more. */
    private Optional<VmObserved> read(JsonNode pod) {
        var uid = pod.path("metadata").path("uid").asText();
        return enabled ? reader.read(pod, vms.get(uid).isPresent()) : Optional.empty();
    }

    /** Takes the end of a pod. */
    public List<Observation> gone(String uid, long version) {
        return vms.deleted(uid, version)
                .<List<Observation>>map(vm -> List.of(new Observation.VmWent(new VmGone(vm.vm(), version))))
                .orElseGet(List::of);
    }

    /** The pod with that uid, if it is scaled. */
    public Optional<VmObserved> find(String uid) {
        return vms.get(uid);
    }

    /** The load of a node, with the VMs that its pods are. */
    public LoadNode completed(LoadNode load) {
        var scaled =
                load.pods().stream().flatMap(pod -> vms.get(pod.uid()).stream()).toList();
        if (scaled.isEmpty()) {
            return load;
        }
        var all = new ArrayList<>(load.vms());
        all.addAll(scaled);
        return new LoadNode(load.node(), load.version(), load.pods(), all, load.relist());
    }
}
