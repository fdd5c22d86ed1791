package io.sluice.placement.core.preemption;

import io.sluice.placement.core.gangs.GangMember;
import io.sluice.placement.core.gangs.GangRecord;
import io.sluice.placement.core.gangs.Gangs;
import io.sluice.placement.core.gangs.WholeGang;
import io.sluice.placement.core.plugins.RoomScore;
import io.sluice.placement.core.rules.ClusterTable;
import io.sluice.placement.core.rules.SchedulingRules;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.spec.PodSpec;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Chooses which pods are evicted for a gang that does not fit: members of gangs of lower priority, so that each keeps
 * its minimum, and none unless the whole gang fits then. It tries this on the table, which it leaves as it was.
 *
 * @param pods those to be evicted
 * @param choices where the gang fits then
 */
public record SurplusVictims(List<PodSpec> pods, List<WholeGang.Choice> choices) {
    /** Each costs one plan for the whole gang. */
    private static final int CONSIDERED_MAX = 50;

    public SurplusVictims {
        pods = List.copyOf(pods);
        choices = List.copyOf(choices);
    }

    /**
     * Of all members of the gangs with a surplus as many stay as possible, the more important ones first.
     *
     * @param members of the gang, of which it needs {@link GangRecord#need}
     * @param untouched gangs of which no member may be evicted
     * @param charges what each pod has reserved in the ledger, by uid; pods without are not evicted
     */
    public static Optional<SurplusVictims> choose(
            GangRecord gang,
            List<PendingPod> members,
            Gangs gangs,
            Predicate<GangRecord> untouched,
            Map<String, Resources> charges,
            ClusterTable table,
            RoomScore score) {
        var rules = SchedulingRules.withLedger();
        int need = Math.max(1, gang.need());
        var surplus = new HashMap<String, Integer>();
        var lower = new ArrayList<PodSpec>();
        for (var other : gangs.all()) {
            int more = surplus(other);
            if (more > 0 && other.priority() < gang.priority() && !untouched.test(other)) {
                var pods = other.members().stream()
                        .filter(SurplusVictims::runs)
                        .flatMap(member -> table.pod(member.uid()).stream())
                        .filter(pod -> charges.containsKey(pod.uid()))
                        .toList();
                pods.forEach(pod -> surplus.put(pod.uid(), more));
                lower.addAll(pods);
            }
        }
        var considered = lower.stream()
                .sorted(Victims.MORE_IMPORTANT.reversed())
                .limit(CONSIDERED_MAX)
                .toList();
        var out = new HashMap<String, PodSpec>();
        considered.forEach(pod -> take(pod, out, charges, table));
        try {
            var plan = WholeGang.plan(members, need, table, rules, score);
            if (considered.isEmpty() || !plan.fits()) {
                return Optional.empty();
            }
            for (var pod : considered.reversed()) {
                put(pod, out, charges, table);
                var without = WholeGang.plan(members, need, table, rules, score);
                if (without.fits()) {
                    plan = without;
                } else {
                    take(pod, out, charges, table);
                }
            }
            var victims = considered.stream()
                    .filter(pod -> out.containsKey(pod.uid()))
                    .toList();
            boolean within = victims.stream().allMatch(pod -> victimsOf(gangs, pod, victims) <= surplus.get(pod.uid()));
            return within && !victims.isEmpty()
                    ? Optional.of(new SurplusVictims(victims, plan.choices()))
                    : Optional.empty();
        } finally {
            List.copyOf(out.values()).forEach(pod -> put(pod, out, charges, table));
        }
    }

    private static boolean runs(GangMember member) {
        return member.isBound() && !member.gated();
    }

    /** How many of its members run beyond its minimum. */
    private static int surplus(GangRecord gang) {
        return gang.spec()
                .map(spec -> gang.count(SurplusVictims::runs) - spec.minMember())
                .orElse(0);
    }

    private static long victimsOf(Gangs gangs, PodSpec pod, List<PodSpec> victims) {
        var gang = gangs.of(pod.uid());
        return victims.stream()
                .filter(victim -> gangs.of(victim.uid()).equals(gang))
                .count();
    }

    private static void take(
            PodSpec pod, Map<String, PodSpec> out, Map<String, Resources> charges, ClusterTable table) {
        out.put(pod.uid(), pod);
        table.podGone(pod.uid());
        table.freed(pod.node(), charges.get(pod.uid()));
    }

    private static void put(PodSpec pod, Map<String, PodSpec> out, Map<String, Resources> charges, ClusterTable table) {
        out.remove(pod.uid());
        table.placed(pod);
        table.held(pod.node(), charges.get(pod.uid()));
    }
}
