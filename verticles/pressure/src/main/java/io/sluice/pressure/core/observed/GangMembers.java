package io.sluice.pressure.core.observed;

import io.sluice.messages.placement.GangState;
import io.sluice.messages.placement.GangState.Step;
import io.sluice.pressure.core.choice.KnownGang;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The gangs, as they were last published. Each is published anew every few seconds; one without news for a minute has
 * ended. The number of members is bounded.
 */
public final class GangMembers {
    private static final Duration LASTS = Duration.ofMinutes(1);

    private final int most;
    private final Map<String, Published> byPod = new HashMap<>();

    private record Published(GangState gang, Instant at) {}

    /** @param most the largest number of members */
    public GangMembers(int most) {
        this.most = most;
    }

    /** Applies how far a gang is; returns false if the limit is reached. */
    public boolean received(GangState gang, Instant now) {
        var published = new Published(gang, now);
        boolean kept = true;
        for (var member : gang.members()) {
            kept = byPod.containsKey(member.uid()) || byPod.size() < most;
            if (kept) {
                byPod.put(member.uid(), published);
            }
        }
        return kept;
    }

    /** Removes what has ended. */
    public void prune(Instant now) {
        byPod.values().removeIf(published -> now.isAfter(published.at().plus(LASTS)));
    }

    /**
     * The gang of a pod. While members are held or being bound none may leave, and otherwise one at a time.
     *
     * @param leaving the uids of pods that migrations take VMs away from
     */
    public Optional<KnownGang> of(String pod, Set<String> leaving) {
        return Optional.ofNullable(byPod.get(pod))
                .map(Published::gang)
                .map(gang -> new KnownGang(gang.label(), against(gang, leaving)));
    }

    private static Optional<String> against(GangState gang, Set<String> leaving) {
        int collected = gang.count(Step.HELD, Step.BINDING);
        if (collected > 0) {
            return Optional.of("is a member of gang " + gang.label() + ", which is being placed: " + collected
                    + " of its members are held or being bound");
        }
        return gang.members().stream()
                .filter(member -> leaving.contains(member.uid()))
                .findFirst()
                .map(member -> "is a member of gang " + gang.label() + ", of which " + member.name()
                        + " is leaving, and one leaves at a time");
    }
}
