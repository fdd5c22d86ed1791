package io.sluice.neonvm.core;

import io.sluice.messages.ledger.PressureNumbers;
import io.sluice.shell.Quantities;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats the numbers of a node for Events. */
final class NodeText {
    private static final double MILLI = 1000;
    private static final long MEBI = 1L << 20;
    private static final double GIBI = 1L << 30;

    private NodeText() {}

    /** How far a node is above its watermark, for each resource that is; empty if none is. */
    static String above(PressureNumbers numbers) {
        List<String> kinds = new ArrayList<>();
        var above = numbers.logical();
        var watermark = numbers.watermark();
        if (above.milliCpu() > 0) {
            kinds.add("cpu " + Quantities.cpuText(above.milliCpu()) + watermark(watermark.milliCpu() / MILLI, ""));
        }
        if (above.memoryBytes() > 0) {
            kinds.add("memory " + memory(above.memoryBytes()) + watermark(watermark.memoryBytes() / GIBI, "Gi"));
        }
        return String.join(", ", kinds);
    }

    private static String watermark(double amount, String unit) {
        return " above the watermark of " + text(amount) + unit;
    }

    /** A watermark is a fraction of a node, so the excess is seldom a round number. */
    private static String memory(long bytes) {
        return bytes < GIBI ? (bytes + MEBI - 1) / MEBI + "Mi" : text(bytes / GIBI) + "Gi";
    }

    private static String text(double amount) {
        return new DecimalFormat("0.0##", DecimalFormatSymbols.getInstance(Locale.ROOT)).format(amount);
    }
}
