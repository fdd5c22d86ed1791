package io.sluice.placement.core.gangs;

import io.sluice.placement.core.plugins.RoomScore;
import io.sluice.placement.core.rules.ClusterTable;
import io.sluice.placement.core.rules.SchedulingRules;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Chooses nodes for the members of a gang together. It tries this on what is known, which it leaves as it was. */
public final class WholeGang {
    private WholeGang() {}

    /** A member and the node that was chosen for it. */
    public record Choice(PendingPod member, String node) {}

    /**
     * What was found.
     *
     * @param choices for all members that fit; not fewer than are needed, unless there is an obstacle
     * @param fitting how many fit, of those that were tried
     * @param obstacle why too few fit: that of the first member that does not; empty where enough fit
     */
    public record Plan(List<Choice> choices, int fitting, String obstacle) {
        public Plan {
            choices = List.copyOf(choices);
        }

        /** Whether enough members fit. */
        public boolean fits() {
            return obstacle.isEmpty();
        }
    }

    /**
     * The nodes for as many members as fit, the largest ones first. It is empty of choices where fewer than needed fit.
     *
     * @param need how many have to fit
     */
    public static Plan plan(
            List<PendingPod> members, int need, ClusterTable cluster, SchedulingRules rules, RoomScore score) {
        return plan(members, need, cluster, rules, score, Map.of());
    }

    /** @param only the nodes that some members may have, by uid; the others may have any */
    public static Plan plan(
            List<PendingPod> members,
            int need,
            ClusterTable cluster,
            SchedulingRules rules,
            RoomScore score,
            Map<String, BitSet> only) {
        var choices = new ArrayList<Choice>();
        try {
            Optional<String> obstacle = Optional.empty();
            int left = members.size();
            for (var member : largestFirst(members, cluster.largest())) {
                if (choices.size() + left < need) {
                    break;
                }
                left--;
                var fitting = rules.fitting(member, cluster);
                Optional.ofNullable(only.get(member.spec().uid())).ifPresent(fitting::and);
                if (fitting.isEmpty()) {
                    obstacle = obstacle.or(() -> Optional.of(rules.reason(member, cluster)));
                } else {
                    var node = cluster.name(SchedulingRules.best(member, cluster, fitting, score));
                    cluster.placed(member.spec().on(node));
                    cluster.held(node, member.charge());
                    cluster.plan(node, member);
                    choices.add(new Choice(member, node));
                }
            }
            return choices.size() >= need
                    ? new Plan(choices, choices.size(), "")
                    : new Plan(List.of(), choices.size(), obstacle.orElse("it has too few members"));
        } finally {
            cluster.endPlan();
            choices.forEach(choice -> {
                cluster.podGone(choice.member().spec().uid());
                cluster.freed(choice.node(), choice.member().charge());
            });
        }
    }

    private static List<PendingPod> largestFirst(List<PendingPod> members, Resources largest) {
        return members.stream()
                .sorted(Comparator.<PendingPod>comparingDouble(member -> -dominantShare(member.charge(), largest))
                        .thenComparing(member -> member.spec().label()))
                .toList();
    }

    private static double dominantShare(Resources charge, Resources largest) {
        double most = 0;
        for (var kind : ResourceKind.values()) {
            most = Math.max(most, (double) charge.of(kind) / Math.max(1, largest.of(kind)));
        }
        return most;
    }
}
