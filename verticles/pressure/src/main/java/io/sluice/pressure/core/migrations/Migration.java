package io.sluice.pressure.core.migrations;

import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.pressure.core.actions.MigrationKey;
import io.sluice.pressure.core.actions.MigrationOutcome;
import io.sluice.pressure.core.choice.ChoiceText;
import io.sluice.pressure.core.choice.KnownVm;
import io.sluice.pressure.core.choice.Pick;
import io.sluice.pressure.core.choice.PressureRules;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One migration, followed to its end. {@link DesiredStateRules} has what its hold and its mark should be, and
 * {@link RemoteRequests} sends requests until they are. It advances only by what is certain: replies, observations and
 * time.
 */
final class Migration {
    private static final Duration OBSERVATIONS_ARRIVE = Duration.ofSeconds(5);
    private static final Duration RENEWED_APART = Duration.ofSeconds(1);

    /** The ledger ends each hold after this time unless it is requested again. */
    private static final Duration LONGEST_HOLD = Duration.ofHours(1);

    private final MigrationIdentity about;
    private final MigrationContext context;
    private final MigrationReports reports;
    private final TargetTracker arrival = new TargetTracker();
    private final RemoteState hold = new RemoteState();
    private final RemoteState mark = new RemoteState();
    private final RemoteState driver = new RemoteState();
    private MigrationStage life;
    private Instant turnedAt;
    private MigrationObject object;
    private Optional<MigrationSource> source;
    private Optional<KnownVm> vm;
    private Optional<Resources> room;
    private String unwanted = "";
    private boolean sourceGone;
    private boolean vmGone;

    private Migration(MigrationIdentity about, MigrationStage life, MigrationObject object, MigrationContext context) {
        this.about = about;
        this.context = context;
        this.life = life;
        turnedAt = context.out().now();
        this.object = object;
        vm = about.pick().map(Pick::vm);
        source = about.pick()
                .map(pick -> new MigrationSource(
                        pick.from(),
                        pick.reservation().pod(),
                        pick.reservation().name()));
        room = about.pick().map(pick -> pick.reservation().reserved());
        reports = new MigrationReports(this, context);
    }

    /** A migration that this process chose; it begins with a hold. */
    static Migration chosen(MigrationIdentity about, Pick pick, MigrationContext context) {
        return new Migration(
                about,
                new MigrationStage.Holding(),
                MigrationObject.none(pick.vm().id().driver()),
                context);
    }

    /** A migration whose object existed before it was observed here. */
    static Migration found(MigrationIdentity about, MigrationObserved observed, MigrationContext context) {
        var object = MigrationObject.of(observed);
        if (!object.phase().ended()) {
            var underWay = new Migration(about, new MigrationStage.UnderWay(about.since()), object, context);
            underWay.mayBeHeld();
            // Its pod may exist already, and its observation may follow at once.
            underWay.hold.notBefore(about.since().plus(OBSERVATIONS_ARRIVE));
            return underWay;
        }
        var ended = new Migration(about, new MigrationStage.Ending(MigrationOutcome.FOUND_ENDED, ""), object, context);
        // The process that followed it may have stopped before it removed mark and hold.
        ended.mark.mayBe();
        ended.mayBeHeld();
        ended.reports.concluded(MigrationOutcome.FOUND_ENDED, "");
        return ended;
    }

    /** A mark without a migration. */
    static Migration orphanMark(MigrationIdentity about, MigrationSource marked, MigrationContext context) {
        var left = new Migration(
                about, new MigrationStage.Undoing(MigrationOutcome.FOUND_ENDED), MigrationObject.none(""), context);
        left.source = Optional.of(marked);
        left.mark.mayBe();
        left.reports.nothingMore();
        return left;
    }

    /** An earlier process may have made a hold. */
    private void mayBeHeld() {
        hold.mayBe();
        hold.endsBy(about.since().plus(LONGEST_HOLD));
    }

    MigrationIdentity about() {
        return about;
    }

    /** Whether it is of another party and older than this role allows its own migrations to be. */
    boolean hangs(PressureRules rules, Instant now) {
        return about.origin() == MigrationOrigin.OTHERS
                && live()
                && life instanceof MigrationStage.UnderWay(Instant since)
                && MigrationDeadlines.tooOld(this, since, rules, now);
    }

    MigrationStage life() {
        return life;
    }

    /** When the present stage began. */
    Instant turnedAt() {
        return turnedAt;
    }

    MigrationObject object() {
        return object;
    }

    Optional<MigrationSource> source() {
        return source;
    }

