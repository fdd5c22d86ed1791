package io.sluice.placement.core.rules;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** A number for each node, by which tables and sets of nodes are indexed. */
final class NodeIndex {
    static final int NONE = -1;

    private final Map<String, Integer> numbers = new HashMap<>();
    private final BitSet used = new BitSet();
    private String[] names = new String[64];
    private int[] order = new int[0];

    int of(String name) {
        return numbers.getOrDefault(name, NONE);
    }

    int create(String name) {
        return numbers.computeIfAbsent(name, added -> {
            int number = used.nextClearBit(0);
            used.set(number);
            if (number >= names.length) {
                names = Arrays.copyOf(names, 2 * names.length);
            }
            names[number] = added;
            order = new int[0];
            return number;
        });
    }

    void remove(int number) {
        numbers.remove(names[number]);
        used.clear(number);
        order = new int[0];
    }

    /** The place of a node in the order of all names. */
    int order(int number) {
        if (order.length == 0) {
            order = new int[used.length()];
            int place = 0;
            for (var sorted : new TreeMap<>(numbers).values()) {
                order[sorted] = place++;
            }
        }
        return order[number];
    }

    String name(int number) {
        return names[number];
    }

    /** One more than the highest number. */
    int size() {
        return used.length();
    }

    void forEach(BiConsumer<String, Integer> each) {
        numbers.forEach(each);
    }

    /**
     * Goes through a set of nodes, each of which may be removed meanwhile. It is cheaper than asking the set for each.
     */
    static final class Walk {
        private final long[] words;
        private int word;
        private long left;

        Walk(BitSet nodes) {
            words = nodes.toLongArray();
            left = words.length == 0 ? 0 : words[0];
        }

        /** The next node, or {@link #NONE} after the last one. */
        int next() {
            while (left == 0) {
                if (++word >= words.length) {
                    return NONE;
                }
                left = words[word];
            }
            int node = word * Long.SIZE + Long.numberOfTrailingZeros(left);
            left &= left - 1;
            return node;
        }
    }
}
