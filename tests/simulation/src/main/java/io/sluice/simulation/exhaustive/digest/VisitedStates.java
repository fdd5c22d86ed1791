package io.sluice.simulation.exhaustive.digest;

/** The digests of all states that were reached: 16 bytes each, in tables that grow on their own. */
public final class VisitedStates {
    private static final int PARTS = 64;
    private static final int FIRST_CAPACITY = 1 << 10;

    private final Part[] parts = new Part[PARTS];

    public VisitedStates() {
        for (int i = 0; i < PARTS; i++) {
            parts[i] = new Part();
        }
    }

    /** Adds a digest; returns whether it is new. */
    public boolean add(Digest digest) {
        long high = digest.high() | 1;
        long low = digest.low();
        return parts[(int) (low >>> 58)].add(high, low);
    }

    public long size() {
        long size = 0;
        for (var part : parts) {
            size += part.size();
        }
        return size;
    }

    private static final class Part {
        private long[] table = new long[2 * FIRST_CAPACITY];
        private int size;

        synchronized int size() {
            return size;
        }

        synchronized boolean add(long high, long low) {
            if (5L * size > table.length) {
                grow();
            }
            if (!put(table, high, low)) {
                return false;
            }
            size++;
            return true;
        }

        private static boolean put(long[] table, long high, long low) {
            int mask = table.length - 1;
            int at = (int) (2 * low) & mask & ~1;
            while (table[at] != 0) {
                if (table[at] == high && table[at + 1] == low) {
                    return false;
                }
                at = at + 2 & mask;
            }
            table[at] = high;
            table[at + 1] = low;
            return true;
        }

        private void grow() {
            var larger = new long[2 * table.length];
            for (int at = 0; at < table.length; at += 2) {
                if (table[at] != 0) {
                    put(larger, table[at], table[at + 1]);
                }
            }
            table = larger;
        }
    }
}