    Optional<KnownVm> vm() {
        return vm;
    }

    Optional<Resources> room() {
        return room;
    }

    TargetTracker arrival() {
        return arrival;
    }

    RemoteState hold() {
        return hold;
    }

    RemoteState mark() {
        return mark;
    }

    RemoteState driver() {
        return driver;
    }

    boolean sourceGone() {
        return sourceGone;
    }

    /** Whether it counts as under way. */
    boolean live() {
        return !vmGone && !objectOver();
    }

    /** Whether its object has ended, or certainly does not exist. */
    boolean objectOver() {
        return object.phase().ended() || life instanceof MigrationStage.Undoing;
    }

    boolean moved() {
        return object.phase() == MigrationPhase.SUCCEEDED || outcome().equals(Optional.of(MigrationOutcome.MOVED));
    }

    private Optional<MigrationOutcome> outcome() {
        return switch (life) {
            case MigrationStage.Ending ending -> Optional.of(ending.outcome());
            case MigrationStage.Undoing undoing -> Optional.of(undoing.outcome());
            case MigrationStage.Holding _,
                    MigrationStage.Marking _,
                    MigrationStage.Beginning _,
                    MigrationStage.UnderWay _ -> Optional.empty();
        };
    }

    /** Whether it takes the VM away from this pod. */
    boolean leaves(String pod) {
        return source.filter(from -> from.pod().equals(pod)).isPresent();
    }

    /** Records the VM. After a success it shows where the target is, even if the target's pod was not observed. */
    void observed(KnownVm known) {
        vm = Optional.of(known);
        boolean runsElsewhere = !known.pod().isEmpty()
                && source.filter(from -> !from.pod().equals(known.pod())).isPresent();
        if (moved() && runsElsewhere) {
            landed(known.node(), known.pod());
        }
    }

    /** Records the pod that it takes the VM away from. */
    void leaves(MigrationSource from) {
        source = Optional.of(from);
        if (live()) {
            reports.adopted();
        }
    }

    private void become(MigrationStage next) {
        life = next;
        turnedAt = context.out().now();
    }

    void held(Duration remaining, long number, Instant now) {
        hold.isThere(number);
        var half = remaining.dividedBy(2);
        hold.renewAt(now.plus(half.compareTo(RENEWED_APART) > 0 ? half : RENEWED_APART));
        if (life instanceof MigrationStage.Holding) {
            become(new MigrationStage.Marking());
        }
    }

    void marked(Resources reserved, long number, PressureRules rules, Instant now) {
        mark.isThere(number);
        if (room.isEmpty()) {
            room = Optional.of(reserved);
        }
        if (!(life instanceof MigrationStage.Marking)) {
            return;
        }
        if (rules.paused()) {
            drop("migrations are paused");
        } else if (hold.there()) {
            become(new MigrationStage.Beginning(now));
        } else {
            drop("the room on " + about.to() + " was lost");
        }
    }

    void begun(String uid, long version, Instant now) {
        if (life instanceof MigrationStage.Beginning) {
            object = MigrationObject.made(object.driver(), uid, version);
            underWay(now);
        }
    }

    /** Its driver certainly did not begin it. */
    void refused(String reason) {
        if (life instanceof MigrationStage.Beginning) {
            undo(MigrationOutcome.REFUSED, "its driver did not begin it: " + reason);
        }
    }

    private void underWay(Instant now) {
        become(new MigrationStage.UnderWay(life instanceof MigrationStage.Beginning(Instant since) ? since : now));
        driver.isGone();
        reports.moving();
        if (!unwanted.isEmpty()) {
            end(MigrationOutcome.CANCELLED, unwanted);
        }
    }

    /** The ledger refused the migration, so the VM is not chosen again at once. */
    void waitsAfterRefusal() {
        if (life.beforeBegin()) {
            context.rests().pause(about.label(), context.out().now());
        }
    }

    /**
     * Gives it up before its driver got a request: only hold and mark are removed. Without a reason nothing is
     * published.
     */
    void drop(String reason) {
        if (life.beforeBegin()) {
            undo(MigrationOutcome.DROPPED, reason);
        }
    }

    /** Cancels it. If its driver has a request already, it ends once its object was observed. */
    void callOff(String reason) {
        switch (life) {
            case MigrationStage.Holding _, MigrationStage.Marking _ -> drop(reason);
            case MigrationStage.Beginning _ -> unwanted = reason;
            case MigrationStage.UnderWay _ -> end(MigrationOutcome.CANCELLED, reason);
            case MigrationStage.Ending _, MigrationStage.Undoing _ -> {}
        }
    }

