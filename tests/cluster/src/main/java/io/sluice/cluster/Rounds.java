package io.sluice.cluster;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Plays rounds on a cluster, which goes on from one to the next. */
final class Rounds {
    private final Cluster cluster;
    private final Departures departures;

    /** @param cluster that has started */
    Rounds(Cluster cluster) {
        this.cluster = cluster;
        departures = new Departures(cluster.members());
    }

    /** One round: begins and ends with all processes ready, all VMs served, and books that are true. */
    RoundResult play(Scenario scenario, int round) {
        var agents = cluster.agents();
        var unhealed = new ArrayList<String>();
        var outage = Window.Seen.NOTHING;
        var back = Window.Seen.NOTHING;
        long answersBefore = agents.look(all -> all.truth().answers());
        try {
            begin();
            var healing = scenario.fault().strike(cluster);
            outage = seen();
            agents.look(Rounds::beginWindow);
            healing.run();
            heal();
            back = seen();
            cluster.awaitBooksTrue();
        } catch (Unhealed late) {
            outage = outage == Window.Seen.NOTHING ? seen() : outage;
            unhealed.add(late.getMessage());
        }
        var wrong = agents.truth().takeWrongs();
        long answers = agents.look(all -> all.truth().answers()) - answersBefore;
        var splits = departures.take(cluster.takeTouched());
        return new RoundResult(
                scenario.name(), round, Instant.now(), outage, back, wrong, List.copyOf(unhealed), splits, answers);
    }

    private void begin() {
        cluster.revive();
        cluster.awaitReady();
        cluster.agents().resume();
        cluster.awaitServed(System.nanoTime());
        departures.take(cluster.takeTouched());
        cluster.agents().look(Rounds::beginWindow);
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

    private Window.Seen seen() {
        return cluster.agents().look(all -> all.window().seen());
    }
}
