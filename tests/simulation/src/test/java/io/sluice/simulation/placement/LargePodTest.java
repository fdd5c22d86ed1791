package io.sluice.simulation.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.core.InvariantChecks;
import io.sluice.ledger.core.LastPermitTrust;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerNotice;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.core.state.LedgerView;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.placement.core.KeptRoomRules;
import io.sluice.placement.core.NodeTable;
import io.sluice.placement.core.PendingPods;
import io.sluice.placement.core.PlacementAttempt;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.shell.Portions;
import io.sluice.simulation.engine.Chance;
import io.sluice.simulation.engine.Seconds;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A large pod waits on a full node while small ones come and go, each tried before the large one by a process that sees
 * nothing of the decision to keep room. The real ledger and the real rules.
 */
class LargePodTest {
    private static final Resources NODE = new Resources(8_000, 32L << 30);
    private static final Resources SMALL = new Resources(1_000, 4L << 30);
    private static final int SECONDS = 600;
    private static final int LIFE_MAX = 20;
    private static final int SOON = 35;

    private final NodeLedger ledger = new NodeLedger(new LedgerRules(
            Duration.ofSeconds(10), 0.8, Portions.NOTHING, LastPermitTrust.RECOVERY, InvariantChecks.WHOLE));
    private final KeptRoomRules rules = new KeptRoomRules();
    private final Map<String, Integer> ends = new HashMap<>();
    private final PodToPlace large = pod("large", SMALL.times(6));
    private NodeState state = NodeState.blank("n");
    private long version;
    private int second;
    private int denied;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void isNotStarvedBySmallOnes(long seed) {
        var placed = play(seed, true);

        assertThat(placed.orElse(SECONDS))
                .as("the second in which the large pod got its room")
                .isLessThanOrEqualTo(SOON);
        assertThat(denied).as("small pods that were denied").isPositive();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void wouldBeStarvedWithoutTheClaim(long seed) {
        assertThat(play(seed, false)).isEmpty();
    }

    /** The second in which the large pod is placed; empty if it is not. */
    private OptionalInt play(long seed, boolean keeps) {
        var chance = new Chance(seed, "large pod");
        complete();
        for (second = 0; second < SECONDS; second++) {
            ends.entrySet().stream()
                    .filter(pod -> pod.getValue() <= second)
                    .map(Map.Entry::getKey)
                    .toList()
                    .forEach(this::end);
            for (int tried = 0; tried < NODE.milliCpu() / SMALL.milliCpu(); tried++) {
                var name = "small-" + second + "-" + tried;
                if (holds(pod(name, SMALL))) {
                    ends.put(name, second + 1 + chance.below(LIFE_MAX));
                }
            }
            if (holds(large)) {
                return OptionalInt.of(second);
            }
            if (keeps) {
                keep();
            }
        }
        return OptionalInt.empty();
    }

    private void keep() {
        var nodes = new NodeTable();
        nodes.observed(LedgerView.summary(state, 0));
        var waiting = List.of(new PendingPods.WithoutNode(large, Seconds.instant(0), List.of()));
        rules.keep(waiting, nodes, now())
                .forEach(request -> rules.replied(request.room(), run(new LedgerCommand.Keep(request))));
    }

    /** A hold, and the observation of the bound pod. */
    private boolean holds(PodToPlace pod) {
        var attempt = new PlacementAttempt(pod, "n", Optional.of(pod.pod().uid()));
        if (!(attempt.begin() instanceof PlacementAttempt.Hold(var request))) {
            throw new AssertionError("an attempt begins with a hold");
        }
        var reply = run(new LedgerCommand.Hold(request));
        if (reply.equals(new HoldReply.RoomKept("ns/large"))) {
            denied++;
        }
        if (reply instanceof HoldReply.Held) {
            var of = pod.pod();
            run(new LedgerCommand.ObservePod(
                    new PodObserved(of.uid(), "ns", of.name(), "n", "", ++version, of.amounts(), 0)));
        }
        return reply instanceof HoldReply.Held;
    }

    private void end(String name) {
        ends.remove(name);
        run(new LedgerCommand.LosePod(new PodGone(name, "n", ++version)));
    }

    private void complete() {
        var node = new NodeObserved("n", ++version, NODE);
        var ahead = run(new LedgerCommand.Load(LoadNode.ahead(node)));
        run(new LedgerCommand.Load(new LoadNode(node, ++version, List.of(), List.of())
                .relist(ahead.relist().orElseThrow())));
    }

    private <A> A run(LedgerCommand<A> command) {
        var outcome = ledger.apply(state, command, now(), 1);
        assertThat(outcome.notices()).noneMatch(notice -> notice instanceof LedgerNotice.InvariantsBroken);
        state = outcome.state();
        return outcome.reply();
    }

    private Instant now() {
        return Seconds.instant(Seconds.of(second));
    }

    private static PodToPlace pod(String name, Resources amounts) {
        return new PodToPlace(new PodObserved(name, "ns", name, "", "", 1, amounts, 0), Overcommit.OFF);
    }
}
