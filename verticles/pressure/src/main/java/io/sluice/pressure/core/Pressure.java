package io.sluice.pressure.core;

import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.PressureNumbers;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.messages.pressure.Ranking;
import io.sluice.pressure.core.choice.ChoiceContext;
import io.sluice.pressure.core.choice.ChoiceRules;
import io.sluice.pressure.core.choice.Cooldown;
import io.sluice.pressure.core.choice.KnownVm;
import io.sluice.pressure.core.choice.MigrationInvolvement;
import io.sluice.pressure.core.choice.MigrationRanking;
import io.sluice.pressure.core.choice.NoChoice;
import io.sluice.pressure.core.choice.NodeRooms;
import io.sluice.pressure.core.choice.PressureRules;
import io.sluice.pressure.core.migrations.ActionQueue;
import io.sluice.pressure.core.migrations.Cooldowns;
import io.sluice.pressure.core.migrations.Migrations;
import io.sluice.pressure.core.migrations.PressureAction;
import io.sluice.pressure.core.migrations.PressureNotice;
import io.sluice.pressure.core.observed.Nodes;
import io.sluice.pressure.core.observed.Pods;
import io.sluice.pressure.core.observed.Vms;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Watches all nodes, chooses who leaves those under pressure, and sees each migration through. */
public final class Pressure {
    private static final int FACTS_MAX = 200_000;
    private static final Duration RESYNCS_APART = Duration.ofSeconds(60);

    /** Leaves room for a number in an attempt's id. */
    private static final int PROCESS_LENGTH_MAX = 40;

    private final ActionQueue out = new ActionQueue();
    private final Cooldowns rests = new Cooldowns();
    private final NodeRooms rooms = new NodeRooms();
    private final SnapshotSchedule looks = new SnapshotSchedule();
    private final Nodes nodes = new Nodes(FACTS_MAX);
    private final Vms vms = new Vms(FACTS_MAX);
    private final Pods pods = new Pods(FACTS_MAX);
    private final Migrations migrations;
    private final LoneMarks loneMarks;
    private PressureRules rules;
    private boolean listed;
    private Instant resyncAfter;

    /**
     * Knows nothing yet; the facts are asked for again where they do not come.
     *
     * @param process a name that nobody else has or had, of at most {@value #PROCESS_LENGTH_MAX} characters: the ids of
     *     its attempts begin with it
     */
    public Pressure(String process, PressureRules rules, Instant now) {
        if (process.length() > PROCESS_LENGTH_MAX) {
            throw new IllegalArgumentException("a process' name is too long: " + process.length());
        }
        this.rules = Objects.requireNonNull(rules, "rules");
        migrations = new Migrations(process, rules, rooms, vms, pods, out, rests);
        loneMarks = new LoneMarks(migrations);
        resyncAfter = now.plus(RESYNCS_APART);
    }

    /** What is to be done about an event. */
    public List<PressureAction> on(PressureEvent event, Instant now) {
        out.at(now);
        take(event);
        migrations.settle();
        migrations.awaitedOn().forEach(looks::want);
        looks.settle(out);
        resync();
        return out.drain();
    }

    private void take(PressureEvent event) {
        switch (event) {
            case PressureEvent.NodeChanged(var books) -> changed(books);
            case PressureEvent.Looked(var number, var books) -> looked(number, books);
            case PressureEvent.SnapshotFailed(var number) ->
                looks.answered(number).ifPresent(looks::want);
            case PressureEvent.NodeReceived(var fact) -> kept(nodes.seen(fact), "nodes");
            case PressureEvent.NodeMissed(var fact) -> nodes.gone(fact);
            case PressureEvent.VmReceived(var fact) -> kept(vms.seen(fact), "VMs");
            case PressureEvent.VmMissed(var fact) -> {
                if (vms.gone(fact)) {
                    migrations.vmGone(fact.vm().namespace(), fact.vm().name());
                }
            }
            case PressureEvent.PodReceived(var fact) -> {
                kept(pods.seen(fact), "pods");
                migrations.landed(fact);
            }
            case PressureEvent.PodMissed(var fact) -> {
                pods.gone(fact);
                migrations.podGone(fact.uid());
            }
            case PressureEvent.MigrationReceived(var fact) -> migrations.seen(fact);
            case PressureEvent.MigrationMissed(var fact) -> migrations.gone(fact);
            case PressureEvent.FullListReceived(var list) -> {
                list.ifPresent(migrations::listed);
                listingHeard();
            }
            case PressureEvent.Answered(var number, var migration, var answer) ->
                migrations.answered(migration, number, answer);
            case PressureEvent.RulesChanged(var changed) -> {
                rules = changed;
                migrations.rules(changed);
                rooms.pressed().forEach(looks::want);
            }
            case PressureEvent.Ticked _ -> rests.prune(rules, out.now());
        }
    }

