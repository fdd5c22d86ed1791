package io.sluice.ledger.clustered;

import com.hazelcast.cluster.Member;
import com.hazelcast.config.MemberAttributeConfig;
import io.sluice.ledger.core.LedgerRules;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The data members, and whether all have the same number of ledger processes and the same rules. Safe from any thread.
 */
final class LedgerMembers {
    private static final String SIZE = "sluice.ledger.size";
    private static final String RULES = "sluice.ledger.rules";

    private final int size;
    private final String rules;
    private volatile View view = new View(List.of(), List.of(), Optional.empty());

    /**
     * Creates the view of a member.
     *
     * @param size the number of ledger processes
     * @param rules the rules of this member; only those that cannot change while running are compared
     */
    LedgerMembers(int size, LedgerRules rules) {
        this.size = size;
        this.rules = rules.permitValidFor() + " " + rules.systemReserve() + " " + rules.trustLastPermit();
    }

    private record View(List<Member> others, List<UUID> ids, Optional<GrantRefusal> disagreement) {}

    /** Publishes this member's configuration as member attributes. */
    void sign(MemberAttributeConfig attributes) {
        attributes.setAttribute(SIZE, Integer.toString(size));
        attributes.setAttribute(RULES, rules);
    }

    /** The ids of all data members, the oldest first. */
    static List<UUID> keeping(Collection<Member> members) {
        return members.stream()
                .filter(member -> !member.isLiteMember())
                .map(Member::getUuid)
                .toList();
    }

    int size() {
        return size;
    }

    void observe(Collection<Member> members) {
        var keeping = members.stream().filter(member -> !member.isLiteMember()).toList();
        var others = keeping.stream().filter(member -> !member.localMember()).toList();
        view = new View(others, others.stream().map(Member::getUuid).toList(), disagreement(keeping, others));
    }

    List<Member> others() {
        return view.others();
    }

    List<UUID> otherIds() {
        return view.ids();
    }

    /** Why nothing may be granted whatever members reply; empty while all agree. */
    Optional<GrantRefusal> disagreement() {
        return view.disagreement();
    }

    private Optional<GrantRefusal> disagreement(List<Member> keeping, List<Member> others) {
        for (var other : others) {
            var reported = other.getAttribute(SIZE);
            if (!Integer.toString(size).equals(reported)) {
                return Optional.of(new GrantRefusal(
                        GrantRefusal.Cause.DISAGREEMENT,
                        "the member " + text(other) + " has hazelcast.ledgers " + reported + ", this one has " + size));
            }
            if (!rules.equals(other.getAttribute(RULES))) {
                return Optional.of(new GrantRefusal(
                        GrantRefusal.Cause.DISAGREEMENT,
                        "the member " + text(other) + " has another ledger.permitValidFor, ledger.systemReserve or"
                                + " ledger.trustLastPermit than this one"));
            }
        }
        if (keeping.size() > size) {
            return Optional.of(new GrantRefusal(
                    GrantRefusal.Cause.TOO_MANY,
                    keeping.size() + " members keep ledger state, but hazelcast.ledgers is " + size));
        }
        return Optional.empty();
    }

    private static String text(Member member) {
        return member.getAddress().getHost() + ":" + member.getAddress().getPort();
    }
}
