package io.sluice.launcher.config;

import io.sluice.lab.LabCluster;
import io.sluice.lab.LabConfig;

/**
 * The part of config that is read only where the lab's role is named.
 *
 * @param lab the fleet of the role {@code lab}, which simulates nodes, VMs and an API server
 */
public record LabSection(LabConfig lab) {
    /** The lab's defaults. */
    public static final LabSection DEFAULTS = new LabSection(LabConfig.DEFAULTS);

    /** The same with VMs that arrive while it runs, and are placed through that extender, unless one is configured. */
    public LabSection placedThrough(String extender) {
        return lab.extender().isEmpty() && lab.cluster() == LabCluster.OWN
                ? new LabSection(lab.placedThrough(extender))
                : this;
    }
}
