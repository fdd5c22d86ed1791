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
import io.sluice.pressure.core.actions.MigrationReply;
import io.sluice.pressure.core.actions.MigrationRequest;
import io.sluice.pressure.core.actions.PressureAction;
import io.sluice.pressure.core.actions.PressureNotice;
import io.sluice.pressure.core.choice.Policy;
import io.sluice.pressure.core.choice.PressureRules;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;

/** Drives a {@link Pressure} by hand: its requests are collected until the test replies to them. */
final class PressureRig {
    static final PressureRules RULES = new PressureRules(
            false, Policy.LOWEST_LOAD, 2, 10, Duration.ofMinutes(10), Duration.ofSeconds(60), Duration.ofHours(1));

    static final NodeLedgerView FULL = Given.node(
            "n1",
            Given.reservation("a", 2_000).load(1).ledger(),
            Given.reservation("rest", 7_000).fixed().ledger());
    static final NodeLedgerView MARKED = Given.node(
            "n1",
            Given.reservation("a", 2_000).migrating().ledger(),
            Given.reservation("rest", 7_000).fixed().ledger());

    final List<PressureDecision> reported = new ArrayList<>();
    final List<PressureNotice> recorded = new ArrayList<>();
    final List<PressureAction.Send> requested = new ArrayList<>();
    final List<PressureAction.Look> looks = new ArrayList<>();
    final Pressure pressure;
    int relists;
    Instant now = Instant.EPOCH.plus(Duration.ofDays(20_000));

    PressureRig() {
        pressure = new Pressure("p", RULES, now);
    }

    /** Rules with migrations paused. */
    static PressureRules paused() {
        return with(true, Duration.ofSeconds(60));
    }

    /** Rules that give a migration five minutes to start. */
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

    /** A rig with a full list that has no migrations. */
    static PressureRig listed() {
        var rig = new PressureRig();
        rig.fullList();
        rig.answerLooks(Given.node("n1"), Given.node("n2"));
        return rig;
    }

    void on(PressureEvent event) {
        for (var action : pressure.on(event, now)) {
            switch (action) {
                case PressureAction.Look look -> looks.add(look);
                case PressureAction.Send request -> requested.add(request);
                case PressureAction.RequestRelist _ -> relists++;
                case PressureAction.Publish publish -> reported.add(publish.decision());
                case PressureAction.Record entry -> recorded.add(entry.notice());
            }
        }
    }

    void after(Duration passed) {
        now = now.plus(passed);
        on(new PressureEvent.Ticked());
    }

    void observed(VmObserved observation) {
        on(new PressureEvent.VmReceived(observation));
    }

    void gone(VmGone observation) {
        on(new PressureEvent.VmMissed(observation));
    }

    void observed(PodObserved observation) {
        on(new PressureEvent.PodReceived(observation));
    }

    void podGone(String uid, String node) {
        on(new PressureEvent.PodMissed(new PodGone(uid, node, 99)));
    }

    void observed(MigrationObserved observation) {
        on(new PressureEvent.MigrationReceived(observation));
    }

    void migrationGone(String vm) {
        on(new PressureEvent.MigrationMissed(
                new MigrationGone(Given.NAMESPACE, "schedplugin-" + vm + "-pod", "object-" + vm, vm, 1_000)));
    }

    void fullList() {
        on(new PressureEvent.FullListReceived(Optional.empty()));
    }

    /** A full list that names its migrations. */
    void fullList(long version, String... uids) {
        on(new PressureEvent.FullListReceived(Optional.of(new ObservedMigrations(version, Set.of(uids)))));
    }

    /**
     * Publishes a change of the node, and replies to the request for its ledger that follows, a second later if
     * necessary.
     */
    void pressed(NodeLedgerView ledger) {
        on(new PressureEvent.NodeChanged(Given.withoutMembers(ledger)));
        if (looks.stream().noneMatch(look -> look.node().equals(ledger.node()))) {
            after(Duration.ofSeconds(1));
        }
        answerLooks(ledger, Given.node("n2"));
    }

    /** Replies to each open request with the ledgers that it needs. */
    void answerLooks(NodeLedgerView... ledger) {
        var open = List.copyOf(looks);
        looks.clear();
        for (var look : open) {
            var found = List.of(ledger).stream()
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

    /** Whether a request of that type is open. */
    boolean requests(Class<? extends MigrationRequest> kind) {
        return requested.stream().anyMatch(request -> kind.isInstance(request.request()));
    }

    <Q extends MigrationRequest> Q request(Class<Q> kind) {
        return kind.cast(sent(kind).request());
    }

    private PressureAction.Send sent(Class<? extends MigrationRequest> kind) {
        return requested.stream()
                .filter(request -> kind.isInstance(request.request()))
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("no " + kind.getSimpleName() + " among " + requested));
    }

    void answer(Class<? extends MigrationRequest> kind, MigrationReply answer) {
        var request = sent(kind);
        requested.remove(request);
        on(new PressureEvent.Answered(request.number(), request.migration(), answer));
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

    List<PressureDecision.Kind> reportedKinds() {
        return reported.stream().map(PressureDecision::kind).toList();
    }

    PressureDecision lastReported() {
        return reported.getLast();
    }

    /** VM {@code a} is to leave {@link #FULL} for n2: its room was requested. */
    void holding() {
        observed(Given.vm("a", "n1", 1));
        observed(Given.pod("a", "a", "n1", ""));
        pressed(FULL);
    }

    /** Its room is held. */
    void marking() {
        holding();
        held();
    }

    /** The VM is marked. */
    void beginning() {
        marking();
        marked(2_000);
    }

    /** Its object exists. */
    void underWay() {
        beginning();
        begun("a");
    }

    /** No request is open, and there is no migration. */
    void quiet() {
        assertThat(requested).isEmpty();
        assertThat(pressure.underWay()).isZero();
        assertThat(pressure.view(now).migrations()).isEmpty();
    }
}
