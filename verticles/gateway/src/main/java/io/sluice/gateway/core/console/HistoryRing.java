package io.sluice.gateway.core.console;

import java.util.Arrays;

/** Rows of small numbers at a steady step; grows with use to its limit, and then forgets the oldest. */
final class HistoryRing {
    private static final int ROWS_AT_FIRST = 15;

    private final int columns;
    private final int rowsMax;
    private short[] cells;
    private int rows;
    private int next;
    private long newestStep;

    HistoryRing(int columns, int rowsMax) {
        this.columns = columns;
        this.rowsMax = rowsMax;
        this.cells = new short[columns * Math.min(ROWS_AT_FIRST, rowsMax)];
    }

    /** Puts a row at a step; the last of one step stands, steps left out are empty, and none goes back. */
    void put(long step, short[] row) {
        if (rows > 0 && step < newestStep) {
            return;
        }
        if (rows > 0 && step == newestStep) {
            next = next == 0 ? capacity() - 1 : next - 1;
            rows--;
        } else if (rows > 0) {
            skip(Math.min(step - newestStep - 1, rowsMax));
        }
        append(row);
        newestStep = step;
    }

    private void skip(long steps) {
        if (steps == 0) {
            return;
        }
        var empty = new short[columns];
        Arrays.fill(empty, SmallNumber.NONE);
        for (long skipped = 0; skipped < steps; skipped++) {
            append(empty);
        }
    }

    private void append(short[] row) {
        if (rows == capacity() && rows < rowsMax) {
            grow();
        }
        System.arraycopy(row, 0, cells, next * columns, columns);
        next = (next + 1) % capacity();
        rows = Math.min(rows + 1, capacity());
    }

    /** Only before the first row was forgotten, so rows stand in order, from wherever the next one would go. */
    private void grow() {
        var larger = new short[columns * Math.min(2 * capacity(), rowsMax)];
        int beforeWrap = cells.length - next * columns;
        System.arraycopy(cells, next * columns, larger, 0, beforeWrap);
        System.arraycopy(cells, 0, larger, beforeWrap, next * columns);
        cells = larger;
        next = rows;
    }

    private int capacity() {
        return cells.length / columns;
    }

    int rows() {
        return rows;
    }

    /** The step of a row, counted from the oldest. */
    long stepOf(int row) {
        return newestStep - (rows - 1 - row);
    }

    short cell(int row, int column) {
        int slot = Math.floorMod(next - rows + row, capacity());
        return cells[slot * columns + column];
    }

    /** What its numbers take in memory. */
    int bytes() {
        return cells.length * Short.BYTES;
    }
}
