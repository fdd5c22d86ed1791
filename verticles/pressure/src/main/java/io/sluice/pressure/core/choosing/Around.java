package io.sluice.pressure.core.choosing;

import io.sluice.messages.ledger.MemberBooks;
import io.sluice.units.Resources;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What is known beyond the books of the node whose members are weighed. */
public interface Around {
    /** What holds for all migrations. */
    Rules rules();

    /** What each node has promised. */
    Rooms rooms();

    /** What is promised of nodes beyond what their sums show. */
    Map<String, Resources> promised();

    /** Whether what migrations there are was heard. */
    boolean listed();

    /** How many migrations are under way everywhere, those being arranged included. */
    int underWay();

    /** The uids of the members that migrations take away from a node, even of those that its books show no more. */
    Set<String> leaving(String node);

    /** Whether the member has to do with a migration. */
    Engagement engagement(MemberBooks member);

    /**
     * Why nobody from the one node may go to the other, in words that follow "is"; empty where that one is open to
     * them.
     */
    Optional<String> against(String from, String to);

    /** The VM of that name. */
    Optional<KnownVm> vm(String namespace, String name);

    /**
     * What keeps the VM where it is for a while; empty when that is over.
     *
     * @param evenIfMoved whether a migration that succeeded keeps it
     */
    Optional<Resting> resting(String namespace, String name, boolean evenIfMoved);
}
