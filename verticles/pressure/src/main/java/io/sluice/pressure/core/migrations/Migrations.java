package io.sluice.pressure.core.migrations;

import io.sluice.messages.cluster.MigrationGone;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.ObservedMigrations;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.messages.vm.MigrateVm;
import io.sluice.pressure.core.choice.MigrationInvolvement;
import io.sluice.pressure.core.choice.NodeRooms;
import io.sluice.pressure.core.choice.Pick;
import io.sluice.pressure.core.choice.PressureRules;
import io.sluice.pressure.core.observed.Pods;
import io.sluice.pressure.core.observed.Vms;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** All migrations that are known, whoever began them, each seen through until nothing is left of it. */
public final class Migrations {
    private static final Duration STUCK_AFTER = Duration.ofSeconds(60);

    private final MigrationIndex register = new MigrationIndex();
    private final ActionQueue out;
    private final MigrationContext desk;
    private final Vms vms;
    private final Pods pods;
    private final NodeRooms rooms;
    private final String process;
    private long attempts;
    private PressureRules rules;

    /**
     * None yet.
     *
     * @param process begins the id of each attempt; nobody else may have the same, nor have had it before
     */
    public Migrations(
            String process,
            PressureRules rules,
            NodeRooms rooms,
            Vms vms,
            Pods pods,
            ActionQueue out,
            Cooldowns rests) {
        this.process = process;
        this.rules = rules;
        this.rooms = rooms;
        this.vms = vms;
        this.pods = pods;
        this.out = out;
        desk = new MigrationContext(out, rests);
    }

    /** From now on these hold, for those under way too. */
    public void rules(PressureRules newRules) {
        rules = newRules;
    }

    /** Begins one, with the room for it. */
    public void begin(Pick pick) {
        var id = pick.vm().id();
        if (register.of(id.namespace(), id.name()).findAny().isEmpty()) {
            attempts++;
            var name = MigrateVm.migrationOf(pick.member().name());
            var key = new MigrationKey(id.namespace(), name, process + "/" + attempts);
            var about = new MigrationIdentity(
                    key, MigrationOrigin.HERE, id.name(), pick.to(), Optional.of(pick), out.now());
            register.add(Migration.chosen(about, pick, desk));
        }
    }

    /** Whether that attempt is known. */
    public boolean knows(String attempt) {
        return register.all().stream()
                .anyMatch(migration -> migration.about().key().attempt().equals(attempt));
    }

    /** How many of somebody else's are there for longer than ours would be let be. */
    public int hanging() {
        return (int) register.all().stream()
                .filter(migration -> migration.hangs(rules, out.now()))
                .count();
    }

    /** A member is marked, and nobody knows of that attempt: the mark is taken back. */
    public void unmarkAlone(String node, ReservationView member, String attempt) {
        var key = new MigrationKey(member.namespace(), "mark of " + member.member(), attempt);
        if (register.find(key).isEmpty()) {
            var about = new MigrationIdentity(
                    key, MigrationOrigin.OTHERS, member.vmName(), "", Optional.empty(), out.now());
            var marked = new MigrationSource(node, member.member(), member.name());
            register.add(Migration.markAlone(about, marked, desk));
            out.note(new PressureNotice.MarkFoundAlone(node, member.namespace(), member.vmName()));
        }
    }

    /** A fact. */
    public void seen(MigrationObserved seen) {
        if (register.isOver(seen.uid(), seen.version())) {
            return;
        }
        namesake(seen);
        var key = new MigrationKey(seen.namespace(), seen.name(), seen.attempt());
        var known = register.find(key);
        if (known.isPresent()) {
            saw(known.get(), seen);
        } else if (seen.ours() || !seen.phase().ended()) {
            find(key, seen);
        }
    }

    /** An object of the same name and another uid came after the one that is known, which so is gone. */
    private void namesake(MigrationObserved seen) {
        for (var migration : register.all()) {
            var key = migration.about().key();
            var object = migration.object();
            boolean sameName =
                    key.namespace().equals(seen.namespace()) && key.name().equals(seen.name());
            if (sameName && object.known() && !object.uid().equals(seen.uid()) && object.version() < seen.version()) {
                migration.gone();
            }
        }
    }

    private void saw(Migration migration, MigrationObserved seen) {
        var object = migration.object();
        if (!object.known() || object.uid().equals(seen.uid())) {
            migration.saw(seen, out.now());
        }
    }

    private void find(MigrationKey key, MigrationObserved seen) {
        if (register.full()) {
            out.note(new PressureNotice.TooMany("migrations", MigrationIndex.KEPT_MAX));
            return;
        }
        var origin = seen.ours() ? MigrationOrigin.ADOPTED : MigrationOrigin.OTHERS;
        var to = seen.ours() ? seen.roomOn() : "";
        var about = new MigrationIdentity(key, origin, seen.vmName(), to, Optional.empty(), out.now());
        if (!seen.phase().ended()) {
            register.of(key.namespace(), seen.vmName()).forEach(other -> other.outdone(key));
        }
        register.add(Migration.found(about, seen, desk));
        pods.madeBy(key.namespace(), key.name()).ifPresent(this::landed);
    }

    /** A fact; one about an object that is not the known one is old. */
    public void gone(MigrationGone gone) {
        register.deleted(gone.uid());
        register.of(gone.namespace(), gone.vmName())
                .filter(known -> known.object().uid().equals(gone.uid()))
                .toList()
                .forEach(Migration::gone);
    }

