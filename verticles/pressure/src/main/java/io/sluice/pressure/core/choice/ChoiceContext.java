package io.sluice.pressure.core.choice;

import io.sluice.messages.ledger.ReservationView;
import io.sluice.units.Resources;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What is known beyond the books of the node whose members are weighed. */
public interface ChoiceContext {
    /** What holds for all migrations. */
    PressureRules rules();

    /** What each node has promised. */
    NodeRooms rooms();

    /** What is promised of nodes beyond what their sums show. */
    Map<String, Resources> promised();

    /** Whether what migrations there are was heard. */
    boolean listed();

    /** How many migrations are under way everywhere, those being arranged included. */
    int underWay();

    /** The uids of the members that migrations take away from a node, even of those that its books show no more. */
    Set<String> leaving(String node);

    /** Whether the member has to do with a migration. */
    MigrationInvolvement engagement(ReservationView member);

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
    Optional<Cooldown> resting(String namespace, String name, boolean evenIfMoved);
}
