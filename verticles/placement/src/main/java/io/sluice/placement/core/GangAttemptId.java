package io.sluice.placement.core;

import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReleaseHold;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The id that the holds of one attempt have in the ledger. It shows any process whether the attempt may bind.
 *
 * @param need how many members have to be held
 * @param startedBefore how many members of its gangs were bound, or had succeeded, when it began
 * @param unique never used for another attempt
 */
public record GangAttemptId(int need, int startedBefore, String unique) {
    private static final Pattern FORM = Pattern.compile("gang-(\\d{1,5})-(\\d{1,6})-([^.]+)[.]\\d+");

    public GangAttemptId {
        Objects.requireNonNull(unique, "unique");
    }

    /** The attempt of a hold; empty if it is not one of a gang's. */
    public static Optional<GangAttemptId> parse(String heldFor) {
        var found = FORM.matcher(heldFor);
        return found.matches()
                ? Optional.of(new GangAttemptId(
                        Integer.parseInt(found.group(1)), Integer.parseInt(found.group(2)), found.group(3)))
                : Optional.empty();
    }

    /**
     * Whether all members were held at one time, so that binds may have begun.
     *
     * @param held how many are held now
     * @param started how many members of its gangs are bound now, or have succeeded
     */
    public boolean isDecided(int held, int started) {
        return held + Math.max(0, started - startedBefore) >= need;
    }

    /**
     * All holds of gangs in some ledgers: by attempt, the release of each by the uid of its pod.
     *
     * @param ledgers of all nodes on which room is held
     */
    public static Map<GangAttemptId, Map<String, ReleaseHold>> leftOver(List<NodeLedgerView> ledgers) {
        var found = new LinkedHashMap<GangAttemptId, Map<String, ReleaseHold>>();
        for (var ledger : ledgers) {
            for (var reservation : ledger.reservations()) {
                var heldFor = reservation.traits().heldFor();
                if (reservation.traits().held()) {
                    parse(heldFor)
                            .ifPresent(id -> found.computeIfAbsent(id, added -> new LinkedHashMap<>())
                                    .put(
                                            reservation.pod(),
                                            new ReleaseHold(ledger.node(), reservation.pod(), heldFor)));
                }
            }
        }
        return found;
    }

    /** How the ids of its holds begin in the ledger. */
    public String text() {
        return "gang-" + need + "-" + startedBefore + "-" + unique;
    }
}
