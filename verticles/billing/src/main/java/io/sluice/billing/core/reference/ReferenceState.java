package io.sluice.billing.core.reference;

import io.sluice.billing.core.MeterKey;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * What a {@link ReferenceCollector} knows at an instant.
 *
 * @param windowStart when the window began
 * @param lastSample when it looked last; before the first look, when the window began
 * @param present what that look saw, in milli-CPU
 * @param held what the window holds so far
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
