package io.sluice.neonvm.core.observed;

import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.neonvm.core.objects.PodClaim;
import io.sluice.neonvm.core.objects.PodReader;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Decides whether pods count as those of VMs. A pod's claim counts if its VM names the pod, or if a migration of that
 * VM controls it or leaves it. It counts up to the VM's maximum. Any other pod counts at its requests, whatever it
 * claims.
 *
 * <p>The watches of pods, VMs and migrations are independent, so a pod may arrive first. It waits until its VM and
 * migration were read. An accepted claim stays accepted as long as the pod exists.
 */
public final class PodClaims {
    private static final Pattern OBJECT_NAME = Pattern.compile("[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?");

    private final ClusterModel model;
    private final Map<String, PodReader.Reading> claiming = new HashMap<>();
    private final Map<String, Resources> accepted = new HashMap<>();
    private final Map<String, Set<String>> notAccepted = new HashMap<>();
    private final Set<String> awaited = new HashSet<>();

    /** @param model the known VMs and migrations */
    public PodClaims(ClusterModel model) {
        this.model = model;
    }

    /**
     * How a pod counts.
     *
     * @param pod empty while its owner is being read
     * @param pending what is to be read now
     */
    public record Decision(Optional<PodObserved> pod, Optional<OwnerLookup> pending) {}

    /** Takes a new or changed pod. */
    public Decision changed(PodReader.Reading reading) {
        var uid = reading.observed().uid();
        if (reading.claim().isEmpty()) {
            forget(uid);
            return new Decision(Optional.of(reading.observed()), Optional.empty());
        }
        boolean isNew = !claiming.containsKey(uid);
        remember(reading);
        if (accept(reading, ofModel(reading))) {
            awaited.remove(uid);
        } else if (isNew) {
            awaited.add(uid);
            return new Decision(Optional.empty(), Optional.of(owner(reading)));
        }
        return new Decision(awaited.contains(uid) ? Optional.empty() : Optional.of(counted(reading)), Optional.empty());
    }

    /** Takes the end of a read of owners, found or not. Returns the pod as it counts, if it still waited for that. */
    public Optional<PodObserved> read(String uid) {
        if (!awaited.remove(uid)) {
            return Optional.empty();
        }
        var reading = claiming.get(uid);
        accept(reading, ofModel(reading));
        return Optional.of(counted(reading));
    }

    /** The pods with claims that are accepted now, as this VM or a migration of it is known. */
    public List<PodObserved> acceptedWith(String namespace, String vmName) {
        var now = new ArrayList<PodObserved>();
        for (var uid : List.copyOf(notAccepted.getOrDefault(namespace + "/" + vmName, Set.of()))) {
            var reading = claiming.get(uid);
            if (accept(reading, ofModel(reading))) {
                awaited.remove(uid);
                now.add(counted(reading));
            }
        }
        return now;
    }

    /** Takes a list of pods, with the VMs and migrations that were listed after it. Returns the pods as they count. */
    public FullList.Part<PodObserved> listed(
            FullList.Part<PodReader.Reading> pods,
            FullList.Part<VmObserved> vms,
            Optional<FullList.Part<MigrationObserved>> migrations) {
        var vmsByName =
                vms.items().stream().collect(Collectors.toMap(vm -> vm.vm().label(), vm -> vm, (a, b) -> b));
        var moving = migrations.map(FullList.Part::items).orElse(List.of());
        var held = new HashSet<String>();
        var counted = new ArrayList<PodObserved>();
        for (var reading : pods.items()) {
            var pod = reading.observed();
            held.add(pod.uid());
            if (reading.claim().isPresent()) {
                remember(reading);
                var vm = Optional.ofNullable(vmsByName.get(label(reading)))
                        .or(() -> ofModel(reading).vm());
                accept(reading, new Owners(vm, moving));
                awaited.remove(pod.uid());
            }
            counted.add(counted(reading));
        }
        claiming.values().stream()
                .map(PodReader.Reading::observed)
                .filter(pod -> !held.contains(pod.uid()) && pod.version() <= pods.version())
                .map(PodObserved::uid)
                .toList()
                .forEach(this::forget);
        return new FullList.Part<>(pods.version(), counted);
    }

