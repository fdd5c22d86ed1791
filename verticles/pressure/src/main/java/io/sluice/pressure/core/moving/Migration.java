package io.sluice.pressure.core.moving;

import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.cluster.MigrationSeen;
import io.sluice.messages.ledger.MemberBooks;
import io.sluice.messages.ledger.NodeBooks;
import io.sluice.pressure.core.choosing.KnownVm;
import io.sluice.pressure.core.choosing.Pick;
import io.sluice.pressure.core.choosing.Rules;
import io.sluice.pressure.core.choosing.Words;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One migration, seen through. {@link Wants} says what its hold and its mark should be, and {@link Errands} asks until
 * they are so; it goes on by what is certain only: answers, facts and time.
 */
final class Migration {
    private static final Duration FACTS_ARRIVE = Duration.ofSeconds(5);
    private static final Duration RENEWED_APART = Duration.ofSeconds(1);

    /** The ledger lets no hold stand for longer without being asked again. */
    private static final Duration LONGEST_HOLD = Duration.ofHours(1);

    private final About about;
    private final Desk desk;
    private final Reports reports;
    private final Arrival arrival = new Arrival();
    private final Line hold = new Line();
    private final Line mark = new Line();
    private final Line driver = new Line();
    private Life life;
    private Instant turnedAt;
    private MigrationObject object;
    private Optional<Source> source;
    private Optional<KnownVm> vm;
    private Optional<Resources> room;
    private String unwanted = "";
    private boolean sourceGone;
    private boolean vmGone;

    private Migration(About about, Life life, MigrationObject object, Desk desk) {
        this.about = about;
        this.desk = desk;
        this.life = life;
        turnedAt = desk.out().now();
        this.object = object;
        vm = about.pick().map(Pick::vm);
        source = about.pick()
                .map(pick -> new Source(
                        pick.from(), pick.member().member(), pick.member().name()));
        room = about.pick().map(pick -> pick.member().reserved());
        reports = new Reports(this, desk);
    }

    /** Begins with the room. */
    static Migration chosen(About about, Pick pick, Desk desk) {
        return new Migration(
                about, new Life.Holding(), MigrationObject.none(pick.vm().id().driver()), desk);
    }

    /** Its object was there before it was heard of. */
    static Migration found(About about, MigrationSeen seen, Desk desk) {
        var object = MigrationObject.of(seen);
        if (!object.phase().ended()) {
            var underWay = new Migration(about, new Life.UnderWay(about.since()), object, desk);
            underWay.mayBeHeld();
            // Its pod may be there already, and told of in a moment.
            underWay.hold.notBefore(about.since().plus(FACTS_ARRIVE));
            return underWay;
        }
        var ended = new Migration(about, new Life.Ending(Outcome.FOUND_ENDED, ""), object, desk);
        // Whoever watched it may have stopped before mark and room were taken back.
        ended.mark.mayBe();
        ended.mayBeHeld();
        ended.reports.concluded(Outcome.FOUND_ENDED, "");
        return ended;
    }

