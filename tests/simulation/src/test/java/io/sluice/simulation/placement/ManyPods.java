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
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.messages.placement.NodeRanks.NodeRank;
import io.sluice.messages.vm.BindPod;
import io.sluice.messages.vm.PodBinding;
import io.sluice.placement.core.LeftOverHolds;
import io.sluice.placement.core.NodeRanking;
import io.sluice.placement.core.NodeTable;
import io.sluice.placement.core.PlacementAttempt;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.placement.core.plugins.ReadyLedger;
import io.sluice.placement.core.plugins.ReservedRoom;
import io.sluice.placement.core.plugins.ReservedShare;
import io.sluice.shell.Portions;
import io.sluice.simulation.engine.Chance;
import io.sluice.simulation.engine.Seconds;
import io.sluice.simulation.engine.Timeline;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Pods that all wait from the first instant, and processes that place them with the real ranking, attempts and ledgers,
 * each called by a scheduler that takes one pod after the other. What a process knows of nodes is late, replies are
 * lost, and Bindings arrive late.
 */
final class ManyPods {
    private static final int PROCESSES = 3;
    private static final Resources NODE = new Resources(8_000, 32L << 30);
    private static final long CYCLE = Seconds.ofMillis(1);
    private static final long SUMMARY_LATE = Seconds.ofMillis(500);
    private static final long MESSAGE_LATE = Seconds.ofMillis(20);
    private static final long FROZEN = Seconds.of(30);
    private static final long TIMEOUT = Seconds.of(2);
    private static final long LEFT_OVER_EVERY = Seconds.of(5);
    private static final long SNAPSHOT_EVERY = Seconds.of(60);
    private static final long RETRY_FIRST = Seconds.of(1);
    private static final long RETRY_MAX = Seconds.of(10);
    private static final int LOST_ONE_IN = 20;

    private final Timeline time = new Timeline();
    private final Chance chance;
    private final NodeRanking ranking =
            new NodeRanking(List.of(new ReadyLedger(), new ReservedRoom(), new ReservedShare(0.5, 0.8, 0)));
    private final NodeLedger ledger = new NodeLedger(new LedgerRules(
            Duration.ofSeconds(10), 0.8, Portions.NOTHING, LastPermitTrust.RECOVERY, InvariantChecks.WHOLE));
    private final Map<String, NodeState> nodes = new HashMap<>();
    private final Map<String, Resources> bound = new HashMap<>();
    private final List<Pod> pods = new ArrayList<>();
    private final List<Process> processes = new ArrayList<>();
    private final LeftOverHolds leftOver = new LeftOverHolds();
    private int attempts;
    private int refused;

    private static final class Pod {
        private final String name;
        private final Resources amounts;
        private Optional<String> node = Optional.empty();
        private long version = 1;

        Pod(String name, Resources amounts) {
            this.name = name;
            this.amounts = amounts;
        }

        PodToPlace toPlace() {
            return new PodToPlace(new PodObserved(name, "ns", name, "", "", version, amounts, 0), Overcommit.OFF);
        }

        PodBinding touch() {
            version++;
            return node.<PodBinding>map(PodBinding.Bound::new).orElseGet(PodBinding.Unbound::new);
        }
    }

    private static final class Process {
        private final NodeTable known = new NodeTable();
        private final Deque<Pod> queue = new ArrayDeque<>();
        private final Map<Pod, Long> waits = new HashMap<>();
    }

    ManyPods(long seed, int nodeCount, int podCount) {
        chance = new Chance(seed, "many pods");
        for (int i = 0; i < PROCESSES; i++) {
            processes.add(new Process());
        }
        for (int i = 0; i < nodeCount; i++) {
            complete("node-" + i);
        }
        for (int i = 0; i < podCount; i++) {
            var pod = new Pod("pod-" + i, new Resources(250L * (1 + chance.below(4)), (1L + chance.below(4)) << 30));
            pods.add(pod);
            processes.get(chance.below(PROCESSES)).queue.add(pod);
        }
        processes.forEach(this::schedule);
        time.in(LEFT_OVER_EVERY, this::endLeftOverHolds);
        time.in(SNAPSHOT_EVERY, this::readNodes);
    }

    /** Plays that many seconds. */
    void play(int seconds) {
        long end = Seconds.of(seconds);
        while (time.step(end)) {
            // Each step checks what it does.
        }
    }

    int refused() {
        return refused;
    }

    /** The pods that are not bound, by what they request. */
    List<Resources> waiting() {
        return pods.stream()
                .filter(pod -> pod.node.isEmpty())
                .map(pod -> pod.amounts)
                .toList();
    }

    /** What each node has left by what is truly bound there; its ledger has reserved nothing else. */
    List<Resources> left() {
        return nodes.values().stream()
                .map(state -> {
                    var used = bound.getOrDefault(state.node(), Resources.NONE);
                    assertThat(state.sums().reserved())
                            .as("reserved on %s", state.node())
                            .isEqualTo(used);
                    assertThat(state.sums().held())
                            .as("held on %s", state.node())
                            .isEqualTo(Resources.NONE);
                    return NODE.minus(used);
                })
                .toList();
    }

    private void complete(String name) {
        var node = new NodeObserved(name, 1, NODE);
        nodes.put(name, NodeState.blank(name));
        var ahead = run(name, new LedgerCommand.Load(LoadNode.ahead(node)));
        run(
                name,
                new LedgerCommand.Load(new LoadNode(node, 2, List.of(), List.of())
                        .relist(ahead.relist().orElseThrow())));
        processes.forEach(process -> process.known.observed(LedgerView.summary(nodes.get(name), 0)));
    }

