package io.sluice.placement.core.preemption;

import io.sluice.placement.core.rules.ClusterTable;
import io.sluice.placement.core.rules.SchedulingRules;
import io.sluice.placement.core.spec.DisruptionBudget;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.spec.PodSpec;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Chooses which pods of lower priority are evicted for a pod, as kube-scheduler does, but with the ledger as one of the
 * rules. It tries each node by taking pods out of the table and putting them back; the table is the same afterwards.
 */
public final class VictimChoice {
    /** So many nodes are tried for one pod before the ledger is asked; others are tried at the next attempt. */
    private static final int TRIED_MAX = 300;

    private final SchedulingRules rules = SchedulingRules.withLedger();
    private final SchedulingRules kubernetes = SchedulingRules.ofKubernetes();
    private final ClusterTable table;

    public VictimChoice(ClusterTable table) {
        this.table = table;
    }

    /** Why no pod may be evicted for a pod now, whatever the nodes are; empty if some may. */
    public Optional<String> obstacle(PendingPod pending) {
        var pod = pending.spec();
        if (pod.preemption().never()) {
            return Optional.of("its preemption policy is Never");
        }
        var node = table.nominations().node(pod.uid()).orElse(pod.preemption().nominatedNode());
        if (!SchedulingRules.allows(pending, table, node)) {
            return Optional.empty();
        }
        return table.podsOn(node).stream()
                .filter(other -> other.terminating() && other.priority() < pod.priority())
                .min(Victims.MORE_IMPORTANT)
                .map(other -> "pod " + other.label() + " of lower priority is being deleted on node " + node);
    }

    /**
     * The nodes on which the pod may fit once all pods of lower priority are gone, whatever the ledger reserves.
     *
     * @param onlyForLedger whether nodes are left out that a rule of Kubernetes excludes as they are now
     * @param first how many nodes are passed over at the beginning, so that each attempt begins elsewhere
     * @param most the largest number of nodes
     */
    public List<String> candidates(PendingPod pod, boolean onlyForLedger, int first, int most) {
        var names = onlyForLedger
                ? kubernetes.fitting(pod, table).stream().mapToObj(table::name).toList()
                : SchedulingRules.reachable(pod, table).stream()
                        .mapToObj(table::name)
                        .toList();
        var candidates = new ArrayList<String>();
        int tried = 0;
        for (int i = 0; i < names.size() && candidates.size() < most && tried < TRIED_MAX; i++) {
            var name = names.get(Math.floorMod(first + i, names.size()));
            var lower = lower(pod.spec(), name);
            if (!lower.isEmpty()) {
                tried++;
                if (without(lower, Map.of(), () -> kubernetes.fits(pod, table, name))) {
                    candidates.add(name);
                }
            }
        }
        return candidates;
    }

    /**
     * The victims on the best of some nodes; empty if evictions help on none of them.
     *
     * @param charges what each pod there has reserved in the ledger, by uid
     */
    public Optional<Victims> choose(
            PendingPod pod,
            Collection<DisruptionBudget> budgets,
            Map<String, Resources> charges,
            Collection<String> candidates) {
        return candidates.stream()
                .flatMap(node -> on(pod, budgets, charges, node).stream())
                .min(Victims.BETTER);
    }

    private Optional<Victims> on(
            PendingPod pod, Collection<DisruptionBudget> budgets, Map<String, Resources> charges, String node) {
        var lower = lower(pod.spec(), node);
        if (lower.isEmpty()) {
            return Optional.empty();
        }
        return without(lower, charges, () -> {
            if (!rules.fits(pod, table, node)) {
                return Optional.empty();
            }
            var overBudget = overBudget(lower, budgets);
            var back = new ArrayList<PodSpec>();
            lower.stream().filter(one -> overBudget.contains(one.uid())).forEach(back::add);
            lower.stream().filter(one -> !overBudget.contains(one.uid())).forEach(back::add);
            var victims = new HashSet<String>();
            for (var one : back) {
                put(one, charges);
                if (!rules.fits(pod, table, node)) {
                    take(one, charges);
                    victims.add(one.uid());
                }
            }
            overBudget.retainAll(victims);
            var pods = lower.stream().filter(one -> victims.contains(one.uid())).toList();
            return pods.isEmpty() ? Optional.empty() : Optional.of(new Victims(node, pods, overBudget));
        });
    }

    /** The pods of lower priority on a node, the most important first. */
    private List<PodSpec> lower(PodSpec pod, String node) {
        return table.podsOn(node).stream()
                .filter(other -> other.priority() < pod.priority())
                .sorted(Victims.MORE_IMPORTANT)
                .toList();
    }

    /** The uids of those that some budget would not allow to be evicted after the ones before. */
    private static Set<String> overBudget(List<PodSpec> pods, Collection<DisruptionBudget> budgets) {
        var over = new HashSet<String>();
        for (var budget : budgets) {
            int allowed = budget.allowed();
            for (var pod : pods) {
                if (budget.counts(pod) && --allowed < 0) {
                    over.add(pod.uid());
                }
            }
        }
        return over;
    }

    /** What holds while those pods are out of the table. */
    private <T> T without(List<PodSpec> pods, Map<String, Resources> charges, Supplier<T> look) {
        pods.forEach(pod -> take(pod, charges));
        try {
            return look.get();
        } finally {
            pods.stream().filter(pod -> table.pod(pod.uid()).isEmpty()).forEach(pod -> put(pod, charges));
        }
    }

    private void take(PodSpec pod, Map<String, Resources> charges) {
        table.podGone(pod.uid());
        table.freed(pod.node(), charges.getOrDefault(pod.uid(), Resources.NONE));
    }

    private void put(PodSpec pod, Map<String, Resources> charges) {
        table.placed(pod);
        table.held(pod.node(), charges.getOrDefault(pod.uid(), Resources.NONE));
    }
}
