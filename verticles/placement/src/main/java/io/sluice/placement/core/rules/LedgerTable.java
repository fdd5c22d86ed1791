package io.sluice.placement.core.rules;

import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.ReservedShare;
import io.sluice.units.Resources;
import java.util.Arrays;
import java.util.BitSet;

/** The last known sums of each node's ledger. */
final class LedgerTable {
    private final BitSet complete = new BitSet();
    private final BitSet ready = new BitSet();
    private long[] cpuTotal = new long[64];
    private long[] cpuReserved = new long[64];
    private long[] memoryTotal = new long[64];
    private long[] memoryReserved = new long[64];
    private Resources largest = Resources.NONE;
    private boolean largestKnown;

    void change(int node, NodeSnapshot sums) {
        if (node >= cpuTotal.length) {
            int length = Math.max(node + 1, 2 * cpuTotal.length);
            cpuTotal = Arrays.copyOf(cpuTotal, length);
            cpuReserved = Arrays.copyOf(cpuReserved, length);
            memoryTotal = Arrays.copyOf(memoryTotal, length);
            memoryReserved = Arrays.copyOf(memoryReserved, length);
        }
        complete.set(node, sums.complete());
        ready.set(node, sums.readiness() == NodeReadiness.READY);
        largestKnown &= total(node).equals(sums.total());
        cpuTotal[node] = sums.total().milliCpu();
        memoryTotal[node] = sums.total().memoryBytes();
        cpuReserved[node] = sums.reserved().milliCpu();
        memoryReserved[node] = sums.reserved().memoryBytes();
    }

    void remove(int node) {
        complete.clear(node);
        ready.clear(node);
        if (node < cpuTotal.length) {
            largestKnown = false;
            cpuTotal[node] = 0;
            memoryTotal[node] = 0;
        }
    }

    /** Adds a hold until the next sums contain it. */
    void hold(int node, Resources charge) {
        if (complete.get(node)) {
            cpuReserved[node] += charge.milliCpu();
            memoryReserved[node] += charge.memoryBytes();
        }
    }

    /** Takes a charge away again. */
    void free(int node, Resources charge) {
        if (complete.get(node)) {
            cpuReserved[node] -= charge.milliCpu();
            memoryReserved[node] -= charge.memoryBytes();
        }
    }

    BitSet complete() {
        return complete;
    }

    BitSet ready() {
        return ready;
    }

    Resources total(int node) {
        return node < cpuTotal.length ? new Resources(cpuTotal[node], memoryTotal[node]) : Resources.NONE;
    }

    Resources reserved(int node) {
        return node < cpuTotal.length ? new Resources(cpuReserved[node], memoryReserved[node]) : Resources.NONE;
    }

    void keepWithRoom(Resources charge, BitSet nodes) {
        long cpu = charge.milliCpu();
        long memory = charge.memoryBytes();
        for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
            if (cpuReserved[node] + cpu > cpuTotal[node] || memoryReserved[node] + memory > memoryTotal[node]) {
                nodes.clear(node);
            }
        }
    }

    /** The score of a node with that much more reserved. */
    double score(int node, Resources charge, ReservedShare share, Resources largest) {
        return Math.min(
                share.score(cpuReserved[node] + charge.milliCpu(), cpuTotal[node], largest.milliCpu()),
                share.score(memoryReserved[node] + charge.memoryBytes(), memoryTotal[node], largest.memoryBytes()));
    }

    /** The largest total of any node, kind by kind. */
    Resources largest() {
        if (!largestKnown) {
            largest = new Resources(
                    Arrays.stream(cpuTotal).max().orElse(0),
                    Arrays.stream(memoryTotal).max().orElse(0));
            largestKnown = true;
        }
        return largest;
    }
}
