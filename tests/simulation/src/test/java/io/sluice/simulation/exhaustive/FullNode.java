package io.sluice.simulation.exhaustive;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.core.RateLimiter;
import io.sluice.ledger.core.InvariantChecks;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerNotice;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.core.state.LedgerView;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.messages.cluster.MigrationGone;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.vm.EndReply;
import io.sluice.messages.vm.MigrateReply;
import io.sluice.messages.vm.MigrateVm;
import io.sluice.pressure.core.Pressure;
import io.sluice.pressure.core.PressureEvent;
import io.sluice.pressure.core.actions.MigrationReply;
import io.sluice.pressure.core.actions.MigrationRequest;
import io.sluice.pressure.core.actions.PressureAction;
import io.sluice.pressure.core.choice.Policy;
import io.sluice.pressure.core.choice.PressureRules;
import io.sluice.simulation.exhaustive.Tenant.Conduct;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The real cores around two nodes, of which the first is full, in turns of a second: ledger, gateway, pressure, and the
 * runners of 100 VMs, of which one differs from the others.
 */
final class FullNode {
    static final int PER_SECOND = 10;
    static final int BURST = 20;
    static final int TURNS = 180;

    /**
     * Turns before anything is recorded: after the start, reservations are at their maximum, and upscale requests raise
     * by one unit a turn.
     */
    static final int WARM_UP = 29;

