package io.sluice.pressure.core.choice;

import io.sluice.messages.ledger.ReservationView;
import io.sluice.units.Resources;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a choice needs besides the ledger of the node. */
public interface ChoiceContext {
    /** The rules for all migrations. */
    PressureRules rules();

    /** The sums of each node. */
    NodeRooms rooms();

    /** What is held on nodes beyond what their sums show. */
    Map<String, RoomAmounts> promised();

    /** Whether a full list of the migrations was received. */
    boolean listed();

    /** The number of migrations under way on all nodes, those being arranged included. */
    int underWay();

    /** The uids of pods that migrations take VMs away from on a node, also of pods that its ledger no longer has. */
    Set<String> leaving(String node);

    /** How the reservation is involved in a migration. */
    MigrationInvolvement engagement(ReservationView reservation);

    /** Why a VM of the one node may not go to the other, in words that follow "is"; empty where that node is open. */
    Optional<String> against(String from, String to);

    /** The VM of that name. */
    Optional<KnownVm> vm(String namespace, String name);

    /** What the VM in that pod uses now; empty if it is unknown, or not needed by the rules. */
    default Optional<Resources> use(String pod) {
        return Optional.empty();
    }

    /** The gang of a pod; empty if it has none. */
    default Optional<KnownGang> gang(String pod) {
        return Optional.empty();
    }

    /**
     * The remaining cooldown of a VM; empty when it is over.
     *
     * @param evenIfMoved whether a successful migration counts
     */
    Optional<Cooldown> resting(String namespace, String name, boolean evenIfMoved);
}
