package io.sluice.pressure.core.migrations;

import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.pressure.core.choice.ChoiceText;
import io.sluice.pressure.core.choice.KnownVm;
import io.sluice.pressure.core.choice.Pick;
import io.sluice.pressure.core.choice.PressureRules;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One migration, seen through. {@link DesiredStateRules} says what its hold and its mark should be, and
 * {@link RemoteRequests} asks until they are so; it goes on by what is certain only: answers, facts and time.
 */
final class Migration {
    private static final Duration FACTS_ARRIVE = Duration.ofSeconds(5);
    private static final Duration RENEWED_APART = Duration.ofSeconds(1);

    /** The ledger lets no hold stand for longer without being asked again. */
    private static final Duration LONGEST_HOLD = Duration.ofHours(1);

    private final MigrationIdentity about;
    private final MigrationContext desk;
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

    private Migration(MigrationIdentity about, MigrationStage life, MigrationObject object, MigrationContext desk) {
        this.about = about;
        this.desk = desk;
        this.life = life;
        turnedAt = desk.out().now();
        this.object = object;
        vm = about.pick().map(Pick::vm);
        source = about.pick()
                .map(pick -> new MigrationSource(
                        pick.from(), pick.member().member(), pick.member().name()));
        room = about.pick().map(pick -> pick.member().reserved());
        reports = new MigrationReports(this, desk);
    }

    /** Begins with the room. */
    static Migration chosen(MigrationIdentity about, Pick pick, MigrationContext desk) {
        return new Migration(
                about,
                new MigrationStage.Holding(),
                MigrationObject.none(pick.vm().id().driver()),
                desk);
    }

    /** Its object was there before it was heard of. */
    static Migration found(MigrationIdentity about, MigrationObserved seen, MigrationContext desk) {
        var object = MigrationObject.of(seen);
        if (!object.phase().ended()) {
            var underWay = new Migration(about, new MigrationStage.UnderWay(about.since()), object, desk);
            underWay.mayBeHeld();
            // Its pod may be there already, and told of in a moment.
            underWay.hold.notBefore(about.since().plus(FACTS_ARRIVE));
            return underWay;
        }
        var ended = new Migration(about, new MigrationStage.Ending(MigrationOutcome.FOUND_ENDED, ""), object, desk);
        // Whoever watched it may have stopped before mark and room were taken back.
        ended.mark.mayBe();
        ended.mayBeHeld();
        ended.reports.concluded(MigrationOutcome.FOUND_ENDED, "");
        return ended;
    }

    /** There is a mark, and nothing else. */
    static Migration markAlone(MigrationIdentity about, MigrationSource marked, MigrationContext desk) {
        var left = new Migration(
                about, new MigrationStage.Undoing(MigrationOutcome.FOUND_ENDED), MigrationObject.none(""), desk);
        left.source = Optional.of(marked);
        left.mark.mayBe();
        left.reports.nothingMore();
        return left;
    }

    /** By whoever watched it before. */
    private void mayBeHeld() {
        hold.mayBe();
        hold.endsBy(about.since().plus(LONGEST_HOLD));
    }

    MigrationIdentity about() {
        return about;
    }

    /** Whether it is somebody else's, and there for longer than one of ours would be let be. */
    boolean hangs(PressureRules rules, Instant now) {
        return about.origin() == MigrationOrigin.OTHERS
                && live()
                && life instanceof MigrationStage.UnderWay(Instant since)
                && MigrationDeadlines.tooOld(this, since, rules, now);
    }

    MigrationStage life() {
        return life;
    }

    /** When it came to that. */
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

    /** Whether its object has ended, or certainly is not there. */
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

    /** Whether it is the one that takes this member's VM away. */
    boolean leaves(String member) {
        return source.filter(from -> from.member().equals(member)).isPresent();
    }

    void knows(KnownVm known) {
        vm = Optional.of(known);
    }

