package io.sluice.replay.openb;

import io.sluice.ledger.LedgerConfig;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.core.state.LedgerView;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.placement.core.NodeRanking;
import io.sluice.placement.core.NodeTable;
import io.sluice.placement.core.PlacementAttempt;
import io.sluice.placement.core.plugins.PlacementPlugin;
import io.sluice.placement.core.plugins.PodToPlace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Places the tasks of a trace one after the other: ranked by the pipeline of placement, held by the ledger of each
 * node, which chooses the devices. A task that fits nowhere is left out; none ends.
 */
public final class OpenbReplay {
    private static final Instant NOW = Instant.EPOCH;

    private final OpenbTrace trace;
    private final NodeLedger ledger = new NodeLedger(LedgerConfig.DEFAULTS.rules());
    private final Map<String, NodeState> states = new HashMap<>();
    private final NodeTable table = new NodeTable();
    private final List<String> names = new ArrayList<>();
    private final NodeRanking ranking;
    private long allocated;
    private int placed;

    /** @param rules for nodes */
    public OpenbReplay(OpenbTrace trace, List<PlacementPlugin> rules) {
        this.trace = trace;
        ranking = new NodeRanking(rules);
        for (var node : trace.nodes()) {
            names.add(node.node());
            var blank = NodeState.blank(node.node()).named(1, NOW);
            var list = new LoadNode(node, 1, List.of(), List.of()).relist(1);
            changed(ledger.apply(blank, new LedgerCommand.Load(list), NOW, 1).state());
        }
    }

    private void changed(NodeState state) {
        states.put(state.node(), state);
        table.observed(LedgerView.summary(state, 0));
    }

    /** The share of all devices that is allocated after each percent of arrivals. */
    public double[] play(List<OpenbTrace.Task> arrivals) {
        long all = trace.milliOfAll();
        var allocatedAt = new double
                [1
                        + (int) (100
                                * arrivals.stream()
                                        .mapToLong(OpenbTrace.Task::milliOfAll)
                                        .sum()
                                / all)];
        long requested = 0;
        for (int i = 0; i < arrivals.size(); i++) {
            var task = arrivals.get(i);
            place(task, i);
            requested += task.milliOfAll();
            allocatedAt[(int) Math.min(allocatedAt.length - 1, 100 * requested / all)] = (double) allocated / all;
        }
        allocatedAt[allocatedAt.length - 1] = (double) allocated / all;
        return allocatedAt;
    }

    private void place(OpenbTrace.Task task, int number) {
        var pod = new PodToPlace(task.pod("task-" + number), Overcommit.OFF);
        ranking.best(pod, names, table)
                .ifPresent(node -> hold(new PlacementAttempt(pod, node, Optional.of("attempt-" + number)), task));
    }

    private void hold(PlacementAttempt attempt, OpenbTrace.Task task) {
        if (!(attempt.begin() instanceof PlacementAttempt.Hold(var request))) {
            throw new IllegalStateException("an attempt begins with a hold");
        }
        var outcome = ledger.apply(states.get(attempt.node()), new LedgerCommand.Hold(request), NOW, 1);
        if (!(outcome.reply() instanceof HoldReply.Bound
                || outcome.reply() instanceof HoldReply.Held held
                        && held.gpus().shares().size() == task.devices())) {
            throw new IllegalStateException(attempt.node() + " refused a task that fits: " + outcome.reply());
        }
        changed(outcome.state());
        allocated += task.milliOfAll();
        placed++;
    }

    /** The models of the devices on which something is reserved. */
    public Set<String> modelsInUse() {
        var models = new TreeSet<String>();
        for (var node : table.all()) {
            for (int at = 0; at < node.devices().count(); at++) {
                if (!node.devices().isIdle(at)) {
                    models.add(node.devices().device(at).model());
                }
            }
        }
        return models;
    }

    /** The number of tasks that were placed. */
    public int placed() {
        return placed;
    }
}
