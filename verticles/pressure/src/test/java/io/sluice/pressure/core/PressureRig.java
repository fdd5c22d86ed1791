package io.sluice.pressure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.ListedMigrations;
import io.sluice.messages.cluster.MigrationGone;
import io.sluice.messages.cluster.MigrationSeen;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodSeen;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmSeen;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.NodeBooks;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.messages.vm.EndReply;
import io.sluice.messages.vm.MigrateReply;
import io.sluice.pressure.Given;
import io.sluice.pressure.core.choosing.Policy;
import io.sluice.pressure.core.choosing.Rules;
import io.sluice.pressure.core.moving.Answer;
import io.sluice.pressure.core.moving.PressureAction;
import io.sluice.pressure.core.moving.PressureNotice;
import io.sluice.pressure.core.moving.Question;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;

/** Drives a {@link Pressure} by hand: what it does is collected until the test answers it. */
final class PressureRig {
    static final Rules RULES = new Rules(
            false, Policy.LOWEST_LOAD, 2, 10, Duration.ofMinutes(10), Duration.ofSeconds(60), Duration.ofHours(1));

    static final NodeBooks FULL = Given.node(
            "n1",
            Given.member("a", 2_000).load(1).books(),
            Given.member("rest", 7_000).fixed().books());
    static final NodeBooks MARKED = Given.node(
            "n1",
            Given.member("a", 2_000).migrating().books(),
            Given.member("rest", 7_000).fixed().books());

    final List<PressureDecision> told = new ArrayList<>();
    final List<PressureNotice> noted = new ArrayList<>();
    final List<PressureAction.Ask> asked = new ArrayList<>();
    final List<PressureAction.Look> looks = new ArrayList<>();
    final Pressure pressure;
    int resyncs;
    Instant now = Instant.EPOCH.plus(Duration.ofDays(20_000));

    PressureRig() {
        pressure = new Pressure("p", RULES, now);
    }

    /** With the brake on. */
    static Rules braked() {
        return with(true, Duration.ofSeconds(60));
    }

    /** That give a migration five minutes to start. */
    static Rules patient() {
        return with(false, Duration.ofMinutes(5));
    }

    private static Rules with(boolean brake, Duration startTimeout) {
        return new Rules(
                brake,
                RULES.policy(),
                RULES.maxConcurrentPerNode(),
                RULES.maxConcurrent(),
                RULES.cooldown(),
                startTimeout,
                RULES.completionTimeout());
    }

    /** One that has heard what migrations there are: none. */
    static PressureRig listed() {
        var rig = new PressureRig();
        rig.listing();
        rig.answerLooks(Given.node("n1"), Given.node("n2"));
        return rig;
    }

    void on(PressureEvent event) {
        for (var action : pressure.on(event, now)) {
            switch (action) {
                case PressureAction.Look look -> looks.add(look);
                case PressureAction.Ask ask -> asked.add(ask);
                case PressureAction.WantResync _ -> resyncs++;
                case PressureAction.Tell tell -> told.add(tell.decision());
                case PressureAction.Note note -> noted.add(note.notice());
            }
        }
    }

    void after(Duration passed) {
        now = now.plus(passed);
        on(new PressureEvent.Ticked());
    }

    void seen(VmSeen fact) {
        on(new PressureEvent.VmHeard(fact));
    }

    void gone(VmGone fact) {
        on(new PressureEvent.VmMissed(fact));
    }

    void seen(PodSeen fact) {
        on(new PressureEvent.PodHeard(fact));
    }

    void podGone(String uid, String node) {
        on(new PressureEvent.PodMissed(new PodGone(uid, node, 99)));
    }

    void seen(MigrationSeen fact) {
        on(new PressureEvent.MigrationHeard(fact));
    }

    void migrationGone(String vm) {
        on(new PressureEvent.MigrationMissed(
                new MigrationGone(Given.NAMESPACE, "schedplugin-" + vm + "-pod", "object-" + vm, vm, 1_000)));
    }