    /** The member that it takes away was found. */
    void leaves(MigrationSource from) {
        source = Optional.of(from);
        if (live()) {
            reports.adopted();
        }
    }

    private void become(MigrationStage next) {
        life = next;
        turnedAt = desk.out().now();
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
            drop("migrations were paused");
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

    /** The ledger does not let this member go: it is no use to ask at once again. */
    void waitsAfterRefusal() {
        if (life.beforeBegin()) {
            desk.rests().pause(about.label(), desk.out().now());
        }
    }

    /** Before its driver was asked, nothing but room and mark has to be taken back. No reason: nobody is told. */
    void drop(String reason) {
        if (life.beforeBegin()) {
            undo(MigrationOutcome.DROPPED, reason);
        }
    }

    /** It is not to go on; where its driver was asked already, it ends once its object is known. */
    void callOff(String reason) {
        switch (life) {
            case MigrationStage.Holding _, MigrationStage.Marking _ -> drop(reason);
            case MigrationStage.Beginning _ -> unwanted = reason;
            case MigrationStage.UnderWay _ -> end(MigrationOutcome.CANCELLED, reason);
            case MigrationStage.Ending _, MigrationStage.Undoing _ -> {}
        }
    }

    /** Another migration of its VM is there; one that has an object goes on. */
    void outdone(MigrationKey other) {
        if (life.beforeBegin() || life instanceof MigrationStage.Beginning) {
            callOff("its VM is being moved by " + other);
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

    /** A fact about its object. */
    void saw(MigrationObserved seen, Instant now) {
        if (object.knows(seen)) {
            return;
        }
        object = MigrationObject.of(seen);
        switch (life) {
            case MigrationStage.Holding _, MigrationStage.Marking _, MigrationStage.Beginning _ -> underWay(now);
            case MigrationStage.Undoing _ ->
                become(new MigrationStage.Ending(MigrationOutcome.CANCELLED, "its object came too late"));
            case MigrationStage.UnderWay _, MigrationStage.Ending _ -> {}
        }
        if (object.phase().ended()) {
            ended();
        } else if (object.deleting() && life instanceof MigrationStage.UnderWay) {
            become(new MigrationStage.Ending(MigrationOutcome.CANCELLED, "somebody else called it off"));
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

    /** Its object is no longer there; whether it had done its work shows in where the VM runs. */
    void gone() {
        var reason = life instanceof MigrationStage.Ending(MigrationOutcome _, String given)
                ? given
                : "its object was deleted";
        boolean arrived = vm.filter(known -> arrival.isIn(known.pod())).isPresent();
        undo(moved() || arrived ? MigrationOutcome.MOVED : outcome().orElse(MigrationOutcome.CANCELLED), reason);
    }

    /** The pod that the VM is moved to was seen there. */
    void landed(String node, String pod) {
        arrival.landed(node, pod, node.equals(about.to()) && hold.there());
    }

    /** The books of a node, with their members; {@code number} is when they were asked for. */
    void looked(NodeLedgerView books, long number) {
        arrival.looked(books).ifPresent(this::callOff);
        boolean unmarked = books.complete() && books.members().stream().anyMatch(this::lacksItsMark);
        if (unmarked && mark.knownSince(number)) {
            // The ledger lost its books since: it is told again.
            mark.isGone();
        }
    }

    private boolean lacksItsMark(ReservationView member) {
        return leaves(member.member())
                && member.traits().marks().stream()
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

    /** Time passes. */
    void tick(PressureRules rules, Instant now) {
        if (life.beforeBegin()) {
            if (rules.paused()) {
                drop("migrations were paused");
            } else if (!now.isBefore(about.since().plus(rules.startTimeout()))) {
                drop("the ledger did not answer within " + ChoiceText.duration(rules.startTimeout()));
            }
        } else if (life instanceof MigrationStage.UnderWay(Instant since)) {
            MigrationDeadlines.missed(this, since, rules, now)
                    .ifPresent(missed -> end(missed.outcome(), missed.reason()));
        }
    }
}
