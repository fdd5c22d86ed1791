package io.sluice.pressure.core;

import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.PressureNumbers;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.messages.pressure.Ranking;
import io.sluice.pressure.core.actions.ActionQueue;
import io.sluice.pressure.core.actions.PressureAction;
import io.sluice.pressure.core.actions.PressureNotice;
import io.sluice.pressure.core.choice.ChoiceContext;
import io.sluice.pressure.core.choice.ChoiceRules;
import io.sluice.pressure.core.choice.Cooldown;
import io.sluice.pressure.core.choice.KnownGang;
import io.sluice.pressure.core.choice.KnownVm;
import io.sluice.pressure.core.choice.MigrationInvolvement;
import io.sluice.pressure.core.choice.MigrationRanking;
import io.sluice.pressure.core.choice.NoChoice;
import io.sluice.pressure.core.choice.NodeRooms;
import io.sluice.pressure.core.choice.NodeRooms.LiveTargets;
import io.sluice.pressure.core.choice.PressureRules;
import io.sluice.pressure.core.choice.RoomAmounts;
import io.sluice.pressure.core.migrations.Cooldowns;
import io.sluice.pressure.core.migrations.Migrations;
import io.sluice.pressure.core.observed.GangMembers;
import io.sluice.pressure.core.observed.Nodes;
import io.sluice.pressure.core.observed.Pods;
import io.sluice.pressure.core.observed.Vms;
import io.sluice.shell.load.LiveUse;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Watches all nodes, chooses which VMs leave those under pressure, and follows each migration to its end. */
public final class Pressure {
    private static final int OBSERVATIONS_MAX = 200_000;
    private static final Duration RELISTS_APART = Duration.ofSeconds(60);

    /** Leaves room for a number in an attempt's id. */
    private static final int PROCESS_LENGTH_MAX = 40;

    private final ActionQueue out = new ActionQueue();
    private final Cooldowns rests = new Cooldowns();
    private final NodeRooms rooms = new NodeRooms();
    private final SnapshotSchedule looks = new SnapshotSchedule();
    private final Nodes nodes = new Nodes(OBSERVATIONS_MAX);
    private final Vms vms = new Vms(OBSERVATIONS_MAX);
    private final Pods pods = new Pods(OBSERVATIONS_MAX);
    private final GangMembers gangs = new GangMembers(OBSERVATIONS_MAX);
    private final LiveUse live = new LiveUse(OBSERVATIONS_MAX);
    private final Migrations migrations;
    private final OrphanMarks orphanMarks;
    private PressureRules rules;
    private boolean listed;
    private Instant relistAfter;

    /**
     * Starts without state. Observations that do not arrive are requested again.
     *
     * @param process a name that no other process has or had, of at most {@value #PROCESS_LENGTH_MAX} characters; the
     *     ids of its attempts begin with it
     */
    public Pressure(String process, PressureRules rules, Instant now) {
        if (process.length() > PROCESS_LENGTH_MAX) {
            throw new IllegalArgumentException("the process name is too long: " + process.length());
        }
        this.rules = Objects.requireNonNull(rules, "rules");
        migrations = new Migrations(process, rules, rooms, vms, pods, out, rests);
        orphanMarks = new OrphanMarks(migrations);
        relistAfter = now.plus(RELISTS_APART);
    }

    /** Handles an event and returns the actions to perform. */
    public List<PressureAction> on(PressureEvent event, Instant now) {
        out.at(now);
        take(event);
        migrations.finish();
        migrations.awaitedOn().forEach(looks::require);
        looks.answered(out);
        relist();
        return out.drain();
    }

    private void take(PressureEvent event) {
        switch (event) {
            case PressureEvent.NodeChanged(var ledger) -> changed(ledger);
            case PressureEvent.Looked(var number, var snapshot) -> looked(number, snapshot);
            case PressureEvent.SnapshotFailed(var number) ->
                looks.answered(number).ifPresent(looks::require);
            case PressureEvent.NodeReceived(var observation) -> kept(nodes.observed(observation), "nodes");
            case PressureEvent.NodeMissed(var observation) -> nodes.gone(observation);
            case PressureEvent.VmReceived(var observation) -> kept(vms.observed(observation), "VMs");
            case PressureEvent.VmMissed(var observation) -> {
                if (vms.gone(observation)) {
                    migrations.vmGone(
                            observation.vm().namespace(), observation.vm().name());
                }
            }
            case PressureEvent.PodReceived(var observation) -> {
                kept(pods.observed(observation), "pods");
                migrations.landed(observation);
            }
            case PressureEvent.PodMissed(var observation) -> {
                pods.gone(observation);
                live.gone(observation.uid());
                migrations.podGone(observation.uid());
            }
            case PressureEvent.MigrationReceived(var observation) -> migrations.observed(observation);
            case PressureEvent.MigrationMissed(var observation) -> migrations.gone(observation);
            case PressureEvent.FullListReceived(var list) -> {
                list.ifPresent(migrations::listed);
                fullListReceived();
            }
            case PressureEvent.Answered(var number, var migration, var answer) ->
                migrations.answered(migration, number, answer);
            case PressureEvent.RulesChanged(var changed) -> {
                rules = changed;
                migrations.rules(changed);
                rooms.pressed().forEach(looks::require);
            }
            case PressureEvent.StatusReceived(var status) -> kept(received(status), "VMs that report their use");
            case PressureEvent.GangReceived(var gang) -> kept(gangs.received(gang, out.now()), "members of gangs");
            case PressureEvent.Ticked _ -> {
                gangs.prune(out.now());
                rooms.prune(out.now());
                rests.prune(rules, out.now());
                live.prune(out.now());
            }
        }
    }

