package io.sluice.ledger.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.core.state.NewReservation;
import io.sluice.ledger.core.state.NodePressure;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.PodIdentity;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.ledger.core.state.ReservationAmounts;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.Reclaim;
import io.sluice.messages.ledger.ReclaimReply;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.ledger.permit.ReportedUse;
import io.sluice.shell.Portions;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One node in a test: runs commands, keeps the state, and checks the invariants after every single one. */
public final class Scene {
    public static final String NODE = "node-1";

    /** The attempt where a test has only one. */
    public static final String MOVE = "move";

    static final Resources UNIT = new Resources(250, 1);

    /** Besides the CPU under test every reservation has this much memory, of which there is plenty. */
    static final long MEMORY = 10;

    static final long MEMORY_TOTAL = 1_000_000;

    final List<LedgerNotice> notices = new ArrayList<>();
    private NodeLedger ledger;
    private final List<Long> seqs = new ArrayList<>(List.of(0L));
    NodeState state = NodeState.blank(NODE);
    Instant now = Instant.parse("2026-11-21T00:00:00Z");
    private long version;
    private long incarnation = 1_000_000;

    Scene(LedgerRules rules) {
        ledger = new NodeLedger(rules);
    }

    public static LedgerRules rules(double watermark, LastPermitTrust trust) {
        return new LedgerRules(Duration.ofSeconds(10), watermark, Portions.NOTHING, trust, InvariantChecks.WHOLE);
    }

    static Scene withRules(double watermark) {
        return new Scene(rules(watermark, LastPermitTrust.RECOVERY));
    }

    /** Sets another watermark; the state follows with the next command that applies it. */
    void ruledBy(double watermark) {
        ledger = new NodeLedger(rules(watermark, LastPermitTrust.RECOVERY));
    }

    /**
     * A complete, empty node of 10 cores with the watermark at 8. The full list has version 0, so sessions begin with
     * 1.
     */
    static Scene loaded() {
        return loadedAfter(Duration.ZERO);
    }

    /** The same of a state that was completed that much later. */
    static Scene loadedAfter(Duration time) {
        var scene = withRules(0.8).after(time);
        scene.take(new LoadNode(scene.node(10_000), 0, List.of(), List.of()));
        return scene;
    }

    static Resources cpu(long milli) {
        return new Resources(milli, MEMORY);
    }

    long nextVersion() {
        version++;
        return version;
    }

    Scene after(Duration time) {
        now = now.plus(time);
        return this;
    }

    <A> A run(LedgerCommand<A> command) {
        var before = state;
        var outcome = ledger.apply(state, command, now, ++incarnation);
        assertThat(outcome.notices()).noneMatch(notice -> notice instanceof LedgerNotice.InvariantsBroken);
        assertThat(Invariants.check(before, command, outcome, ledger.rules(), true))
                .as("after %s", command)
                .isEmpty();
        notices.addAll(outcome.notices());
        state = outcome.state();
        return outcome.reply();
    }

    NodeObserved node(long milliCpu) {
        return new NodeObserved(NODE, nextVersion(), new Resources(milliCpu, MEMORY_TOTAL));
    }

    LoadReply load(List<PodObserved> pods, List<VmObserved> vms) {
        var node = node(10_000);
        return take(new LoadNode(node, nextVersion(), pods, vms));
    }

    /** The incarnation that a list of the node has to name if it is requested from now on. */
    long relist() {
        return run(new LedgerCommand.Load(LoadNode.ahead(node(10_000))))
                .relist()
                .orElseThrow();
    }

    /** Loads a list that was requested after the ledger replied. */
    LoadReply take(LoadNode list) {
        return run(new LedgerCommand.Load(list.relist(relist())));
    }

    PodObserved podObservation(String id, String vm, Resources amounts) {
        return new PodObserved(id, "ns", id, NODE, vm, nextVersion(), amounts, 0);
    }

    ObservationReply pod(String id, Resources amounts) {
        return run(new LedgerCommand.ObservePod(podObservation(id, "", amounts)));
    }

    ObservationReply podGone(String id) {
        return run(new LedgerCommand.LosePod(new PodGone(id, NODE, nextVersion())));
    }

    ObservationReply vm(Vm vm) {
        return run(new LedgerCommand.ObserveVm(vm.at(nextVersion())));
    }

    /** Binds a VM through the ledger, at what it uses. */
    void bound(Vm vm) {
        run(new LedgerCommand.Bind(reservation(vm.name(), vm.name(), vm.use(), vm.overcommit())));
        arrive(vm);
    }

    /** Observes a VM's pod, then the VM. */
    void arrive(Vm vm) {
        run(new LedgerCommand.ObservePod(podObservation(vm.name(), vm.name(), vm.use())));
        vm(vm);
    }

    public static NewReservation reservation(String id, String vm, Resources amounts, Overcommit overcommit) {
        return new NewReservation(new PodIdentity(id, "ns", id, vm, 0), amounts, overcommit);
    }

    /** Fills the node up to this much CPU with another pod. */
    void fillTo(long milliCpu) {
        long missing = milliCpu - state.sums().reserved().milliCpu();
        run(new LedgerCommand.Bind(reservation("filler", "", new Resources(missing, 0), Overcommit.OFF)));
    }

