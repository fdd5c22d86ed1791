package io.sluice.messages.placement;

import io.sluice.units.Resources;
import java.util.List;
import java.util.Objects;

/**
 * All rooms that one entrance of placement keeps at present for pods that wait long, so that smaller ones do not take
 * them, or for pods for which others were evicted. Published each second; it counts for a few seconds.
 *
 * @param by the name of the own scheduler; empty for the pods of kube-scheduler
 * @param rooms one for each node and for each pod at most
 */
public record KeptRooms(String by, List<KeptRoom> rooms) {
    /**
     * A room.
     *
     * @param node on which it is kept
     * @param uid of the pod for which it is kept; for all pods of a workload it begins with {@link #OF_WORKLOAD}
     * @param pod the pod, as {@code namespace/name}; for all pods of a workload the workload
     * @param charge what the pod would add to the node's reservations
     * @param upTo the highest priority of the pods from which it is kept
     */
    public record KeptRoom(String node, String uid, String pod, Resources charge, int upTo) {
        /** The pods of a workload have its name, a dash and something else for names. */
        public static final String OF_WORKLOAD = "workload/";

        public KeptRoom {
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(uid, "uid");
            Objects.requireNonNull(pod, "pod");
            Objects.requireNonNull(charge, "charge");
        }

        /** Whether it is kept for a pod. */
        public boolean isFor(String podUid, String namespace, String name) {
            return uid.equals(podUid) || uid.startsWith(OF_WORKLOAD) && (namespace + "/" + name).startsWith(pod + "-");
        }
    }

    public KeptRooms {
        Objects.requireNonNull(by, "by");
        rooms = List.copyOf(rooms);
    }
}
