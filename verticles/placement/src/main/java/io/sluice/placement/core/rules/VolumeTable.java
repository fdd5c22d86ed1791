package io.sluice.placement.core.rules;

import io.sluice.placement.core.spec.PodSpec;
import io.sluice.placement.core.spec.StorageClass;
import io.sluice.placement.core.spec.Volume;
import io.sluice.placement.core.spec.VolumeAttachment;
import io.sluice.placement.core.spec.VolumeClaim;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Claims and volumes, which pods on nodes use them, and how many volumes a node can attach. */
final class VolumeTable {
    private final Map<String, VolumeClaim> claims = new HashMap<>();
    private final Map<String, Volume> volumes = new HashMap<>();
    private final Map<String, Volume> offered = new TreeMap<>();
    private final Map<String, StorageClass> classes = new HashMap<>();
    private final Map<String, Map<String, Integer>> limits = new HashMap<>();
    private final Map<String, Map<String, VolumeAttachment>> attachments = new HashMap<>();
    private final Map<Integer, Map<String, PodSpec>> users = new HashMap<>();
    private final NodeCounts<String> used = new NodeCounts<>();

    /** A volume as its driver names it. */
    record Attached(String driver, String handle) {}

    private static String key(String namespace, String name) {
        return namespace + "/" + name;
    }

    void put(VolumeClaim claim) {
        claims.put(key(claim.namespace(), claim.name()), claim);
    }

    void removeClaim(String namespace, String name) {
        claims.remove(key(namespace, name));
    }

    void put(Volume volume) {
        volumes.put(volume.name(), volume);
        if (volume.offer().available()) {
            offered.put(volume.name(), volume);
        } else {
            offered.remove(volume.name());
        }
    }

    void put(StorageClass storageClass) {
        classes.put(storageClass.name(), storageClass);
    }

    void removeClass(String name) {
        classes.remove(name);
    }

    Optional<StorageClass> storageClass(VolumeClaim claim) {
        return Optional.ofNullable(classes.get(claim.need().kind().storageClass()));
    }

    /** The claims of a pod that get their volume once its node is chosen. */
    List<VolumeClaim> unbound(PodSpec pod) {
        return pod.claims().stream()
                .flatMap(name -> claim(pod, name).stream())
                .filter(claim -> claim.volume().isEmpty())
                .toList();
    }

    /** The volume that is reserved for a claim which is not bound to it yet. */
    Optional<Volume> reserved(VolumeClaim claim) {
        return offered.values().stream()
                .filter(volume -> volume.isReservedFor(claim))
                .findFirst();
    }

    /** The volumes that a claim could have, the smallest first. */
    List<Volume> suitable(VolumeClaim claim) {
        return offered.values().stream()
                .filter(volume -> volume.suits(claim))
                .sorted(Comparator.comparingLong(volume -> volume.offer().bytes()))
                .toList();
    }

    void removeVolume(String name) {
        volumes.remove(name);
        offered.remove(name);
    }

    void put(VolumeAttachment attachment) {
        attachments.computeIfAbsent(attachment.node(), added -> new HashMap<>()).put(attachment.name(), attachment);
    }

    void removeAttachment(String name) {
        attachments.values().forEach(ofNode -> ofNode.remove(name));
        attachments.values().removeIf(Map::isEmpty);
    }

    void limits(String node, Map<String, Integer> byDriver) {
        if (byDriver.isEmpty()) {
            limits.remove(node);
        } else {
            limits.put(node, byDriver);
        }
    }

    /** @param sign 1 for a pod that comes, -1 for one that goes */
    void change(int node, PodSpec pod, int sign) {
        if (pod.claims().isEmpty()) {
            return;
        }
        pod.claims().forEach(claim -> used.change(key(pod.namespace(), claim), node, sign));
        var pods = users.computeIfAbsent(node, added -> new HashMap<>());
        if (sign > 0) {
            pods.put(pod.uid(), pod);
        } else {
            pods.remove(pod.uid());
        }
        if (pods.isEmpty()) {
            users.remove(node);
        }
    }

    Optional<VolumeClaim> claim(PodSpec pod, String name) {
        return Optional.ofNullable(claims.get(key(pod.namespace(), name)));
    }

    /** Whether some pod on a node uses that claim. */
    boolean isUsed(PodSpec pod, String claim) {
        return !used.nodes(key(pod.namespace(), claim)).isEmpty();
    }

    Optional<Volume> find(VolumeClaim claim) {
        return Optional.ofNullable(volumes.get(claim.volume()));
    }

    /** The volumes of a pod's claims that are bound and known. */
    List<Volume> volumes(PodSpec pod) {
        return pod.claims().stream()
                .flatMap(name -> claim(pod, name).stream())
                .flatMap(claim -> find(claim).stream())
                .toList();
    }

    /** How many volumes of each driver a node can attach; a driver that is not named has no limit. */
    Map<String, Integer> limits(String node) {
        return limits.getOrDefault(node, Map.of());
    }

    /** What the drivers attach for those pods. */
    Set<Attached> attached(Collection<PodSpec> pods) {
        var attached = new HashSet<Attached>();
        for (var pod : pods) {
            for (var volume : volumes(pod)) {
                if (!volume.driver().isEmpty() && !volume.handle().isEmpty()) {
                    attached.add(new Attached(volume.driver(), volume.handle()));
                }
            }
        }
        return attached;
    }

    /** What the drivers attach for the pods on a node. */
    Set<Attached> attachedForPods(int node) {
        return attached(users.getOrDefault(node, Map.of()).values());
    }

    /** What is attached to a node by its attachments, whatever pod it is for. */
    Set<Attached> attached(String node) {
        var attached = new HashSet<Attached>();
        for (var attachment : attachments.getOrDefault(node, Map.of()).values()) {
            Optional.ofNullable(volumes.get(attachment.volume()))
                    .filter(volume -> !volume.driver().isEmpty())
                    .ifPresent(volume -> attached.add(new Attached(attachment.driver(), volume.handle())));
        }
        return attached;
    }
}
