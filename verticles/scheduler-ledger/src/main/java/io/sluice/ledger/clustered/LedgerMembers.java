package io.sluice.ledger.clustered;

import com.hazelcast.cluster.Member;
import com.hazelcast.config.MemberAttributeConfig;
import io.sluice.ledger.core.LedgerRules;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The members that keep books, and whether all of them were told the same: how many there are to be, and what cannot
 * change while they run. Safe from any thread.
 */
final class LedgerMembers {
    private static final String SIZE = "sluice.ledger.size";
    private static final String RULES = "sluice.ledger.rules";

    private final int size;
    private final String rules;
    private volatile View sight = new View(List.of(), List.of(), Optional.empty());

    /**
     * @param size how many members keep books in all
     * @param rules what of them counts here does not change while the process runs
     */
    LedgerMembers(int size, LedgerRules rules) {
        this.size = size;
        this.rules = rules.permitValidFor() + " " + rules.systemReserve() + " " + rules.trustLastPermit();
    }

    private record View(List<Member> others, List<UUID> ids, Optional<GrantRefusal> disagreement) {}

    /** Tells the others what this member was told. */
    void sign(MemberAttributeConfig attributes) {
        attributes.setAttribute(SIZE, Integer.toString(size));
        attributes.setAttribute(RULES, rules);
    }

    /** The names of all that keep ledger state, the oldest member first. */
    static List<UUID> keeping(Collection<Member> members) {
        return members.stream()
                .filter(member -> !member.isLiteMember())
                .map(Member::getUuid)
                .toList();
    }

    int size() {
        return size;
    }

    void see(Collection<Member> members) {
        var keeping = members.stream().filter(member -> !member.isLiteMember()).toList();
        var others = keeping.stream().filter(member -> !member.localMember()).toList();
        sight = new View(others, others.stream().map(Member::getUuid).toList(), disagreement(keeping, others));
    }

    List<Member> others() {
        return sight.others();
    }

    List<UUID> otherIds() {
        return sight.ids();
    }

    /** Why nothing may be granted whoever is heard; empty while all agree. */
    Optional<GrantRefusal> disagreement() {
        return sight.disagreement();
    }

    private Optional<GrantRefusal> disagreement(List<Member> keeping, List<Member> others) {
        for (var other : others) {
            var told = other.getAttribute(SIZE);
            if (!Integer.toString(size).equals(told)) {
                return Optional.of(new GrantRefusal(
                        GrantRefusal.Cause.DISAGREEMENT,
                        "the member " + text(other) + " was told that members.ledgers is " + told + ", this one "
                                + size));
            }
            if (!rules.equals(other.getAttribute(RULES))) {
                return Optional.of(new GrantRefusal(
                        GrantRefusal.Cause.DISAGREEMENT,
                        "the member " + text(other) + " was told other ledger.permitValidFor, ledger.systemReserve or"
                                + " ledger.trustLastPermit than this one"));
            }
        }
        if (keeping.size() > size) {
            return Optional.of(new GrantRefusal(
                    GrantRefusal.Cause.TOO_MANY,
                    keeping.size() + " members keep books, but members.ledgers is " + size));
        }
        return Optional.empty();
    }

    private static String text(Member member) {
        return member.getAddress().getHost() + ":" + member.getAddress().getPort();
    }
}
