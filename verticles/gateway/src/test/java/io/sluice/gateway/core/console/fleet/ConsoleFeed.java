package io.sluice.gateway.core.console.fleet;

import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The events that the console receives in tests. */
public final class ConsoleFeed {
    public static final Instant NOW = Instant.parse("2026-11-21T08:00:00Z");
    public static final Resources UNIT = cu(1);

    private ConsoleFeed() {}

    /** So many compute units of 250m and 1Gi. */
    public static Resources cu(int units) {
        return new Resources(250L * units, (1L << 30) * units);
    }

    public static VmId id(String name) {
        return new VmId("neonvm", "default", name, "uid-" + name);
    }

    public static VmObserved vm(String name, String node, long version) {
        return vm(id(name), node, version, VmPhase.RUNNING, cu(4));
    }

    public static VmObserved vm(VmId id, String node, long version, VmPhase phase, Resources shown) {
        return new VmObserved(
                id,
                version,
                "pod-" + id.name(),
                id.name() + "-0",
                node,
                phase,
                true,
                true,
                false,
                new VmSizes(cu(1), cu(8), cu(4), Optional.of(shown), 1L << 30),
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

    /** A runner whose VM has 10 units, a goal of 11 and a permit for 10. */
    public static RunnerStatus status(String name, Waiting waiting, long sinceSeconds, String reason) {
        return status(id(name), waiting, sinceSeconds, reason);
    }

    public static RunnerStatus status(VmId id, Waiting waiting, long sinceSeconds, String reason) {
        return new RunnerStatus(
                id,
                "node-c",
                "pod-" + id.name(),
                cu(10),
                Optional.of(cu(11)),
                Optional.of(cu(10)),
                waiting,
                Duration.ofSeconds(sinceSeconds),
                basis(11),
                reason,
                Optional.empty());
    }

    public static GoalBasis basis(int goalCu) {
        return new GoalBasis(
                goalCu,
                Optional.of(2.5),
                Optional.of(1.5),
                Optional.empty(),
                Optional.of(0.6),
                Optional.of(1.57),
                Optional.of(1205.0 * (1 << 20)),
                0,
                0);
    }

    /** A node of 40 units whose watermark is at 32, with so many reserved. */
    public static NodeLedgerView node(String name, int reservedCu) {
        return node(name, cu(reservedCu), Resources.NONE, Resources.NONE, true, reservedCu > 32);
    }

    public static NodeLedgerView node(
            String name,
            Resources reserved,
            Resources refused,
            Resources leaving,
            boolean complete,
            boolean underPressure) {
        return new NodeLedgerView(
                name,
                complete,
                cu(40),
                cu(32),
                reserved,
                reserved,
                Resources.NONE,
                Resources.NONE,
                refused,
                leaving,
                leaving,
                underPressure,
                0,
                List.of());
    }

    public static Decision denied(String name, String node) {
        return new Decision(
                Decision.Kind.DENIED,
                id(name),
                node,
                cu(10),
                cu(11),
                Optional.empty(),
                GoalBasis.NONE,
                "cpu: requested 2750m, permitted 2500m",
                1);
    }

    public static PressureDecision pressure(PressureDecision.Kind kind, String vm, String node, String to, String why) {
        var id = vm.isEmpty() ? Optional.<VmId>empty() : Optional.of(id(vm));
        return new PressureDecision(kind, node, id, to, Optional.empty(), why);
    }

    public static MigrationObserved migration(String vm, long version, MigrationPhase phase, String roomOn) {
        return new MigrationObserved(
                "neonvm",
                "default",
                "schedplugin-" + vm + "-0",
                "m-" + vm,
                version,
                vm,
                phase,
                vm + "-0",
                "",
                roomOn,
                true,
                false,
                NOW.getEpochSecond(),
                "m-" + vm);
    }
}
