package io.sluice.cluster;

import io.sluice.cluster.fleet.Agents;
import io.sluice.cluster.fleet.StateWatch;
import io.sluice.cluster.fleet.Window;
import io.sluice.cluster.process.Departures;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Plays rounds on a cluster, which continues from one round to the next. */
final class Rounds {
    private static final Duration WORKING = Duration.ofSeconds(3);
    private static final long AT_MAXIMUM_MS_MAX = 30_000;

    private final Cluster cluster;
    private final Departures departures;
    private final MainCode code;

    /**
     * @param cluster a cluster that has started
     * @param code code of its processes
     */
    Rounds(Cluster cluster, MainCode code) {
        this.cluster = cluster;
        this.code = code;
        departures = new Departures(cluster.members());
    }

    /** Plays one round. It begins and ends with all processes ready, all VMs served, and correct ledger state. */
    RoundResult play(Scenario scenario, int round) {
        var agents = cluster.agents();
        var unhealed = new ArrayList<String>();
        var outage = Window.Outage.NOTHING;
        var back = Window.Outage.NOTHING;
        long answersBefore = agents.look(all -> all.truth().answers());
        try {
            begin();
            var healing = scenario.fault().strike(cluster);
            outage = observed();
            agents.look(Rounds::beginWindow);
            healing.run();
            heal();
            back = observed();
            work();
            cluster.awaitLedgersTrue();
        } catch (Unhealed late) {
            outage = outage == Window.Outage.NOTHING ? observed() : outage;
            unhealed.add(late.getMessage());
        }
        var state = cluster.watch().take();
        unhealed.addAll(late(scenario, outage, state));
        var wrong = agents.truth().takeWrongs();
        long answers = agents.look(all -> all.truth().answers()) - answersBefore;
        var splits = departures.take(cluster.takeTouched());
        return new RoundResult(
                scenario.name(),
                round,
                Instant.now(),
                code,
                outage,
                back,
                state.atMaximumMs(),
                cluster.workload().takeDone(),
                wrong,
                List.copyOf(unhealed),
                splits,
                answers);
    }

    private static List<String> late(Scenario scenario, Window.Outage outage, StateWatch.Observed state) {
        var late = new ArrayList<String>();
        if (outage.worstMs() > scenario.goal().worstMsMax()) {
            late.add("a VM was %d ms without a permit, and the limit is %d"
                    .formatted(outage.worstMs(), scenario.goal().worstMsMax()));
        }
        if (state.atMaximumMs() > AT_MAXIMUM_MS_MAX) {
            late.add("a VM stayed at its maximum for %d ms".formatted(state.atMaximumMs()));
        }
        if (scenario.keepsState() && !state.incomplete().isEmpty()) {
            late.add("became incomplete: " + state.incomplete());
        }
        return late;
    }

    private void begin() {
        cluster.revive();
        cluster.awaitReady();
        cluster.agents().resume();
        cluster.awaitServed(System.nanoTime());
        work();
        departures.take(cluster.takeTouched());
        cluster.watch().take();
        cluster.agents().look(Rounds::beginWindow);
    }

    private void work() {
        cluster.workload().work();
        cluster.hold(WORKING);
    }

    private static boolean beginWindow(Agents agents) {
        agents.window().begin();
        return true;
    }

    private void heal() {
        cluster.revive();
        cluster.awaitReady();
        cluster.awaitServed(System.nanoTime());
    }

    private Window.Outage observed() {
        return cluster.agents().look(all -> all.window().observed());
    }
}
