package io.sluice.pressure;

import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.pressure.core.choice.PressureBalance;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Node ledgers and observations for tests. Memory goes with CPU: 1 MiB for each milli-CPU, unless a test sets
 * otherwise.
 */
public final class Given {
    /** When the state of every complete node was completed. */
    public static final Instant COMPLETED_AT = Instant.ofEpochSecond(1_000);

    public static final String NAMESPACE = "prod";
    public static final String DRIVER = "neonvm";
    private static final long MEBI = 1 << 20;

    private Given() {}

    public static Resources cpu(long milli) {
        return new Resources(milli, milli * MEBI);
    }

    public static VmId id(String vm) {
        return new VmId(DRIVER, NAMESPACE, vm, "uid-" + vm);
    }

    /** The VM {@code vm} in the pod {@code vm-pod} of uid {@code vm}. */
    public static GivenReservation reservation(String vm, long milli) {
        return new GivenReservation(vm, cpu(milli));
    }

    /** A node of 10 cores with its watermark at 8, whose sums are those of its reservations. */
    public static NodeLedgerView node(String name, ReservationView... reservations) {
        return node(name, cpu(10_000), cpu(8_000), reservations);
    }

    public static NodeLedgerView node(
            String name, Resources total, Resources watermark, ReservationView... reservations) {
        var all = List.of(reservations);
        var reserved = sum(all, reservation -> reservation.traits().charge());
        var capacity = sum(all, reservation -> onNode(reservation, reservation.pressure()));
        var buffer = sum(all, reservation -> onNode(reservation, reservation.buffer()));
        var moving = all.stream().filter(ReservationView::migrating).toList();
        var migrating = sum(moving, reservation -> reservation.traits().charge());
        var accounted = migrating.plus(sum(moving, reservation -> onNode(reservation, reservation.pressure())));
        var balance = new PressureBalance(reserved, watermark, capacity, accounted, buffer, Resources.NONE);
        var ledger = new NodeLedgerView(
                name,
                true,
                total,
                watermark,
                reserved,
                sum(all, ReservationView::reserved),
                Resources.NONE,
                buffer,
                capacity,
                accounted,
                migrating,
                balance.tooMuch(),
                0,
                all);
        return with(ledger, Resources.NONE, FixedAmounts.NONE, FixedAmounts.NONE);
    }

    private static Resources onNode(ReservationView reservation, Resources amount) {
        return reservation.traits().overcommit().charge(amount);
    }

    private static Resources sum(List<ReservationView> reservations, Function<ReservationView, Resources> amount) {
        return reservations.stream().map(amount).reduce(Resources.NONE, Resources::plus);
    }

    /** The same without a full list. */
    public static NodeLedgerView incomplete(NodeLedgerView ledger) {
        return new NodeLedgerView(
                ledger.node(),
                false,
                ledger.total(),
                ledger.watermark(),
                ledger.reserved(),
                ledger.committed(),
                ledger.held(),
                ledger.buffer(),
                ledger.capacityPressure(),
                ledger.accountedPressure(),
                ledger.migrating(),
                false,
                0,
                ledger.reservations());
    }

    /** The same where the kubelet defers growth. */
    public static NodeLedgerView deferring(NodeLedgerView ledger, Resources deferred) {
        return with(ledger, deferred, ledger.fixedTotal(), ledger.fixedReserved());
    }

    /** The same with places for so many pods, of which some are taken. */
    public static NodeLedgerView withPlaces(NodeLedgerView ledger, long places, long taken) {
        return with(ledger, Resources.NONE, pods(places), pods(taken));
    }

    public static FixedAmounts pods(long count) {
        return FixedAmounts.of(Map.of(FixedAmounts.PODS, count));
    }

    private static NodeLedgerView with(
            NodeLedgerView ledger, Resources deferred, FixedAmounts fixedTotal, FixedAmounts fixedReserved) {
        var capacity = ledger.capacityPressure().plus(deferred);
        var balance = new PressureBalance(
                ledger.reserved(), ledger.watermark(), capacity, ledger.accountedPressure(), ledger.buffer(), deferred);
        return new NodeLedgerView(
                ledger.node(),
                ledger.complete(),
                ledger.total(),
                ledger.watermark(),
                ledger.reserved(),
                ledger.committed(),
                ledger.held(),
                ledger.buffer(),
                capacity,
                ledger.accountedPressure(),
                ledger.migrating(),
                balance.tooMuch(),
                0,
                ledger.reservations(),
                ledger.readiness(),
                ledger.unsettled(),
                fixedTotal,
                fixedReserved,
                ledger.fixedHeld(),
                ledger.devices(),
                ledger.kept(),
                deferred,
                Optional.of(COMPLETED_AT));
    }

    /** The form of {@code ledger.node-changed}. */
    public static NodeLedgerView withoutMembers(NodeLedgerView ledger) {
        return ledger.withoutReservations();
    }

    /** An observation that the VM runs in its pod on that node. */
    public static VmObserved vm(String vm, String node, long version) {
        return vm(vm, vm, node, version, false);
    }

    public static VmObserved vm(String vm, String pod, String node, long version, boolean alwaysMigrate) {
        return new VmObserved(
                id(vm),
                version,
                pod,
                pod + "-pod",
                node,
                VmPhase.RUNNING,
                true,
                true,
                alwaysMigrate,
                new VmSizes(cpu(250), cpu(4000), cpu(1000), Optional.of(cpu(1000)), MEBI),
                Overcommit.OFF,
                ScalingOverrides.NONE,
                Optional.empty(),
                Optional.empty(),
                "",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                VmTraits.NONE);
    }

    /** A pod that runs the VM. */
    public static PodObserved pod(String vm, String pod, String node, String migration) {
        return new PodObserved(pod, NAMESPACE, pod + "-pod", node, vm, 1, cpu(1000), 0, migration);
    }

    /** A runner's status of a VM of that size, which has that load and needs no memory. */
    public static RunnerStatus status(String pod, String node, long milli, double load) {
        var basis = new GoalBasis(
                1,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(load),
                Optional.empty(),
                Optional.of(0.0),
                0,
                0);
        return new RunnerStatus(
                id(pod),
                node,
                pod,
                cpu(milli),
                Optional.empty(),
                Optional.empty(),
                Waiting.NOTHING,
                Duration.ZERO,
                basis,
                "",
                Optional.empty());
    }

    /** The first attempt of the process p. */
    public static final String ATTEMPT = "p/1";

    /** A migration that Sluice began for the VM's pod. */
    public static MigrationObserved migration(String vm, MigrationPhase phase, long version) {
        return migration(vm, phase, version, "n2", true);
    }

    /** The same with that attempt. */
    public static MigrationObserved migration(String vm, MigrationPhase phase, long version, String attempt) {
        var made = migration(vm, phase, version);
        return new MigrationObserved(
                made.driver(),
                made.namespace(),
                made.name(),
                made.uid(),
                made.version(),
                made.vmName(),
                made.phase(),
                made.sourcePod(),
                made.targetPod(),
                made.roomOn(),
                made.ours(),
                made.deleting(),
                made.createdAtSeconds(),
                attempt);
    }

    public static MigrationObserved migration(
            String vm, MigrationPhase phase, long version, String roomOn, boolean ours) {
        return new MigrationObserved(
                DRIVER,
                NAMESPACE,
                "schedplugin-" + vm + "-pod",
                "object-" + vm,
                version,
                vm,
                phase,
                vm + "-pod",
                "",
                roomOn,
                ours,
                false,
                1_000_000,
                ours ? ATTEMPT : "object-" + vm);
    }
}
