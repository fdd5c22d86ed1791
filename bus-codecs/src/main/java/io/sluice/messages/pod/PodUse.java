package io.sluice.messages.pod;

import java.util.Objects;

/** The driver's reply to {@link ReadPodUse}. */
public sealed interface PodUse {
    /**
     * What a pod uses and waits for.
     *
     * @param at the time of the sample by the kubelet's clock, in milliseconds since 1970
     * @param load the CPUs in use since the sample before, and those that it waited for
     * @param load5 the same over five minutes
     * @param workingSetBytes memory that cannot be taken from it
     */
    record Sampled(long at, double load, double load5, double workingSetBytes) implements PodUse {}

    /** There is no newer sample yet: the last one is not old. */
    record Unchanged() implements PodUse {}

    /**
     * There has been no newer sample for long, or none from which a rate could be taken.
     *
     * @param reason in words
     */
    record Unknown(String reason) implements PodUse {
        public Unknown {
            Objects.requireNonNull(reason, "reason");
        }
    }
}
