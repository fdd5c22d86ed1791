package io.sluice.replay.core.recorded;

/** The result of comparing a recorded decision with the one that production's core makes again. */
public enum Comparison {
    /** The same goal, desired size and requests. */
    EQUAL("equal"),
    /** The VM's core is not known yet: the recording began during its life, or its beginning was rotated away. */
    CORE_UNKNOWN("not compared: the recording began during the life of the VM's core"),
    /** A step before it is missing, so the core's state is not known until the core is described anew. */
    STEP_MISSING("not compared: a step before it is missing from the recording"),
    /** It differs, and the core was described during its life: what was before that may have counted. */
    DESCRIBED_MIDWAY("different: something from before the core was described counted"),
    /** It differs, and nothing explains it. */
    UNEXPLAINED("different, and not explained");

    private final String words;

    Comparison(String words) {
        this.words = words;
    }

    /** For reports. */
    public String words() {
        return words;
    }
}
