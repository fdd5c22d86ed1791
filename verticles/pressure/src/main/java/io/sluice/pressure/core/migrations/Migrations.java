package io.sluice.pressure.core.migrations;

import io.sluice.messages.cluster.MigrationGone;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.ObservedMigrations;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.messages.vm.MigrateVm;
import io.sluice.pressure.core.actions.ActionQueue;
import io.sluice.pressure.core.actions.MigrationKey;
import io.sluice.pressure.core.actions.MigrationReply;
import io.sluice.pressure.core.actions.PressureNotice;
import io.sluice.pressure.core.choice.MigrationInvolvement;
import io.sluice.pressure.core.choice.NodeRooms;
import io.sluice.pressure.core.choice.Pick;
import io.sluice.pressure.core.choice.PressureRules;
import io.sluice.pressure.core.choice.RoomAmounts;
import io.sluice.pressure.core.observed.Pods;
import io.sluice.pressure.core.observed.Vms;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** All migrations of any origin, each followed to its end. */
public final class Migrations {
    private static final Duration STUCK_AFTER = Duration.ofSeconds(60);

    private final MigrationIndex register = new MigrationIndex();
    private final ActionQueue out;
    private final MigrationContext context;
    private final Vms vms;
    private final Pods pods;
    private final NodeRooms rooms;
    private final String process;
    private long attempts;
    private PressureRules rules;

    /**
     * Starts without migrations.
     *
     * @param process the beginning of each attempt's id; no other process may have it or have had it
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
        context = new MigrationContext(out, rests);
    }

    /** Sets the rules, also for migrations under way. */
    public void rules(PressureRules newRules) {
        rules = newRules;
    }

    /** Begins a migration with a hold. */
    public void begin(Pick pick) {
        var id = pick.vm().id();
        if (register.of(id.namespace(), id.name()).findAny().isEmpty()) {
            attempts++;
            var name = MigrateVm.migrationOf(pick.reservation().name());
            var key = new MigrationKey(id.namespace(), name, process + "/" + attempts);
            var about = new MigrationIdentity(
                    key, MigrationOrigin.HERE, id.name(), pick.to(), Optional.of(pick), out.now());
            register.add(Migration.chosen(about, pick, context));
        }
    }

    /** Whether a migration of that attempt is followed here. */
    public boolean contains(String attempt) {
        return register.all().stream()
                .anyMatch(migration -> migration.about().key().attempt().equals(attempt));
    }

    /** The migrations of other parties that are older than this role allows its own to be, each with its VM. */
    public List<String> hanging() {
        return register.all().stream()
                .filter(migration -> migration.hangs(rules, out.now()))
                .map(migration -> migration.about().key().namespace() + "/"
                        + migration.about().key().name() + " of VM "
                        + migration.about().label())
                .toList();
    }

    /** Removes a mark of an attempt that no process arranges. */
    public void unmarkOrphan(String node, ReservationView reservation, String attempt) {
        var key = new MigrationKey(reservation.namespace(), "mark of " + reservation.pod(), attempt);
        if (register.find(key).isEmpty()) {
            var about = new MigrationIdentity(
                    key, MigrationOrigin.OTHERS, reservation.vmName(), "", Optional.empty(), out.now());
            var marked = new MigrationSource(node, reservation.pod(), reservation.name());
            register.add(Migration.orphanMark(about, marked, context));
            out.record(new PressureNotice.OrphanMarkFound(node, reservation.namespace(), reservation.vmName()));
        }
    }

    /** Applies an observation of a migration object. */
    public void observed(MigrationObserved observed) {
        if (register.isOver(observed.uid(), observed.version())) {
            return;
        }
        namesake(observed);
        var key = new MigrationKey(observed.namespace(), observed.name(), observed.attempt());
        var known = register.find(key);
        if (known.isPresent()) {
            saw(known.get(), observed);
        } else if (observed.ours() || !observed.phase().ended()) {
            find(key, observed);
        }
    }

    /** An object of the same name with another uid came later, so the earlier object is gone. */
    private void namesake(MigrationObserved observed) {
        for (var migration : register.all()) {
            var key = migration.about().key();
            var object = migration.object();
            boolean sameName =
                    key.namespace().equals(observed.namespace()) && key.name().equals(observed.name());
            if (sameName
                    && object.known()
                    && !object.uid().equals(observed.uid())
                    && object.version() < observed.version()) {
                migration.gone();
            }
        }
    }

    private void saw(Migration migration, MigrationObserved observed) {
        var object = migration.object();
        if (!object.known() || object.uid().equals(observed.uid())) {
            migration.saw(observed, out.now());
        }
    }