    void listing() {
        on(new PressureEvent.ListingHeard(Optional.empty()));
    }

    /** One that says which migrations it held. */
    void listing(long version, String... uids) {
        on(new PressureEvent.ListingHeard(Optional.of(new ListedMigrations(version, Set.of(uids)))));
    }

    /** Says that the node changed, and answers the look that follows, a second later where it has to wait. */
    void pressed(NodeBooks books) {
        on(new PressureEvent.NodeChanged(Given.withoutMembers(books)));
        if (looks.stream().noneMatch(look -> look.node().equals(books.node()))) {
            after(Duration.ofSeconds(1));
        }
        answerLooks(books, Given.node("n2"));
    }

    /** Answers each open look with those of the books that it asks for. */
    void answerLooks(NodeBooks... books) {
        var open = List.copyOf(looks);
        looks.clear();
        for (var look : open) {
            var found = List.of(books).stream()
                    .filter(each -> look.node().isEmpty() || look.node().equals(each.node()))
                    .toList();
            on(new PressureEvent.Looked(look.number(), new Snapshot(found)));
        }
    }

    void loseLooks() {
        var open = List.copyOf(looks);
        looks.clear();
        open.forEach(look -> on(new PressureEvent.LookLost(look.number())));
    }

    /** Whether some question of that kind waits. */
    boolean asks(Class<? extends Question> kind) {
        return asked.stream().anyMatch(ask -> kind.isInstance(ask.question()));
    }

    <Q extends Question> Q question(Class<Q> kind) {
        return kind.cast(ask(kind).question());
    }

    private PressureAction.Ask ask(Class<? extends Question> kind) {
        return asked.stream()
                .filter(ask -> kind.isInstance(ask.question()))
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("no " + kind.getSimpleName() + " among " + asked));
    }

    void answer(Class<? extends Question> kind, Answer answer) {
        var ask = ask(kind);
        asked.remove(ask);
        on(new PressureEvent.Answered(ask.number(), ask.migration(), answer));
    }

    void lose(Class<? extends Question> kind) {
        answer(kind, new Answer.Lost("timeout"));
    }

    void held() {
        answer(Question.Hold.class, new Answer.OfHold(new HoldReply.Held(RULES.holdFor())));
    }

    void released() {
        answer(Question.Release.class, new Answer.OfHold(new HoldReply.Released()));
    }

    void marked(long milli) {
        answer(Question.Mark.class, new Answer.OfMark(new MarkReply.Marked(Given.cpu(milli))));
    }

    void unmarked(long milli) {
        answer(Question.Unmark.class, new Answer.OfMark(new MarkReply.Unmarked(Given.cpu(milli))));
    }

    void begun(String vm) {
        answer(Question.Migrate.class, new Answer.OfMigrate(new MigrateReply.Begun("object-" + vm, 1)));
    }

    void ended() {
        answer(Question.End.class, new Answer.OfEnd(new EndReply.Ended()));
    }

    List<PressureDecision.Kind> toldKinds() {
        return told.stream().map(PressureDecision::kind).toList();
    }

    PressureDecision lastTold() {
        return told.getLast();
    }

    /** The VM {@code a} is to leave {@link #FULL} for n2: its room was asked for. */
    void holding() {
        seen(Given.vm("a", "n1", 1));
        seen(Given.pod("a", "a", "n1", ""));
        pressed(FULL);
    }

    /** Its room is held. */
    void marking() {
        holding();
        held();
    }

    /** It is marked. */
    void beginning() {
        marking();
        marked(2_000);
    }

    /** Its object is there. */
    void underWay() {
        beginning();
        begun("a");
    }

    /** Nothing is left to do, or known of any migration. */
    void quiet() {
        assertThat(asked).isEmpty();
        assertThat(pressure.underWay()).isZero();
        assertThat(pressure.view(now).migrations()).isEmpty();
    }
}
