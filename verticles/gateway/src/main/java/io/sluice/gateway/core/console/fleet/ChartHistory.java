package io.sluice.gateway.core.console.fleet;

import io.sluice.messages.agent.RunnerStatus;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The history of a VM: the last day in steps of ten minutes, the last three hours in steps of a minute, and the last
 * ten minutes in steps of five seconds. A step has the VM's last state in it, or nothing if none is known.
 *
 * <p>It takes less than 6 KB (3.7 KB after three hours), and grows to that size with time: 107 MB for 20 000 VMs.
 */
public final class ChartHistory {
    /** The step of the last day. */
    public static final long COARSE_STEP_MS = 600_000;

    /** The step of the last hours. */
    public static final long STEP_MS = 60_000;

    /** The step of the last minutes, at which points are added. */
    public static final long FINE_STEP_MS = 5_000;

    private static final int COARSE_ROWS = 144;
    private static final int ROWS = 180;
    private static final int FINE_ROWS = 120;
    private static final SmallNumber[] COLUMNS = {
        SmallNumber.MILLI_CPU,
        SmallNumber.MILLI_CPU,
        SmallNumber.BYTES,
        SmallNumber.BYTES,
        SmallNumber.HUNDREDTHS,
        SmallNumber.BYTES
    };

    private final HistoryRing day = new HistoryRing(COLUMNS.length, COARSE_ROWS);
    private final HistoryRing hours = new HistoryRing(COLUMNS.length, ROWS);
    private final HistoryRing minutes = new HistoryRing(COLUMNS.length, FINE_ROWS);

    /**
     * The state of a VM at one instant.
     *
     * @param atMs when, in milliseconds since 1970
     * @param size the size that was set; empty if nothing is known of that time
     * @param goal what its load needs
     * @param load1 its 1-minute load
     * @param usageBytes its memory in use
     */
    public record Point(
            long atMs,
            Optional<Resources> size,
            Optional<Resources> goal,
            Optional<Double> load1,
            Optional<Long> usageBytes) {
        static Point of(VmStatus vm, Instant now) {
            var basis = vm.status().map(RunnerStatus::basis);
            return new Point(
                    now.toEpochMilli(),
                    Optional.of(vm.size()),
                    vm.status().flatMap(RunnerStatus::goal),
                    basis.flatMap(numbers -> numbers.load1()),
                    basis.flatMap(numbers -> numbers.usageBytes()).map(Math::round));
        }

        private long[] columns() {
            return new long[] {
                size.map(Resources::milliCpu).orElse(-1L),
                goal.map(Resources::milliCpu).orElse(-1L),
                size.map(Resources::memoryBytes).orElse(-1L),
                goal.map(Resources::memoryBytes).orElse(-1L),
                load1.map(load -> Math.round(load * 100)).orElse(-1L),
                usageBytes.orElse(-1L)
            };
        }
    }

    /** Adds the VM's current state. */
    void add(Point point) {
        var numbers = point.columns();
        var row = new short[COLUMNS.length];
        for (int column = 0; column < row.length; column++) {
            row[column] = numbers[column] < 0 ? SmallNumber.NONE : COLUMNS[column].keep(numbers[column]);
        }
        day.put(point.atMs() / COARSE_STEP_MS, row);
        hours.put(point.atMs() / STEP_MS, row);
        minutes.put(point.atMs() / FINE_STEP_MS, row);
    }

    /** Returns the history, oldest first: each ring's steps from where those of the finer one end. */
    public List<Point> points() {
        List<Point> points = new ArrayList<>();
        long fineFrom = from(minutes, FINE_STEP_MS);
        long from = Math.min(fineFrom, from(hours, STEP_MS));
        addUntil(from, day, COARSE_STEP_MS, points);
        addUntil(fineFrom, hours, STEP_MS, points);
        addUntil(Long.MAX_VALUE, minutes, FINE_STEP_MS, points);
        return points;
    }

    private static long from(HistoryRing ring, long stepMs) {
        return ring.rows() == 0 ? Long.MAX_VALUE : ring.stepOf(0) * stepMs;
    }

    /** Adds the steps that end by then. */
    private static void addUntil(long untilMs, HistoryRing ring, long stepMs, List<Point> points) {
        for (int row = 0; row < ring.rows() && (ring.stepOf(row) + 1) * stepMs <= untilMs; row++) {
            points.add(point(ring, row, stepMs));
        }
    }

    /** Returns the memory that its numbers take. */
    int bytes() {
        return day.bytes() + hours.bytes() + minutes.bytes();
    }

    private static Point point(HistoryRing ring, int row, long stepMs) {
        return new Point(
                ring.stepOf(row) * stepMs,
                amount(ring.cell(row, 0), ring.cell(row, 2)),
                amount(ring.cell(row, 1), ring.cell(row, 3)),
                number(ring, row, 4).map(hundredths -> hundredths / 100.0),
                number(ring, row, 5));
    }

    private static Optional<Resources> amount(short milliCpu, short bytes) {
        return milliCpu == SmallNumber.NONE || bytes == SmallNumber.NONE
                ? Optional.empty()
                : Optional.of(new Resources(SmallNumber.MILLI_CPU.read(milliCpu), SmallNumber.BYTES.read(bytes)));
    }

    private static Optional<Long> number(HistoryRing ring, int row, int column) {
        short kept = ring.cell(row, column);
        return kept == SmallNumber.NONE ? Optional.empty() : Optional.of(COLUMNS[column].read(kept));
    }
}
