package io.sluice.agent.metrics;

import java.util.Locale;

/** A stage of a resize, from the sample that causes it until the guest is notified. */
public enum ResizeStage {
    /** From the scrape to its sample. */
    SAMPLE,
    /** From the sample or upscale request to the first request that follows from it. */
    GOAL,
    /** From the permit request to its reply. */
    PERMIT,
    /** From the patch to its reply. */
    PATCH,
    /** From the patch's reply to the VM's status. */
    STATUS,
    /** From the request to the monitor to its reply. */
    GUEST;

    /** Its name in metrics and traces. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