    private void kept(boolean kept, String what) {
        if (!kept) {
            out.note(new PressureNotice.TooMany(what, FACTS_MAX));
        }
    }

    private void changed(NodeLedgerView books) {
        rooms.heard(books, out.next());
        if (books.underPressure() || vms.alwaysMigrateOn(books.node())) {
            looks.want(books.node());
        }
    }

    private void looked(long number, Snapshot snapshot) {
        var node = looks.answered(number);
        if (node.isEmpty()) {
            return;
        }
        snapshot.nodes().forEach(books -> rooms.heard(books, number));
        if (node.get().isEmpty()) {
            var found = snapshot.nodes().stream().map(NodeLedgerView::node).toList();
            rooms.onlyThese(found, number);
            looks.onlyThese(rooms.all().stream().map(room -> room.node()).toList());
            loneMarks.onlyThese(found);
        }
        for (var books : snapshot.nodes()) {
            migrations.looked(books, number);
            if (listed) {
                loneMarks
                        .looked(books, out.now())
                        .forEach(found -> migrations.unmarkAlone(books.node(), found.member(), found.attempt()));
            }
            choose(books);
        }
    }

    private void choose(NodeLedgerView books) {
        var choice = ChoiceRules.choose(books, around());
        choice.picks().forEach(migrations::begin);
        choice.nobody().ifPresent(nobody -> tell(books, nobody));
        ChoiceRules.always(books, around()).forEach(migrations::begin);
    }

    private void tell(NodeLedgerView books, NoChoice nobody) {
        out.note(new PressureNotice.NobodyMoves(books.node(), nobody.cause()));
        out.tellNews(
                books.node(),
                nobody.gist(),
                new PressureDecision(
                        PressureDecision.Kind.NOBODY_MOVES,
                        books.node(),
                        Optional.empty(),
                        "",
                        Optional.of(PressureNumbers.of(books)),
                        nobody.reason()));
    }

    private void listingHeard() {
        listed = true;
        loneMarks.listed();
        nodes.listed();
        pods.listed(migrations::podGone);
        vms.listed(vm -> migrations.vmGone(vm.id().namespace(), vm.id().name()));
        rooms.pressed().forEach(looks::want);
    }

    /** Facts get lost; those that something waits for are asked for again, though not often. */
    private void resync() {
        if (!out.now().isBefore(resyncAfter) && (!listed || migrations.stuck() || loneMarks.waits())) {
            resyncAfter = out.now().plus(RESYNCS_APART);
            out.add(new PressureAction.RequestRelist());
        }
    }

    /** Who would leave a node, in which order, and who would not. */
    public Ranking rank(NodeLedgerView books, Instant now) {
        out.at(now);
        return MigrationRanking.rank(books, around());
    }

    /** How many migrations are under way, those being arranged included. */
    public int underWay() {
        return migrations.underWay();
    }

    /** How many migrations that somebody else began are there for longer than ours would be let be. */
    public int hanging() {
        return migrations.hanging();
    }

    /** How many nodes VMs should leave. */
    public int pressedNodes() {
        return rooms.pressedCount();
    }

    /** How many VMs stay where they are for a while. */
    public int resting() {
        return rests.size();
    }

    /** Everything, for people. */
    public PressureView view(Instant now) {
        return new PressureView(rules, listed, migrations.views(), rooms.all(), nodes.closed(), rests.all(rules, now));
    }

    private ChoiceContext around() {
        var promised = migrations.promised();
        int underWay = migrations.underWay();
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
            public Map<String, Resources> promised() {
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
            public MigrationInvolvement engagement(ReservationView member) {
                return migrations.engagement(member);
            }

            @Override
            public Optional<String> against(String from, String to) {
                return nodes.against(from, to);
            }

            @Override
            public Optional<KnownVm> vm(String namespace, String name) {
                return vms.find(namespace, name);
            }

            @Override
            public Optional<Cooldown> resting(String namespace, String name, boolean evenIfMoved) {
                return rests.of(namespace + "/" + name, evenIfMoved, rules, out.now());
            }
        };
    }
}
