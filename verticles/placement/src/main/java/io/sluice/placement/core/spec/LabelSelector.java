package io.sluice.placement.core.spec;

import java.util.List;
import java.util.Map;

/**
 * Selects objects by their labels: those that meet every requirement.
 *
 * @param nothing whether it selects nothing, as a selector that is absent
 */
public record LabelSelector(boolean nothing, List<Requirement> requirements) {
    public static final LabelSelector NOTHING = new LabelSelector(true, List.of());
    public static final LabelSelector EVERYTHING = new LabelSelector(false, List.of());

    public LabelSelector {
        requirements = List.copyOf(requirements);
    }

    /** Whether it selects all objects, as it has no requirement. */
    public boolean everything() {
        return !nothing && requirements.isEmpty();
    }

    public boolean matches(Map<String, String> labels) {
        if (nothing) {
            return false;
        }
        for (var requirement : requirements) {
            if (!requirement.matches(labels)) {
                return false;
            }
        }
        return true;
    }
}
