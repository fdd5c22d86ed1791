package io.sluice.gateway.core.console.fleet;

import java.util.Arrays;

/** Rows of small numbers at a fixed step; grows with use to its limit, and then drops the oldest. */
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

    /**
     * Puts a row at a step. The last row of a step replaces earlier ones, skipped steps are empty, and a row for an
     * earlier step is ignored.
     */
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

    /** Called only before the first row was dropped, so the rows are in order, starting where the next one would go. */
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

    /** Returns the step of a row, counted from the oldest. */
    long stepOf(int row) {
        return newestStep - (rows - 1 - row);
    }

    short cell(int row, int column) {
        int slot = Math.floorMod(next - rows + row, capacity());
        return cells[slot * columns + column];
    }

    /** Returns the memory that its numbers take. */
    int bytes() {
        return cells.length * Short.BYTES;
    }
}
