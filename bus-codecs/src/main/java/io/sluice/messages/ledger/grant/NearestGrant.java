package io.sluice.messages.ledger.grant;

import java.util.List;
import java.util.Objects;

/**
 * What would let a request be granted. Each change was tried on a copy of the state by what decides, and granted.
 *
 * @param sufficiency how the changes help
 * @param changes the changes, the smallest of each kind
 */
public record NearestGrant(Sufficiency sufficiency, List<GrantChange> changes) {
    /** How changes help. */
    public enum Sufficiency {
        /** It would be granted now. */
        GRANTED,
        /** Each of the changes alone is enough. */
        ANY,
        /** No change alone is enough; all of these together are. */
        ALL,
        /** No change is known. */
        NONE
    }

    /** Nothing is known that would help. */
    public static final NearestGrant UNKNOWN = new NearestGrant(Sufficiency.NONE, List.of());

    public NearestGrant {
        Objects.requireNonNull(sufficiency, "sufficiency");
        changes = List.copyOf(changes);
    }

    /** What would let a request be granted that needs all of some changes. */
    public static NearestGrant ofAll(List<GrantChange> changes) {
        return switch (changes.size()) {
            case 0 -> UNKNOWN;
            case 1 -> new NearestGrant(Sufficiency.ANY, changes);
            default -> new NearestGrant(Sufficiency.ALL, changes);
        };
    }

    /** What would let one of several be granted; the nearest is the first. */
    public static NearestGrant ofAny(List<NearestGrant> all) {
        if (all.stream().anyMatch(one -> one.sufficiency() == Sufficiency.GRANTED)) {
            return new NearestGrant(Sufficiency.GRANTED, List.of());
        }
        var alone = all.stream()
                .filter(one -> one.sufficiency() == Sufficiency.ANY)
                .flatMap(one -> one.changes().stream())
                .toList();
        return alone.isEmpty()
                ? all.stream()
                        .filter(one -> one.sufficiency() == Sufficiency.ALL)
                        .findFirst()
                        .orElse(UNKNOWN)
                : new NearestGrant(Sufficiency.ANY, alone);
    }
}