    private static final int VMS = 100;
    private static final String FULL = "n1";
    private static final Map<String, Resources> TOTALS =
            Map.of(FULL, VmState.UNIT.times(250), "n2", VmState.UNIT.times(20));
    private static final int MIGRATION_TURNS = 3;
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final NodeLedger ledger = new NodeLedger(Timing.ledger(InvariantChecks.WHOLE));
    private final Map<String, NodeState> nodes = new LinkedHashMap<>();
    private final RateLimiter gate = new RateLimiter(PER_SECOND, BURST);
    private final Pressure pressure;
    private final List<Tenant> tenants;
    private final List<Move> moves = new ArrayList<>();
    private final Outcome outcome =
            new Outcome(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    private int turn;
    private long version = 1_000;

    /**
     * The result of one play.
     *
     * @param permits what the other VMs requested and were permitted, in order
     * @param reactions the turns from each rise of their demand to its size
     * @param migrations turn, VM and target of each
     * @param refused all other replies to them
     * @param requests the turn of each permit request of the first VM that reached the ledger
     */
    record Outcome(
            List<String> permits,
            List<String> reactions,
            List<String> migrations,
            List<String> refused,
            List<Integer> requests) {}

    private record Move(int begun, MigrateVm request) {
        String uid() {
            return "uid-of-" + request.migration();
        }
    }

    private FullNode(Conduct conduct, VmState.Agent agent) {
        pressure = new Pressure(
                "pressure",
                new PressureRules(false, Policy.LOWEST_LOAD, 2, 10, MINUTE, MINUTE, MINUTE),
                RunnerHost.instant(0));
        tenants = IntStream.range(0, VMS)
                .mapToObj(place -> new Tenant(this, place, agent, place == 0 ? conduct : Conduct.NEIGHBOUR))
                .toList();
    }

    static Outcome play(Conduct conduct, VmState.Agent agent) {
        var node = new FullNode(conduct, agent);
        node.fill();
        for (node.turn = 1; node.turn <= TURNS; node.turn++) {
            node.turn();
        }
        return node.outcome;
    }

    private void fill() {
        for (var name : List.of(FULL, "n2")) {
            var observed = new NodeObserved(name, 1, TOTALS.get(name));
            nodes.put(name, NodeState.blank(name));
            var there = tenants.stream()
                    .map(Tenant::vm)
                    .filter(vm -> vm.node().equals(name))
                    .toList();
            var relist = run(name, new LedgerCommand.Load(LoadNode.ahead(observed)))
                    .relist()
                    .orElseThrow();
            var list = new LoadNode(
                    observed,
                    100,
                    there.stream().map(VmState::podObserved).toList(),
                    there.stream().map(VmState::observed).toList());
            run(name, new LedgerCommand.Load(list.relist(relist)));
            on(new PressureEvent.NodeReceived(observed));
        }
        for (var tenant : tenants) {
            on(new PressureEvent.PodReceived(tenant.vm().podObserved()));
            on(new PressureEvent.VmReceived(tenant.vm().observed()));
        }
    }

    private void turn() {
        if (turn == WARM_UP) {
            on(new PressureEvent.FullListReceived(Optional.empty()));
        }
        tenants.forEach(Tenant::turn);
        moves.stream()
                .filter(move -> move.begun() + MIGRATION_TURNS == turn)
                .toList()
                .forEach(this::land);
        for (var name : nodes.keySet()) {
            run(name, new LedgerCommand.Tick());
            on(new PressureEvent.NodeChanged(LedgerView.summary(nodes.get(name), 0)));
        }
        on(new PressureEvent.Ticked());
        if (turn > WARM_UP) {
            check();
        }
    }

    /** Checks what must hold after every turn. */
    private void check() {
        var first = tenants.getFirst().vm();
        assertThat(first.node()).isEqualTo(FULL);
        assertThat(first.inUse())
                .as("the first VM is at its maximum, turn %d", turn)
                .isEqualTo(Tenant.MOST);
        for (var node : nodes.values()) {
            var total = TOTALS.get(node.node());
            var inUse = tenants.stream()
                    .map(Tenant::vm)
                    .filter(vm -> vm.node().equals(node.node()))
                    .map(VmState::inUse)
                    .reduce(Resources.NONE, Resources::plus);
            assertThat(inUse.exceeds(total))
                    .as("more in use than there is, turn %d", turn)
                    .isFalse();
        }
    }

    /**
     * Runs a command. After it the first VM has no more than its maximum, and no node has reserved more than its total.
     */
    <A> A run(String name, LedgerCommand<A> command) {
        var result = ledger.apply(nodes.get(name), command, now(), ++version);
        nodes.put(name, result.state());
        assertThat(result.notices()).noneMatch(LedgerNotice.InvariantsBroken.class::isInstance);
        if (turn > WARM_UP) {
            assertThat(result.state().sums().reserved().exceeds(TOTALS.get(name)))
                    .as("reservations above the total, turn %d, after %s", turn, command)
                    .isFalse();
            result.state()
                    .reservations()
                    .find(tenants.getFirst().vm().pod())
                    .ifPresent(reservation -> assertThat(
                                    reservation.amounts().reserved().exceeds(Tenant.MOST))
                            .as("above the maximum, turn %d, after %s", turn, command)
                            .isFalse());
            if (command instanceof LedgerCommand.RequestPermit request) {
                record(request, result.reply());
            }
        }
        return result.reply();
    }

    private void record(LedgerCommand.RequestPermit request, Object reply) {
        var pod = request.request().pod();
        if (pod.equals(tenants.getFirst().vm().pod())) {
            outcome.requests().add(turn);
        } else if (reply instanceof PermitReply.Ruled ruled) {
            outcome.permits()
                    .add("%d %s requested %s, permitted %s: %s"
                            .formatted(
                                    turn,
                                    pod,
                                    VmState.text(request.request().target()),
                                    VmState.text(ruled.permit()),
                                    ruled.memory().outcome()));
        } else {
            outcome.refused().add(turn + " " + pod + " " + reply);
        }
    }

    private void on(PressureEvent event) {
        for (var action : pressure.on(event, now())) {
            switch (action) {
                case PressureAction.Look(var number, var node) -> {
                    var ledger = nodes.values().stream()
                            .filter(it -> node.isEmpty() || it.node().equals(node))
                            .map(it -> LedgerView.full(it, 0))
                            .toList();
                    on(new PressureEvent.Looked(number, new Snapshot(ledger)));
                }
                case PressureAction.Send(var number, var migration, var request) ->
                    on(new PressureEvent.Answered(number, migration, answer(request)));
                case PressureAction.RequestRelist _, PressureAction.Publish _, PressureAction.Record _ -> {}
            }
        }
    }

    private MigrationReply answer(MigrationRequest request) {
        return switch (request) {
            case MigrationRequest.Hold(var it) -> new MigrationReply.OfHold(run(it.node(), new LedgerCommand.Hold(it)));
            case MigrationRequest.Release(var it) ->
                new MigrationReply.OfHold(run(it.node(), new LedgerCommand.Release(it)));
            case MigrationRequest.Mark(var it) -> new MigrationReply.OfMark(run(it.node(), new LedgerCommand.Mark(it)));
            case MigrationRequest.Unmark(var it) ->
                new MigrationReply.OfMark(run(it.node(), new LedgerCommand.Unmark(it)));
            case MigrationRequest.Migrate(var it) -> {
                var move = new Move(turn, it);
                moves.add(move);
                outcome.migrations().add(turn + " " + it.vm().name() + " to " + it.roomOn());
                yield new MigrationReply.OfMigrate(new MigrateReply.Begun(move.uid(), ++version));
            }
            case MigrationRequest.End _ -> new MigrationReply.OfEnd(new EndReply.Ended());
        };
    }

    /** Ends a migration: the VM runs on the target from now on, and the migration object is deleted. */
    private void land(Move move) {
        var request = move.request();
        var tenant = tenants.stream()
                .filter(it -> it.vm().id().equals(request.vm()))
                .findFirst()
                .orElseThrow();
        var source = tenant.vm();
        var target = moved(source, request.roomOn());
        run(target.node(), new LedgerCommand.ObservePod(pod(target, 1, request.migration())));
        var gone = new PodGone(source.pod(), source.node(), ++version);
        run(source.node(), new LedgerCommand.LosePod(gone));
        tenant.become(target);
        on(new PressureEvent.MigrationReceived(new MigrationObserved(
                request.vm().driver(),
                request.vm().namespace(),
                request.migration(),
                move.uid(),
                ++version,
                request.vm().name(),
                MigrationPhase.SUCCEEDED,
                source.pod(),
                target.pod(),
                request.roomOn(),
                true,
                false,
                move.begun(),
                request.attempt())));
        on(new PressureEvent.PodMissed(gone));
        run(target.node(), new LedgerCommand.ObservePod(pod(target, 2, "")));
        on(new PressureEvent.MigrationMissed(new MigrationGone(
                request.vm().namespace(),
                request.migration(),
                move.uid(),
                request.vm().name(),
                ++version)));
    }

    private static VmState moved(VmState vm, String node) {
        return new VmState(
                vm.kind(),
                node,
                vm.autoscaled(),
                vm.version() + 1,
                vm.spec(),
                vm.status(),
                vm.work(),
                vm.target(),
                vm.shown(),
                vm.fence());
    }

    private static PodObserved pod(VmState vm, long version, String migration) {
        var name = vm.pod();
        var namespace = vm.id().namespace();
        return new PodObserved(name, namespace, name, vm.node(), vm.kind().name(), version, vm.inUse(), 1, migration);
    }

    /** Publishes an observation of the VM. */
    void observed(VmState vm) {
        run(vm.node(), new LedgerCommand.ObserveVm(vm.observed()));
        on(new PressureEvent.VmReceived(vm.observed()));
    }

    /** Whether the gateway replies 429 to a request for that pod. */
    boolean turnsAway(String pod) {
        return gate.pass(pod, now()).isPresent();
    }

    void reacted(String vm, int since) {
        if (since > WARM_UP) {
            outcome.reactions().add(vm + " since " + since + " after " + (turn - since));
        }
    }

    void refused(String pod) {
        outcome.refused().add(turn + " " + pod + " got 429");
    }

    int turnOfNow() {
        return turn;
    }

    Instant now() {
        return RunnerHost.instant(turn);
    }
}