    /** The last reading of a pod; empty if it is not kept. */
    public Optional<PodReader.Reading> known(String uid) {
        return Optional.ofNullable(claiming.get(uid)).or(() -> model.pod(uid).map(PodReader.Reading::plain));
    }

    /** Drops a pod that is gone. */
    public void forget(String uid) {
        Optional.ofNullable(claiming.remove(uid)).ifPresent(this::close);
        accepted.remove(uid);
        awaited.remove(uid);
    }

    /** The objects that may confirm a claim. */
    private record Owners(Optional<VmObserved> vm, Collection<MigrationObserved> migrations) {
        boolean agree(PodObserved pod, PodClaim claim) {
            return vm.filter(known -> names(known, pod, claim)).isPresent()
                    || vm.isPresent() && migrations.stream().anyMatch(migration -> moves(migration, pod, claim));
        }

        /** A VM that names no pod yet will name the one that it controls. */
        private static boolean names(VmObserved vm, PodObserved pod, PodClaim claim) {
            return vm.podName().isEmpty()
                    ? vm.vm().uid().equals(claim.controller())
                    : vm.podName().equals(pod.name());
        }

        private static boolean moves(MigrationObserved migration, PodObserved pod, PodClaim claim) {
            return migration.namespace().equals(pod.namespace())
                    && migration.vmName().equals(claim.vmName())
                    && (migration.uid().equals(claim.controller())
                            || migration.sourcePod().equals(pod.name()));
        }
    }

    private Owners ofModel(PodReader.Reading reading) {
        var vm = reading.claim().flatMap(claim -> model.vm(reading.observed().namespace(), claim.vmName()));
        return new Owners(vm, model.migrations());
    }

    /** Whether the claim is accepted, now or already. */
    private boolean accept(PodReader.Reading reading, Owners owners) {
        var uid = reading.observed().uid();
        if (reading.claim()
                .filter(claim -> owners.agree(reading.observed(), claim))
                .isPresent()) {
            var sizes = owners.vm().orElseThrow().sizes();
            accepted.put(uid, sizes.max().max(sizes.inUse()));
            close(reading);
        }
        return accepted.containsKey(uid);
    }

    private PodObserved counted(PodReader.Reading reading) {
        var pod = reading.observed();
        return reading.claim()
                .filter(claim -> accepted.containsKey(pod.uid()))
                .map(claim -> claim.accepted(pod, accepted.get(pod.uid())))
                .orElse(pod);
    }

    private void remember(PodReader.Reading reading) {
        var uid = reading.observed().uid();
        var known = claiming.get(uid);
        if (known != null && known.observed().version() > reading.observed().version()) {
            return;
        }
        if (known != null) {
            close(known);
        }
        claiming.put(uid, reading);
        if (!accepted.containsKey(uid)) {
            notAccepted
                    .computeIfAbsent(label(reading), label -> new HashSet<>())
                    .add(uid);
        }
    }

    private void close(PodReader.Reading reading) {
        notAccepted.computeIfPresent(label(reading), (label, uids) -> {
            uids.remove(reading.observed().uid());
            return uids.isEmpty() ? null : uids;
        });
    }

    private static OwnerLookup owner(PodReader.Reading reading) {
        var claim = reading.claim().orElseThrow();
        var pod = reading.observed();
        return new OwnerLookup(pod.uid(), pod.namespace(), readable(claim.vmName()), readable(claim.migration()));
    }

    /**
     * Any party that creates a pod may write these names, and they become part of a path. No object has any other name.
     */
    private static String readable(String name) {
        return OBJECT_NAME.matcher(name).matches() ? name : "";
    }

    private static String label(PodReader.Reading reading) {
        return reading.observed().namespace() + "/"
                + reading.claim().map(PodClaim::vmName).orElse("");
    }
}
