package io.sluice.placement.core.spec;

import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A persistent volume.
 *
 * @param labels those that name its zone and region count
 * @param affinity the nodes that reach it
 * @param driver its CSI driver; empty for another kind of volume
 * @param handle its name at the driver
 * @param offer what it offers to claims
 */
public record Volume(
        String name, Map<String, String> labels, NodeAffinity affinity, String driver, String handle, Offer offer) {
    public Volume {
        Objects.requireNonNull(name, "name");
        labels = Map.copyOf(labels);
        Objects.requireNonNull(affinity, "affinity");
        Objects.requireNonNull(driver, "driver");
        Objects.requireNonNull(handle, "handle");
        Objects.requireNonNull(offer, "offer");
    }

    /**
     * What is the same for a claim and its volume.
     *
     * @param storageClass the name of the class; empty for none
     * @param mode file system or block device
     * @param accessModes which the claim needs, or the volume has
     */
    public record Kind(String storageClass, String mode, Set<String> accessModes) {
        public Kind {
            Objects.requireNonNull(storageClass, "storageClass");
            Objects.requireNonNull(mode, "mode");
            accessModes = Set.copyOf(accessModes);
        }
    }

    /**
     * What a volume offers to claims.
     *
     * @param version of the volume
     * @param available whether it may be claimed
     * @param claim for which it is reserved, as {@code namespace/name}; empty for none
     * @param claimUid of that claim; empty if any of that name may have it
     */
    public record Offer(long version, Kind kind, long bytes, boolean available, String claim, String claimUid) {
        public Offer {
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(claim, "claim");
            Objects.requireNonNull(claimUid, "claimUid");
        }
    }

    /** Whether it is reserved for a claim. */
    public boolean isReservedFor(VolumeClaim wanted) {
        return offer.claim.equals(wanted.namespace() + "/" + wanted.name())
                && (offer.claimUid.isEmpty()
                        || offer.claimUid.equals(wanted.need().uid()));
    }

    /** Whether a claim could have it, wherever its pod is. */
    public boolean suits(VolumeClaim wanted) {
        var need = wanted.need();
        return offer.available
                && offer.claim.isEmpty()
                && offer.bytes >= need.bytes()
                && offer.kind.storageClass.equals(need.kind().storageClass)
                && offer.kind.mode.equals(need.kind().mode)
                && offer.kind.accessModes.containsAll(need.kind().accessModes)
                && need.selector().matches(labels);
    }
}
