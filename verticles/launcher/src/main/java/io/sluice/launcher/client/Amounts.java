package io.sluice.launcher.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.shell.Quantities;
import io.sluice.units.Resources;

/** Formats amounts of the console API, {@code [milliCpu, memoryBytes]}. */
final class Amounts {
    private Amounts() {}

    static String text(JsonNode amount) {
        return amount.isArray() && amount.size() == 2
                ? Quantities.text(
                        new Resources(amount.get(0).asLong(), amount.get(1).asLong()))
                : "-";
    }
}
