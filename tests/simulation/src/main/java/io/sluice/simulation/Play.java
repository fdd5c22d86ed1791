package io.sluice.simulation;

import io.sluice.simulation.engine.Faults;
import io.sluice.simulation.engine.Journal;
import io.sluice.simulation.engine.Seconds;
import io.sluice.simulation.invariants.DecreaseReportedOnceShown;
import io.sluice.simulation.invariants.EachVmCounts;
import io.sluice.simulation.invariants.GrowthHasRealRoom;
import io.sluice.simulation.invariants.GrowthNeedsALivePermit;
import io.sluice.simulation.invariants.HoldsAreWhole;
import io.sluice.simulation.invariants.Invariant;
import io.sluice.simulation.invariants.Invariant.Broken;
import io.sluice.simulation.invariants.LedgerCoversEachVm;
import io.sluice.simulation.invariants.MarksGoByProof;
import io.sluice.simulation.invariants.MissingPodsAreRequested;
import io.sluice.simulation.invariants.NewestSessionAlone;
import io.sluice.simulation.invariants.NewestStateCounts;
import io.sluice.simulation.invariants.NoGrantBeforeFullList;
import io.sluice.simulation.invariants.NodeSumsAddUp;
import io.sluice.simulation.invariants.NothingBeyondTotal;
import io.sluice.simulation.invariants.OneWriterPerVm;
import io.sluice.simulation.invariants.OthersAreServed;
import io.sluice.simulation.invariants.PartsStayWithinReserved;
import io.sluice.simulation.invariants.PermitsAreFair;
import io.sluice.simulation.invariants.PermitsLapse;
import io.sluice.simulation.invariants.RecoveredMembersStay;
import io.sluice.simulation.invariants.RoomStaysKept;
import io.sluice.simulation.invariants.UnreadyNodesTakeNothing;
import io.sluice.simulation.invariants.placement.GangsStartWhole;
import io.sluice.simulation.invariants.placement.PlacedPodsAreReserved;
import io.sluice.simulation.model.FinalState;
import io.sluice.simulation.model.World;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One run of one history, with all or some of its faults. */
final class Play {
    static final String AT_REST = "comes to rest";
    private static final String NO_FAILURE = "no part fails";
    private static final long LOOKS_APART = Seconds.of(2);

    /**
     * A mark without a migration is removed after half a minute, by checks that are 15 s apart. The VM's runner is
     * informed by the reply to its next permit request, which may take as long.
     */
    private static final long LATE_ENDS = Seconds.of(70);

    private final long seed;
    private final HistoryShape shape;
    private final Faults faults;
    private final Journal journal;
    private final List<Invariant> invariants = List.of(
            new NodeSumsAddUp(),
            new PartsStayWithinReserved(),
            new NewestStateCounts(),
            new NothingBeyondTotal(),
            new GrowthHasRealRoom(),
            new PermitsAreFair(),
            new NewestSessionAlone(),
            new OthersAreServed(),
            new NoGrantBeforeFullList(),
            new MissingPodsAreRequested(),
            new RecoveredMembersStay(),
            new UnreadyNodesTakeNothing(),
            new HoldsAreWhole(),
            new MarksGoByProof(),
            new EachVmCounts(),
            new OneWriterPerVm(),
            new GrowthNeedsALivePermit(),
            new DecreaseReportedOnceShown(),
            new PermitsLapse(),
            new LedgerCoversEachVm(),
            new PlacedPodsAreReserved(),
            new GangsStartWhole(),
            new RoomStaysKept());

    Play(long seed, HistoryShape shape) {
        this(seed, shape, Optional.empty(), false, 0);
    }

    /**
     * Prepares a run.
     *
     * @param only the faults that may happen; empty if all may
     * @param recording whether the names of the faults that happen are recorded
     * @param lines how many of the last lines of its journal are kept
     */
    Play(long seed, HistoryShape shape, Optional<Set<String>> only, boolean recording, int lines) {
        this.seed = seed;
        this.shape = shape;
        this.faults = new Faults(seed, only, recording);
        this.journal = new Journal(lines);
    }

    List<String> faults() {
        return faults.done();
    }

    List<String> lines() {
        return journal.lines();
    }

    /** Runs it; throws {@link BrokenHistory} if an invariant does not hold. */
    HistoryReport run() {
        var world = new World(shape, faults, journal);
        try {
            run(world);
        } catch (Broken broken) {
            throw new BrokenHistory(seed, broken.invariant(), at(world) + broken.getMessage(), broken);
        } catch (RuntimeException fault) {
            throw new BrokenHistory(seed, NO_FAILURE, at(world) + fault, fault);
        }
        var tally = world.tally();
        return new HistoryReport(
                seed,
                world.time().events(),
                faults.count(),
                tally.patches(),
                tally.permits(),
                tally.denials(),
                tally.refusals(),
                tally.moves(),
                tally.loads(),
                tally.settles(),
                tally.evictions(),
                tally.gangs(),
                tally.kept(),
                tally.keptForGangs(),
                tally.deferrals(),
                tally.withdrawals());
    }

    private static String at(World world) {
        return "at" + world.time().clock() + " s, event " + world.time().events() + ": ";
    }

    private void run(World world) {
        long quiet = Seconds.of(shape.faultSeconds());
        until(world, quiet);
        world.quiet();
        var rest = new FinalState(world);
        Optional<String> missing = Optional.empty();
        boolean late = false;
        long soon = quiet + Seconds.of(shape.quietSeconds());
        for (long at = quiet; at < soon + LATE_ENDS; at += LOOKS_APART) {
            until(world, at + LOOKS_APART);
            missing = rest.missing();
            if (missing.isEmpty()) {
                return;
            }
            late |= rest.missingButLate().isEmpty();
            if (at + LOOKS_APART >= soon && !late) {
                break;
            }
        }
        throw new Broken(AT_REST, missing.orElse(""));
    }

    private void until(World world, long end) {
        while (world.step(end)) {
            for (var invariant : invariants) {
                invariant.check(world);
            }
        }
    }
}