    /** Another migration of its VM was observed. A migration that has an object goes on. */
    void outdone(MigrationKey other) {
        if (life.beforeBegin() || life instanceof MigrationStage.Beginning) {
            callOff("its VM is in the migration " + other);
        }
    }

    private void end(MigrationOutcome outcome, String reason) {
        if (about.origin().ours()) {
            become(new MigrationStage.Ending(outcome, reason));
        }
    }

    private void undo(MigrationOutcome outcome, String reason) {
        become(new MigrationStage.Undoing(outcome));
        reports.concluded(outcome, reason);
    }

    /** Applies an observation of its object. */
    void saw(MigrationObserved observed, Instant now) {
        if (object.matches(observed)) {
            return;
        }
        object = MigrationObject.of(observed);
        switch (life) {
            case MigrationStage.Holding _, MigrationStage.Marking _, MigrationStage.Beginning _ -> underWay(now);
            case MigrationStage.Undoing _ ->
                become(new MigrationStage.Ending(MigrationOutcome.CANCELLED, "its object came too late"));
            case MigrationStage.UnderWay _, MigrationStage.Ending _ -> {}
        }
        if (object.phase().ended()) {
            ended();
        } else if (object.deleting() && life instanceof MigrationStage.UnderWay) {
            become(new MigrationStage.Ending(MigrationOutcome.CANCELLED, "another party cancelled it"));
        }
    }

    private void ended() {
        var given = life instanceof MigrationStage.Ending(MigrationOutcome outcome, String reason)
                ? new MigrationStage.Ending(outcome, reason)
                : new MigrationStage.Ending(MigrationOutcome.FAILED, "its driver gave up");
        become(
                object.phase() == MigrationPhase.SUCCEEDED
                        ? new MigrationStage.Ending(MigrationOutcome.MOVED, "")
                        : given);
        reports.concluded(outcome().orElseThrow(), given.reason());
    }

    /** Its object is gone. The node on which the VM runs shows whether the migration succeeded. */
    void gone() {
        var reason = life instanceof MigrationStage.Ending(MigrationOutcome _, String given)
                ? given
                : "its object was deleted";
        boolean arrived = vm.filter(known -> arrival.isIn(known.pod())).isPresent();
        undo(moved() || arrived ? MigrationOutcome.MOVED : outcome().orElse(MigrationOutcome.CANCELLED), reason);
    }

    /** The target's pod was observed on that node. */
    void landed(String node, String pod) {
        arrival.landed(node, pod);
    }

    /**
     * Applies the ledger of a node, with its reservations; {@code number} is the number of the request for it. What a
     * ledger lost with its state is requested again.
     */
    void looked(NodeLedgerView ledger, long number) {
        arrival.looked(ledger).ifPresent(this::callOff);
        if (!ledger.complete()) {
            return;
        }
        if (mark.knownSince(number) && ledger.reservations().stream().anyMatch(this::lacksItsMark)) {
            mark.isGone();
        }
        if (hold.knownSince(number) && hold.quiet() && arrival.unseen() && lacksItsHold(ledger)) {
            hold.mayBe();
        }
    }

    private boolean lacksItsHold(NodeLedgerView ledger) {
        return ledger.node().equals(about.to())
                && ledger.reservations().stream()
                        .noneMatch(reservation -> reservation.pod().equals(about.holder())
                                || reservation
                                        .traits()
                                        .heldFor()
                                        .equals(about.key().attempt()));
    }

    private boolean lacksItsMark(ReservationView reservation) {
        return leaves(reservation.pod())
                && reservation.traits().marks().stream()
                        .noneMatch(mark -> mark.attempt().equals(about.key().attempt()));
    }

    void podGone(String pod) {
        arrival.gone(pod);
        if (leaves(pod)) {
            sourceGone = true;
            mark.isGone();
            drop("its pod ended");
        }
    }

    void vmGone() {
        vmGone = true;
        callOff("its VM was deleted");
    }

    /** Applies the passing of time. */
    void tick(PressureRules rules, Instant now) {
        if (life.beforeBegin()) {
            if (rules.paused()) {
                drop("migrations are paused");
            } else if (!now.isBefore(about.since().plus(rules.startTimeout()))) {
                drop("the ledger did not reply within " + ChoiceText.duration(rules.startTimeout()));
            }
        } else if (life instanceof MigrationStage.UnderWay(Instant since)) {
            MigrationDeadlines.missed(this, since, rules, now)
                    .ifPresent(missed -> end(missed.outcome(), missed.reason()));
        }
    }
}