    /** A pod was seen that may be a migration's target. */
    public void landed(PodObserved pod) {
        if (pod.migrationTarget()) {
            register.of(pod.namespace(), pod.vmName())
                    .filter(migration -> migration.about().key().name().equals(pod.migration()))
                    .forEach(migration -> migration.landed(pod.node(), pod.uid()));
        }
    }

    /** A pod ended. */
    public void podGone(String uid) {
        register.all().forEach(migration -> migration.podGone(uid));
    }

    /** A VM was deleted. */
    public void vmGone(String namespace, String name) {
        register.of(namespace, name).forEach(Migration::vmGone);
    }

    /** The books of a node, with their members; {@code number} is when they were asked for. */
    public void looked(NodeLedgerView books, long number) {
        register.all().forEach(migration -> migration.looked(books, number));
    }

    /** What was answered to a question. */
    public void answered(MigrationKey key, long number, MigrationReply answer) {
        register.find(key).ifPresent(migration -> {
            boolean before = migration.object().known();
            new ReplyRules(migration, rooms, rules, out).take(number, answer);
            if (!before && migration.object().known()) {
                goneAlready(migration);
            }
        });
    }

    /** The fact of its end may overtake the answer that it was begun. */
    private void goneAlready(Migration migration) {
        if (register.isOver(migration.object().uid(), Long.MAX_VALUE)) {
            migration.gone();
        }
    }

    /** A full list is through: what it misses although it is newer is gone. */
    public void listed(ObservedMigrations list) {
        for (var migration : register.all()) {
            var object = migration.object();
            if (object.known() && list.misses(object.uid(), object.version())) {
                register.deleted(object.uid());
                migration.gone();
            }
        }
    }

    /** Asks what there is to ask as things stand now, and forgets those of which nothing is left. */
    public void settle() {
        for (var migration : register.all()) {
            resolve(migration);
            migration.tick(rules, out.now());
            RemoteRequests.run(migration, rules, out);
            if (DesiredStateRules.nothingOf(migration)) {
                register.remove(migration);
            }
        }
    }

    /** Facts come in any order: who moves may be known before where it is. */
    private void resolve(Migration migration) {
        var about = migration.about();
        var namespace = about.key().namespace();
        vms.find(namespace, about.vmName()).ifPresent(migration::knows);
        if (migration.source().isEmpty()) {
            source(migration, namespace).ifPresent(migration::leaves);
        }
    }

    private Optional<MigrationSource> source(Migration migration, String namespace) {
        var podName = migration.object().sourcePod();
        if (!podName.isEmpty()) {
            return pods.find(namespace, podName).map(pod -> new MigrationSource(pod.node(), pod.uid(), pod.name()));
        }
        return migration
                .vm()
                .filter(vm ->
                        migration.live() && !vm.pod().isEmpty() && !vm.node().isEmpty())
                .filter(vm -> !migration.arrival().isIn(vm.pod()))
                .map(vm -> new MigrationSource(vm.node(), vm.pod(), vm.podName()));
    }

    /** Whether the member has to do with a migration. */
    public MigrationInvolvement engagement(ReservationView member) {
        var known = register.of(member.namespace(), member.vmName()).toList();
        if (known.isEmpty() || member.vmName().isEmpty()) {
            return MigrationInvolvement.FREE;
        }
        return known.stream().anyMatch(migration -> migration.live() && migration.leaves(member.member()))
                ? MigrationInvolvement.LEAVING
                : MigrationInvolvement.TAKEN;
    }

    /** The uids of the members that those under way take away from a node. */
    public Set<String> leaving(String node) {
        return register.all().stream()
                .filter(Migration::live)
                .flatMap(migration -> migration.source().stream())
                .filter(source -> source.node().equals(node))
                .map(MigrationSource::member)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** How many are under way, those being arranged included. */
    public int underWay() {
        return (int) register.all().stream().filter(Migration::live).count();
    }

    /** What they hold, or are about to, that the sums heard of the nodes do not show yet. */
    public Map<String, Resources> promised() {
        var promised = new HashMap<String, Resources>();
        for (var migration : register.all()) {
            var to = migration.about().to();
            if (!to.isEmpty() && migration.live() && !shown(migration)) {
                promised.merge(to, RemoteRequests.charge(migration), Resources::plus);
            }
        }
        return promised;
    }

    private boolean shown(Migration migration) {
        return migration.arrival().counted()
                || migration.hold().knownSince(rooms.orderOf(migration.about().to()));
    }

    /** The nodes whose books are to show a pod that was seen there, or room that is held there. */
    public Set<String> awaitedOn() {
        var awaited = new HashSet<String>();
        for (var migration : register.all()) {
            migration.arrival().awaitedOn().ifPresent(awaited::add);
            if (migration.live() && migration.hold().there() && !shown(migration)) {
                awaited.add(migration.about().to());
            }
        }
        return awaited;
    }

    /** Whether some fact about a migration seems to have been lost. */
    public boolean stuck() {
        return register.all().stream().anyMatch(this::stuck);
    }

    private boolean stuck(Migration migration) {
        boolean waits = switch (migration.life()) {
            case MigrationStage.Beginning _, MigrationStage.Ending _ -> true;
            case MigrationStage.Holding _,
                    MigrationStage.Marking _,
                    MigrationStage.UnderWay _,
                    MigrationStage.Undoing _ -> false;
        };
        return waits && !out.now().isBefore(migration.turnedAt().plus(STUCK_AFTER));
    }

    /** All of them, for people. */
    public List<MigrationView> views() {
        return register.all().stream().map(MigrationView::of).toList();
    }
}
