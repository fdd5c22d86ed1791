package io.sluice.launcher.client;

import io.sluice.shell.Quantities;
import io.sluice.units.Resources;

/** Formats amounts of the console API, {@code [milliCpu, memoryBytes]}. */
final class Amounts {
    private Amounts() {}

    static String text(Json amount) {
        var parts = amount.values();
        return parts.size() == 2
                ? Quantities.text(
                        new Resources(parts.getFirst().number(), parts.getLast().number()))
                : "-";
    }
}
