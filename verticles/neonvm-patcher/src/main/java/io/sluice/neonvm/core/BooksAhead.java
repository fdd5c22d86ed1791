package io.sluice.neonvm.core;

import io.sluice.messages.ledger.LoadNode;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Of which nodes the ledger knows more than was listed. A listing that is begun after that was heard, and is older than
 * the books all the same, shows that the cluster's store was put back; one that was begun before proves nothing.
 */
public final class BooksAhead {
    private final Map<String, Ahead> nodes = new HashMap<>();
    private long begun;
    private long wantedIn;

    /**
     * What was heard of a node.
     *
     * @param version the newest listing that its books know
     * @param heardIn the last listing that was begun by then
     */
    private record Ahead(long version, long heardIn) {}

    /** A listing begins: its number, from 1 on. */
    public long begin() {
        return ++begun;
    }

    /** The books of a node know a listing of this version. Whether another listing is to be begun, and none is yet. */
    public boolean heard(String node, long version) {
        nodes.put(node, new Ahead(version, begun));
        boolean first = wantedIn < begun;
        wantedIn = begun;
        return first;
    }

    /** The ledger took the node's members. */
    public void taken(String node) {
        nodes.remove(node);
    }

    /** Of others nothing is remembered. */
    public void keepOnly(Collection<String> listed) {
        nodes.keySet().retainAll(listed);
    }

    /**
     * A load with what the ledger has to know of its age.
     *
     * @param number of the listing that it is from
     */
    public LoadNode dated(LoadNode load, long number) {
        var ahead = nodes.get(load.node().node());
        boolean putBack = ahead != null && number > ahead.heardIn() && load.version() < ahead.version();
        return putBack ? load.putBackFrom(ahead.version()) : load;
    }
}
