package io.sluice.billing.core.reference;

import io.sluice.billing.core.MeterKey;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The state of a {@link ReferenceCollector} at one instant.
 *
 * @param windowStart the start of the window
 * @param lastSample the time of the last sample; before the first sample, the start of the window
 * @param present the last sample, in milli-CPU
 * @param held use in the window so far
 */
public record ReferenceState(
        Instant windowStart, Instant lastSample, Map<MeterKey, Long> present, Map<MeterKey, WindowUse> held) {
    public ReferenceState {
        Objects.requireNonNull(windowStart, "windowStart");
        Objects.requireNonNull(lastSample, "lastSample");
        present = Map.copyOf(present);
        held = Collections.unmodifiableMap(new LinkedHashMap<>(held));
    }
}
