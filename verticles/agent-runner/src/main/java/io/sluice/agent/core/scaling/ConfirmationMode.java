package io.sluice.agent.core.scaling;

/** What makes a size that a VM was patched to count as used. */
public enum ConfirmationMode {
    /** The acknowledgement of the patch. */
    PATCH,
    /** For an upscale, the VM's status showing that the patch's revision is reached. */
    STATUS
}
