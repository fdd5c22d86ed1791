package io.sluice.console.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** A node of a {@link SyntheticFleet}: its sums are those of its VMs. */
final class SyntheticNode {
    private static final long WATERMARK_PERCENT = 80;
    private static final int UNIT_MILLI = 250;
    private static final long GIB = 1L << 30;

    final String name;
    final List<SyntheticVm> vms = new ArrayList<>();
    private final long milli;
    private final long bytes;
    private long refusedMilli;
    private long refusedBytes;

    SyntheticNode(String name, long milli, long bytes) {
        this.name = name;
        this.milli = milli;
        this.bytes = bytes;
    }

    /** Adds so much capacity pressure. */
    void press(long moreMilli, long moreBytes) {
        refusedMilli = moreMilli;
        refusedBytes = moreBytes;
    }

    ObjectNode json() {
        int promised = vms.stream().mapToInt(SyntheticVm::permit).sum();
        int moving = vms.stream()
                .filter(vm -> vm.waiting.equals("MIGRATION"))
                .mapToInt(SyntheticVm::permit)
                .sum();
        int buffer = vms.stream().anyMatch(vm -> vm.waiting.equals("METRICS")) ? 3 : 0;
        int held = vms.stream().anyMatch(vm -> vm.waiting.equals("RETRY")) ? 5 : 0;
        var node = SyntheticFleet.JSON
                .objectNode()
                .put("name", name)
                .put("complete", true)
                .put("readiness", "READY");
        node.set("total", SyntheticFleet.amount(milli, bytes));
        node.set("watermark", SyntheticFleet.amount(milli * WATERMARK_PERCENT / 100, bytes * WATERMARK_PERCENT / 100));
        long reservedMilli = (promised + held) * (long) UNIT_MILLI;
        node.set("reserved", SyntheticFleet.amount(reservedMilli, (promised + held) * GIB));
        node.set("held", SyntheticFleet.amount(held));
        node.set("buffer", SyntheticFleet.amount(buffer));
        node.set("capacityPressure", SyntheticFleet.amount(refusedMilli, refusedBytes));
        node.set("accountedPressure", SyntheticFleet.amount(moving));
        node.set("migrating", SyntheticFleet.amount(moving));
        return node.put("underPressure", refusedMilli > 0).put("broken", 0);
    }
}
