package io.sluice.pressure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.MigrationGone;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.ObservedMigrations;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.messages.vm.EndReply;
import io.sluice.messages.vm.MigrateReply;
import io.sluice.pressure.Given;
import io.sluice.pressure.core.choice.Policy;
import io.sluice.pressure.core.choice.PressureRules;
import io.sluice.pressure.core.migrations.MigrationReply;
import io.sluice.pressure.core.migrations.MigrationRequest;
import io.sluice.pressure.core.migrations.PressureAction;
import io.sluice.pressure.core.migrations.PressureNotice;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;

/** Drives a {@link Pressure} by hand: what it does is collected until the test answers it. */
final class PressureRig {
    static final PressureRules RULES = new PressureRules(
            false, Policy.LOWEST_LOAD, 2, 10, Duration.ofMinutes(10), Duration.ofSeconds(60), Duration.ofHours(1));

    static final NodeLedgerView FULL = Given.node(
            "n1",
            Given.member("a", 2_000).load(1).books(),
            Given.member("rest", 7_000).fixed().books());
    static final NodeLedgerView MARKED = Given.node(
            "n1",
            Given.member("a", 2_000).migrating().books(),
            Given.member("rest", 7_000).fixed().books());

    final List<PressureDecision> told = new ArrayList<>();
    final List<PressureNotice> noted = new ArrayList<>();
    final List<PressureAction.Send> asked = new ArrayList<>();
    final List<PressureAction.Look> looks = new ArrayList<>();
    final Pressure pressure;
    int resyncs;
    Instant now = Instant.EPOCH.plus(Duration.ofDays(20_000));

    PressureRig() {
        pressure = new Pressure("p", RULES, now);
    }

    /** With migrations paused. */
    static PressureRules paused() {
        return with(true, Duration.ofSeconds(60));
    }

    /** That give a migration five minutes to start. */
    static PressureRules patient() {
        return with(false, Duration.ofMinutes(5));
    }

    private static PressureRules with(boolean paused, Duration startTimeout) {
        return new PressureRules(
                paused,
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
                case PressureAction.Send ask -> asked.add(ask);
                case PressureAction.RequestRelist _ -> resyncs++;
                case PressureAction.Publish tell -> told.add(tell.decision());
                case PressureAction.Note note -> noted.add(note.notice());
            }
        }
    }

    void after(Duration passed) {
        now = now.plus(passed);
        on(new PressureEvent.Ticked());
    }

    void seen(VmObserved fact) {
        on(new PressureEvent.VmReceived(fact));
    }

    void gone(VmGone fact) {
        on(new PressureEvent.VmMissed(fact));
    }

    void seen(PodObserved fact) {
        on(new PressureEvent.PodReceived(fact));
    }

    void podGone(String uid, String node) {
        on(new PressureEvent.PodMissed(new PodGone(uid, node, 99)));
    }

    void seen(MigrationObserved fact) {
        on(new PressureEvent.MigrationReceived(fact));
    }

    void migrationGone(String vm) {
        on(new PressureEvent.MigrationMissed(
                new MigrationGone(Given.NAMESPACE, "schedplugin-" + vm + "-pod", "object-" + vm, vm, 1_000)));
    }

    void listing() {
        on(new PressureEvent.FullListReceived(Optional.empty()));
    }

    /** One that says which migrations it held. */
    void listing(long version, String... uids) {
        on(new PressureEvent.FullListReceived(Optional.of(new ObservedMigrations(version, Set.of(uids)))));
    }

    /** Says that the node changed, and answers the look that follows, a second later where it has to wait. */
    void pressed(NodeLedgerView books) {
        on(new PressureEvent.NodeChanged(Given.withoutMembers(books)));
        if (looks.stream().noneMatch(look -> look.node().equals(books.node()))) {
            after(Duration.ofSeconds(1));
        }
        answerLooks(books, Given.node("n2"));
    }

    /** Answers each open look with those of the books that it asks for. */
    void answerLooks(NodeLedgerView... books) {
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
        open.forEach(look -> on(new PressureEvent.SnapshotFailed(look.number())));
    }

    /** Whether some question of that kind waits. */
    boolean asks(Class<? extends MigrationRequest> kind) {
        return asked.stream().anyMatch(ask -> kind.isInstance(ask.question()));
    }

    <Q extends MigrationRequest> Q question(Class<Q> kind) {
        return kind.cast(ask(kind).question());
    }

    private PressureAction.Send ask(Class<? extends MigrationRequest> kind) {
        return asked.stream()
                .filter(ask -> kind.isInstance(ask.question()))
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("no " + kind.getSimpleName() + " among " + asked));
    }

    void answer(Class<? extends MigrationRequest> kind, MigrationReply answer) {
        var ask = ask(kind);
        asked.remove(ask);
        on(new PressureEvent.Answered(ask.number(), ask.migration(), answer));
    }

    void lose(Class<? extends MigrationRequest> kind) {
        answer(kind, new MigrationReply.Failed("timeout"));
    }

    void held() {
        answer(MigrationRequest.Hold.class, new MigrationReply.OfHold(new HoldReply.Held(RULES.holdFor())));
    }

    void released() {
        answer(MigrationRequest.Release.class, new MigrationReply.OfHold(new HoldReply.Released()));
    }

    void marked(long milli) {
        answer(MigrationRequest.Mark.class, new MigrationReply.OfMark(new MarkReply.Marked(Given.cpu(milli))));
    }

    void unmarked(long milli) {
        answer(MigrationRequest.Unmark.class, new MigrationReply.OfMark(new MarkReply.Unmarked(Given.cpu(milli))));
    }

    void begun(String vm) {
        answer(MigrationRequest.Migrate.class, new MigrationReply.OfMigrate(new MigrateReply.Begun("object-" + vm, 1)));
    }

    void ended() {
        answer(MigrationRequest.End.class, new MigrationReply.OfEnd(new EndReply.Ended()));
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