    /** There is a mark, and nothing else. */
    static Migration markAlone(About about, Source marked, Desk desk) {
        var left = new Migration(about, new Life.Undoing(Outcome.FOUND_ENDED), MigrationObject.none(""), desk);
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

    About about() {
        return about;
    }

    /** Whether it is somebody else's, and there for longer than one of ours would be let be. */
    boolean hangs(Rules rules, Instant now) {
        return about.origin() == Origin.OTHERS
                && live()
                && life instanceof Life.UnderWay(Instant since)
                && Deadlines.tooOld(this, since, rules, now);
    }

    Life life() {
        return life;
    }

    /** When it came to that. */
    Instant turnedAt() {
        return turnedAt;
    }

    MigrationObject object() {
        return object;
    }

    Optional<Source> source() {
        return source;
    }

    Optional<KnownVm> vm() {
        return vm;
    }

    Optional<Resources> room() {
        return room;
    }

    Arrival arrival() {
        return arrival;
    }

    Line hold() {
        return hold;
    }

    Line mark() {
        return mark;
    }

    Line driver() {
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
        return object.phase().ended() || life instanceof Life.Undoing;
    }

    boolean moved() {
        return object.phase() == MigrationPhase.SUCCEEDED || outcome().equals(Optional.of(Outcome.MOVED));
    }

    private Optional<Outcome> outcome() {
        return switch (life) {
            case Life.Ending ending -> Optional.of(ending.outcome());
            case Life.Undoing undoing -> Optional.of(undoing.outcome());
            case Life.Holding _, Life.Marking _, Life.Beginning _, Life.UnderWay _ -> Optional.empty();
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
    void leaves(Source from) {
        source = Optional.of(from);
        if (live()) {
            reports.adopted();
        }
    }

    private void become(Life next) {
        life = next;
        turnedAt = desk.out().now();
    }

    void held(Duration remaining, long number, Instant now) {
        hold.isThere(number);
        var half = remaining.dividedBy(2);
        hold.renewAt(now.plus(half.compareTo(RENEWED_APART) > 0 ? half : RENEWED_APART));
        if (life instanceof Life.Holding) {
            become(new Life.Marking());
        }
    }

    void marked(Resources reserved, long number, Rules rules, Instant now) {
        mark.isThere(number);
        if (room.isEmpty()) {
            room = Optional.of(reserved);
        }
        if (!(life instanceof Life.Marking)) {
            return;
        }
        if (rules.brake()) {
            drop("the brake was put on");
        } else if (hold.there()) {
            become(new Life.Beginning(now));
        } else {
            drop("the room on " + about.to() + " was lost");
        }
    }

    void begun(String uid, long version, Instant now) {
        if (life instanceof Life.Beginning) {
            object = MigrationObject.made(object.driver(), uid, version);
            underWay(now);
        }
    }

    /** Its driver certainly did not begin it. */
    void refused(String reason) {
        if (life instanceof Life.Beginning) {
            undo(Outcome.REFUSED, "its driver did not begin it: " + reason);
        }
    }

    private void underWay(Instant now) {
        become(new Life.UnderWay(life instanceof Life.Beginning(Instant since) ? since : now));
        driver.isGone();
        reports.moving();
        if (!unwanted.isEmpty()) {
            end(Outcome.CANCELLED, unwanted);
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
            undo(Outcome.DROPPED, reason);
        }
    }

    /** It is not to go on; where its driver was asked already, it ends once its object is known. */
    void callOff(String reason) {
        switch (life) {
            case Life.Holding _, Life.Marking _ -> drop(reason);
            case Life.Beginning _ -> unwanted = reason;
            case Life.UnderWay _ -> end(Outcome.CANCELLED, reason);
            case Life.Ending _, Life.Undoing _ -> {}
        }
    }

    /** Another migration of its VM is there; one that has an object goes on. */
    void outdone(MigrationKey other) {
        if (life.beforeBegin() || life instanceof Life.Beginning) {
            callOff("its VM is being moved by " + other);
        }
    }

    private void end(Outcome outcome, String reason) {
        if (about.origin().ours()) {
            become(new Life.Ending(outcome, reason));
        }
    }

    private void undo(Outcome outcome, String reason) {
        become(new Life.Undoing(outcome));
        reports.concluded(outcome, reason);
    }

    /** A fact about its object. */
    void saw(MigrationSeen seen, Instant now) {
        if (object.knows(seen)) {
            return;
        }
        object = MigrationObject.of(seen);
        switch (life) {
            case Life.Holding _, Life.Marking _, Life.Beginning _ -> underWay(now);
            case Life.Undoing _ -> become(new Life.Ending(Outcome.CANCELLED, "its object came too late"));
            case Life.UnderWay _, Life.Ending _ -> {}
        }
        if (object.phase().ended()) {
            ended();
        } else if (object.deleting() && life instanceof Life.UnderWay) {
            become(new Life.Ending(Outcome.CANCELLED, "somebody else called it off"));
        }
    }

    private void ended() {
        var given = life instanceof Life.Ending(Outcome outcome, String reason)
                ? new Life.Ending(outcome, reason)
                : new Life.Ending(Outcome.FAILED, "its driver gave up");
        become(object.phase() == MigrationPhase.SUCCEEDED ? new Life.Ending(Outcome.MOVED, "") : given);
        reports.concluded(outcome().orElseThrow(), given.reason());
    }

    /** Its object is no longer there; whether it had done its work shows in where the VM runs. */
    void gone() {
        var reason = life instanceof Life.Ending(Outcome _, String given) ? given : "its object was deleted";
        boolean arrived = vm.filter(known -> arrival.isIn(known.pod())).isPresent();
        undo(moved() || arrived ? Outcome.MOVED : outcome().orElse(Outcome.CANCELLED), reason);
    }

    /** The pod that the VM is moved to was seen there. */
    void landed(String node, String pod) {
        arrival.landed(node, pod, node.equals(about.to()) && hold.there());
    }

    /** The books of a node, with their members; {@code number} is when they were asked for. */
    void looked(NodeBooks books, long number) {
        arrival.looked(books).ifPresent(this::callOff);
        boolean unmarked = books.complete() && books.members().stream().anyMatch(this::lacksItsMark);
        if (unmarked && mark.knownSince(number)) {
            // The ledger lost its books since: it is told again.
            mark.isGone();
        }
    }

    private boolean lacksItsMark(MemberBooks member) {
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
    void tick(Rules rules, Instant now) {
        if (life.beforeBegin()) {
            if (rules.brake()) {
                drop("the brake was put on");
            } else if (!now.isBefore(about.since().plus(rules.startTimeout()))) {
                drop("the ledger did not answer within " + Words.duration(rules.startTimeout()));
            }
        } else if (life instanceof Life.UnderWay(Instant since)) {
            Deadlines.missed(this, since, rules, now).ifPresent(missed -> end(missed.outcome(), missed.reason()));
        }
    }
}