    /** Corrects what arrived in another order. */
    private void readNodes() {
        time.in(SNAPSHOT_EVERY, this::readNodes);
        for (var state : nodes.values()) {
            var summary = LedgerView.summary(state, 0);
            processes.forEach(process -> process.known.observed(summary));
        }
    }

    private Instant now() {
        return Seconds.instant(time.now());
    }

    /** Runs a command, checks the node, and publishes its sums. */
    private <A> A run(String node, LedgerCommand<A> command) {
        var outcome = ledger.apply(nodes.get(node), command, now(), 1);
        assertThat(outcome.notices())
                .as("notices of %s", command)
                .noneMatch(notice ->
                        notice instanceof LedgerNotice.InvariantsBroken || notice instanceof LedgerNotice.PodFound);
        var state = outcome.state();
        assertThat(state.sums().reserved().exceeds(NODE))
                .as("%s has reserved %s after %s", node, state.sums().reserved(), command)
                .isFalse();
        nodes.put(node, state);
        var summary = LedgerView.summary(state, 0);
        processes.forEach(process -> time.in(chance.below(SUMMARY_LATE), () -> process.known.observed(summary)));
        return outcome.reply();
    }

    /** A scheduler's cycle: one pod, then the next one, while attempts go on beside it. */
    private void schedule(Process process) {
        time.in(CYCLE, () -> schedule(process));
        var pod = process.queue.poll();
        if (pod == null || pod.node.isPresent()) {
            return;
        }
        ranking.rank(pod.toPlace(), process.known.names(), process.known, Optional.empty()).stream()
                .filter(NodeRank::fits)
                .max(Comparator.comparingInt(NodeRank::score))
                .ifPresentOrElse(best -> attempt(process, pod, best.node()), () -> again(process, pod));
    }

    private void again(Process process, Pod pod) {
        long wait = process.waits.merge(pod, RETRY_FIRST, (before, first) -> Math.min(2 * before, RETRY_MAX));
        time.in(wait, () -> process.queue.add(pod));
    }

    private void attempt(Process process, Pod pod, String node) {
        var attempt = new PlacementAttempt(pod.toPlace(), node, Optional.of("attempt-" + ++attempts));
        take(process, pod, attempt, attempt.begin());
    }

    private void take(Process process, Pod pod, PlacementAttempt attempt, PlacementAttempt.Step step) {
        switch (step) {
            case PlacementAttempt.Hold(var hold) ->
                this.exchange(
                        chance.below(MESSAGE_LATE), () -> run(hold.node(), new LedgerCommand.Hold(hold)), reply -> {
                            var next = attempt.held(reply);
                            if (next instanceof PlacementAttempt.Bind) {
                                process.known.held(hold.node(), attempt.pod(), List.of());
                            }
                            take(process, pod, attempt, next);
                        });
            case PlacementAttempt.Bind(var bind) ->
                exchange(late(), () -> bind(pod, bind), reply -> take(process, pod, attempt, attempt.bound(reply)));
            case PlacementAttempt.Touch _ ->
                exchange(late(), pod::touch, reply -> take(process, pod, attempt, attempt.touched(reply)));
            case PlacementAttempt.End end -> {
                refused += end.outcome() == PlacementAttempt.Outcome.HOLD_REFUSED ? 1 : 0;
                end.release().ifPresent(this::release);
                again(process, pod);
            }
        }
    }

    /** How long a call to the API server takes; some processes are frozen before they send it. */
    private long late() {
        return chance.below(chance.oneIn(LOST_ONE_IN) ? FROZEN : MESSAGE_LATE);
    }

    /** A request that has its effect at some time; its reply is lost, or too late, at times. */
    private <A> void exchange(long late, Supplier<A> effect, Consumer<Optional<A>> replied) {
        boolean lost = late >= TIMEOUT || chance.oneIn(LOST_ONE_IN);
        time.in(late, () -> {
            var reply = effect.get();
            if (!lost) {
                replied.accept(Optional.of(reply));
            }
        });
        if (lost) {
            time.in(TIMEOUT, () -> replied.accept(Optional.empty()));
        }
    }

    private PodBinding bind(Pod pod, BindPod bind) {
        if (pod.node.isPresent() || pod.version != bind.version()) {
            return new PodBinding.InDoubt("conflict");
        }
        pod.version++;
        pod.node = Optional.of(bind.node());
        var sum = bound.merge(bind.node(), pod.amounts, Resources::plus);
        assertThat(sum.exceeds(NODE)).as("%s has %s bound", bind.node(), sum).isFalse();
        var observed = new PodObserved(pod.name, "ns", pod.name, bind.node(), "", pod.version, pod.amounts, 0);
        time.in(chance.below(SUMMARY_LATE), () -> run(bind.node(), new LedgerCommand.ObservePod(observed)));
        return new PodBinding.Bound(bind.node());
    }

    private void release(ReleaseHold hold) {
        if (!chance.oneIn(LOST_ONE_IN)) {
            time.in(chance.below(MESSAGE_LATE), () -> run(hold.node(), new LedgerCommand.Release(hold)));
        }
    }

    private void endLeftOverHolds() {
        time.in(LEFT_OVER_EVERY, this::endLeftOverHolds);
        var ledgers =
                nodes.values().stream().map(state -> LedgerView.full(state, 0)).toList();
        for (var attempt : leftOver.observed(ledgers, now())) {
            var pod = pods.stream()
                    .filter(each -> each.name.equals(attempt.pod().pod().uid()))
                    .findFirst()
                    .orElseThrow();
            exchange(
                    late(),
                    pod::touch,
                    reply -> attempt.touched(reply).release().ifPresent(this::release));
        }
    }
}
