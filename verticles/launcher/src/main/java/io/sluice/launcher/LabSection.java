package io.sluice.launcher;

import io.sluice.lab.LabConfig;

/**
 * The part of config that is read only where the lab's role is named.
 *
 * @param lab the embedded fleet
 */
public record LabSection(LabConfig lab) {
    /** The fleet as it comes. */
    public static final LabSection DEFAULTS = new LabSection(LabConfig.DEFAULTS);
}