    OpenReply open(String pod, String runner, long lastSession) {
        return run(new LedgerCommand.Open(new OpenSession(NODE, pod, runner, lastSession)));
    }

    long session(String pod, String runner) {
        return ((OpenReply.Opened) open(pod, runner, 0)).session();
    }

    PermitReply request(PermitRequest request) {
        return run(new LedgerCommand.RequestPermit(request));
    }

    static PermitRequest request(String pod, long session, long seq, Resources target) {
        return request(pod, session, seq, target, Optional.empty());
    }

    /** A request of an agent that reports its use, which is zero. */
    static PermitRequest request(String pod, long session, long seq, Resources target, Optional<Resources> lastPermit) {
        return request(
                pod, session, seq, target, lastPermit, Optional.of(new ReportedUse(Resources.NONE, Resources.NONE)));
    }

    static PermitRequest request(
            String pod,
            long session,
            long seq,
            Resources target,
            Optional<Resources> lastPermit,
            Optional<ReportedUse> use) {
        return new PermitRequest(NODE, pod, "", session, seq, UNIT, target, lastPermit, Optional.empty(), use);
    }

    /**
     * Opens a session if necessary and sends the next request. The VM uses its permit, or the target if that is less.
     */
    PermitReply.Ruled ruled(String pod, Resources target, Optional<Resources> lastPermit) {
        seqs.add(seqs.getLast() + 1);
        var inUse = amounts(pod).reported().min(target);
        var use = Optional.of(new ReportedUse(inUse, inUse));
        return (PermitReply.Ruled)
                request(request(pod, session(pod, "runner-1"), seqs.getLast(), target, lastPermit, use));
    }

    /** A request of an agent whose VM uses {@code inUse} and may come to use {@code exposure}, whatever it requests. */
    PermitReply.Ruled ruled(String pod, long milliCpu, long inUse, long exposure) {
        seqs.add(seqs.getLast() + 1);
        var use = new ReportedUse(cpu(inUse), cpu(exposure));
        return (PermitReply.Ruled) request(request(
                pod, session(pod, "runner-1"), seqs.getLast(), cpu(milliCpu), Optional.empty(), Optional.of(use)));
    }

    /** A request of an agent of the reference's kind, which reports no use. */
    PermitReply.Ruled ruledBlind(String pod, long milliCpu, Optional<Resources> lastPermit) {
        seqs.add(seqs.getLast() + 1);
        return (PermitReply.Ruled) request(
                request(pod, session(pod, "runner-1"), seqs.getLast(), cpu(milliCpu), lastPermit, Optional.empty()));
    }

    PermitReply.Ruled ruled(String pod, long milliCpu) {
        return ruled(pod, cpu(milliCpu), Optional.empty());
    }

    ReclaimReply settle(String pod, Resources amounts) {
        return settle(pod, amounts, Reclaim.ANY_SESSION);
    }

    ReclaimReply settle(String pod, Resources amounts, long session) {
        return run(new LedgerCommand.ReclaimReservation(new Reclaim(NODE, pod, amounts, session)));
    }

    /** Marks a migration whose object exists, so that nothing is checked. */
    MarkReply mark(String pod) {
        return mark(pod, MarkMigrating.Cause.UNDER_WAY, Resources.NONE);
    }

    MarkReply mark(String pod, MarkMigrating.Cause cause, Resources room) {
        return mark(pod, cause, room, MOVE);
    }

    MarkReply mark(String pod, MarkMigrating.Cause cause, Resources room, String attempt) {
        return run(new LedgerCommand.Mark(new MarkMigrating(NODE, pod, cause, room, attempt)));
    }

    MarkReply unmark(String pod) {
        return unmark(pod, MOVE);
    }

    MarkReply unmark(String pod, String attempt) {
        return run(new LedgerCommand.Unmark(new UnmarkMigrating(NODE, pod, attempt)));
    }

    /** An observation of the target pod of a migration. */
    PodObserved targetObservation(String id, String vm, String migration, Resources amounts) {
        return new PodObserved(id, "ns", id, NODE, vm, nextVersion(), amounts, 0, migration);
    }

    ObservationReply target(String id, String vm, String migration, Resources amounts) {
        return run(new LedgerCommand.ObservePod(targetObservation(id, vm, migration, amounts)));
    }

    HoldReply holdFor(String migration, Resources amounts, Duration ttl) {
        return holdFor(migration, amounts, ttl, MOVE);
    }

    HoldReply holdFor(String migration, Resources amounts, Duration ttl, String attempt) {
        return run(new LedgerCommand.Hold(new HoldRoom(
                NODE,
                HoldRoom.forMigration("ns", migration),
                "ns",
                migration,
                "vm",
                amounts,
                Overcommit.OFF,
                ttl,
                attempt)));
    }

    Reservation reservation(String id) {
        return state.reservations().find(id).orElseThrow();
    }

    ReservationAmounts amounts(String id) {
        return reservation(id).amounts();
    }

    long reserved(String id) {
        return amounts(id).reserved().milliCpu();
    }

    long buffer(String id) {
        return amounts(id).buffer().milliCpu();
    }

    long pressure(String id) {
        return amounts(id).pressure().milliCpu();
    }

    long nodeReserved() {
        return state.sums().reserved().milliCpu();
    }

    NodePressure outcome() {
        return NodePressure.of(state);
    }
}