    private void find(MigrationKey key, MigrationObserved observed) {
        if (register.full()) {
            out.record(new PressureNotice.TooMany("migrations", MigrationIndex.KEPT_MAX));
            return;
        }
        var origin = observed.ours() ? MigrationOrigin.ADOPTED : MigrationOrigin.OTHERS;
        var to = observed.ours() ? observed.roomOn() : "";
        var about = new MigrationIdentity(key, origin, observed.vmName(), to, Optional.empty(), out.now());
        if (!observed.phase().ended()) {
            register.of(key.namespace(), observed.vmName()).forEach(other -> other.outdone(key));
        }
        register.add(Migration.found(about, observed, context));
        pods.madeBy(key.namespace(), key.name()).ifPresent(this::landed);
    }

    /** Applies a deletion. One of another object than the present one is old. */
    public void gone(MigrationGone gone) {
        register.deleted(gone.uid());
        register.of(gone.namespace(), gone.vmName())
                .filter(known -> known.object().uid().equals(gone.uid()))
                .toList()
                .forEach(Migration::gone);
    }

    /** A pod was observed that may be a migration's target. */
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

    /** Applies the ledger of a node, with its reservations; {@code number} is the number of the request for it. */
    public void looked(NodeLedgerView ledger, long number) {
        register.all().forEach(migration -> migration.looked(ledger, number));
    }

    /** Applies a reply to a request. */
    public void answered(MigrationKey key, long number, MigrationReply answer) {
        register.find(key).ifPresent(migration -> {
            boolean before = migration.object().known();
            new ReplyRules(migration, rooms, rules, out).take(number, answer);
            if (!before && migration.object().known()) {
                goneAlready(migration);
            }
        });
    }

    /** The observation of its end may arrive before the reply that it began. */
    private void goneAlready(Migration migration) {
        if (register.isOver(migration.object().uid(), Long.MAX_VALUE)) {
            migration.gone();
        }
    }

    /** Applies a full list: an object that it lacks and that is older than the list is gone. */
    public void listed(ObservedMigrations list) {
        for (var migration : register.all()) {
            var object = migration.object();
            if (object.known() && list.misses(object.uid(), object.version())) {
                register.deleted(object.uid());
                migration.gone();
            }
        }
    }

    /** Sends the requests that are due, and removes complete migrations. */
    public void finish() {
        for (var migration : register.all()) {
            resolve(migration);
            migration.tick(rules, out.now());
            RemoteRequests.run(migration, rules, rooms, out);
            if (DesiredStateRules.nothingOf(migration, out.now())) {
                register.remove(migration);
            }
        }
    }

    /** Observations come in any order: the VM's name may be observed before its pod. */
    private void resolve(Migration migration) {
        var about = migration.about();
        var namespace = about.key().namespace();
        vms.find(namespace, about.vmName()).ifPresent(migration::observed);
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

    /** How the reservation is involved in a migration. */
    public MigrationInvolvement engagement(ReservationView reservation) {
        var known = register.of(reservation.namespace(), reservation.vmName()).toList();
        if (known.isEmpty() || reservation.vmName().isEmpty()) {
            return MigrationInvolvement.FREE;
        }
        return known.stream().anyMatch(migration -> migration.live() && migration.leaves(reservation.pod()))
                ? MigrationInvolvement.LEAVING
                : MigrationInvolvement.TAKEN;
    }

    /** The uids of the pods that migrations under way take VMs away from on that node. */
    public Set<String> leaving(String node) {
        return leaving(source -> source.node().equals(node));
    }

    /** The same of all nodes. */
    public Set<String> leaving() {
        return leaving(source -> true);
    }

    private Set<String> leaving(Predicate<MigrationSource> which) {
        return register.all().stream()
                .filter(Migration::live)
                .flatMap(migration -> migration.source().stream())
                .filter(which)
                .map(MigrationSource::pod)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The number of migrations under way, those being arranged included. */
    public int underWay() {
        return (int) register.all().stream().filter(Migration::live).count();
    }

    /** What migrations hold, or are about to hold, beyond the last sums of the nodes. */
    public Map<String, RoomAmounts> promised() {
        var promised = new HashMap<String, RoomAmounts>();
        for (var migration : register.all()) {
            var to = migration.about().to();
            if (!to.isEmpty() && migration.live() && !shown(migration)) {
                promised.merge(to, RemoteRequests.amounts(migration), RoomAmounts::plus);
            }
        }
        return promised;
    }

    private boolean shown(Migration migration) {
        return migration.arrival().counted()
                || migration.hold().knownSince(rooms.orderOf(migration.about().to()));
    }

    /** The nodes whose ledgers do not yet show an observed pod, or room that is held there. */
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

    /** Whether an observation of a migration seems to be lost. */
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

    /** All migrations for the dump. */
    public List<MigrationView> views() {
        return register.all().stream().map(MigrationView::of).toList();
    }
}