    private boolean received(RunnerStatus status) {
        var vm = vms.find(status.vm().namespace(), status.vm().name());
        return live.received(status, vm.map(KnownVm::overcommit).orElse(Overcommit.OFF), out.now());
    }

    private void kept(boolean kept, String what) {
        if (!kept) {
            out.record(new PressureNotice.TooMany(what, OBSERVATIONS_MAX));
        }
    }

    private void changed(NodeLedgerView ledger) {
        rooms.received(ledger, out.next());
        if (ledger.underPressure() || vms.alwaysMigrateOn(ledger.node())) {
            looks.require(ledger.node());
        }
    }

    private void looked(long number, Snapshot snapshot) {
        var node = looks.answered(number);
        if (node.isEmpty()) {
            return;
        }
        snapshot.nodes().forEach(ledger -> rooms.received(ledger, number));
        if (node.get().isEmpty()) {
            var found = snapshot.nodes().stream().map(NodeLedgerView::node).toList();
            rooms.onlyThese(found, number);
            looks.onlyThese(rooms.all().stream().map(room -> room.node()).toList());
            orphanMarks.onlyThese(found);
        }
        for (var ledger : snapshot.nodes()) {
            migrations.looked(ledger, number);
            if (listed) {
                orphanMarks
                        .looked(ledger, out.now())
                        .forEach(found -> migrations.unmarkOrphan(ledger.node(), found.reservation(), found.attempt()));
            }
            choose(ledger);
        }
    }

    private void choose(NodeLedgerView ledger) {
        var choice = ChoiceRules.choose(ledger, around());
        choice.picks().forEach(migrations::begin);
        choice.none().ifPresent(none -> publish(ledger, none));
        ChoiceRules.always(ledger, around()).forEach(migrations::begin);
    }

    private void publish(NodeLedgerView ledger, NoChoice none) {
        out.record(new PressureNotice.NoneMoves(ledger.node(), none.cause()));
        out.publishNews(
                ledger.node(),
                none.gist(),
                new PressureDecision(
                        PressureDecision.Kind.NONE_MOVES,
                        ledger.node(),
                        Optional.empty(),
                        "",
                        Optional.of(PressureNumbers.of(ledger)),
                        none.reason()));
    }

    private void fullListReceived() {
        listed = true;
        orphanMarks.listed();
        nodes.listed();
        pods.listed(migrations::podGone);
        vms.listed(vm -> migrations.vmGone(vm.id().namespace(), vm.id().name()));
        rooms.pressed().forEach(looks::require);
    }

    /** Requests a full list if an awaited observation seems to be lost, at most once a minute. */
    private void relist() {
        if (!out.now().isBefore(relistAfter) && (!listed || migrations.stuck() || orphanMarks.waits())) {
            relistAfter = out.now().plus(RELISTS_APART);
            out.add(new PressureAction.RequestRelist());
        }
    }

    /** The VMs that would leave a node, in order, and those that would stay. */
    public Ranking rank(NodeLedgerView ledger, Instant now) {
        out.at(now);
        return MigrationRanking.rank(ledger, around());
    }

    /** The number of migrations under way, those being arranged included. */
    public int underWay() {
        return migrations.underWay();
    }

    /** The migrations that another party began longer ago than this role allows its own, each with its VM. */
    public List<String> hanging() {
        return migrations.hanging();
    }

    /** The number of nodes under pressure. */
    public int pressedNodes() {
        return rooms.pressedCount();
    }

    /** The number of VMs in cooldown. */
    public int resting() {
        return rests.size();
    }

    /** The whole state, for the dump. */
    public PressureView view(Instant now) {
        return new PressureView(rules, listed, migrations.views(), rooms.all(), nodes.closed(), rests.all(rules, now));
    }

    private ChoiceContext around() {
        rooms.targets(rules.targets().score().map(score -> new LiveTargets(score, live.byNode(out.now()))));
        var promised = migrations.promised();
        int underWay = migrations.underWay();
        var leaving = migrations.leaving();
        return new ChoiceContext() {
            @Override
            public PressureRules rules() {
                return rules;
            }

            @Override
            public NodeRooms rooms() {
                return rooms;
            }

            @Override
            public Map<String, RoomAmounts> promised() {
                return promised;
            }

            @Override
            public boolean listed() {
                return listed;
            }

            @Override
            public int underWay() {
                return underWay;
            }

            @Override
            public Set<String> leaving(String node) {
                return migrations.leaving(node);
            }

            @Override
            public MigrationInvolvement engagement(ReservationView reservation) {
                return migrations.engagement(reservation);
            }

            @Override
            public Optional<String> against(String from, String to) {
                return nodes.against(from, to).or(() -> rooms.refusal(to, out.now()));
            }

            @Override
            public Optional<KnownVm> vm(String namespace, String name) {
                return vms.find(namespace, name);
            }

            @Override
            public Optional<Resources> use(String pod) {
                return live.of(pod, out.now());
            }

            @Override
            public Optional<KnownGang> gang(String pod) {
                return gangs.of(pod, leaving);
            }

            @Override
            public Optional<Cooldown> resting(String namespace, String name, boolean evenIfMoved) {
                return rests.of(namespace + "/" + name, evenIfMoved, rules, out.now());
            }
        };
    }
}
