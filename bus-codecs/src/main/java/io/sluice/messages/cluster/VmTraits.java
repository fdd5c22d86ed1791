package io.sluice.messages.cluster;

import io.sluice.units.Resources;
import java.util.List;
import java.util.Objects;

/**
 * What people, metrics and bills want to know of a VM, and nobody decides by.
 *
 * @param endpointId the database endpoint that it serves, by its label; empty where it serves none
 * @param projectId the project of that endpoint, by its label; empty where there is none
 * @param restarts how often it was started again
 * @param extraIp its address on the overlay network; empty where it has none
 * @param specMin the least that its object lets anybody give it, whatever the bounds of its scaling
 * @param specMax the most that its object lets anybody give it, whatever the bounds of its scaling
 * @param complaints one sentence for each annotation that is no good, whose last good value stays in force; at most
 *     {@value #COMPLAINTS_MAX}
 */
public record VmTraits(
        String endpointId,
        String projectId,
        long restarts,
        String extraIp,
        Resources specMin,
        Resources specMax,
        List<String> complaints) {
    /** As many complaints as one VM can have at once. */
    public static final int COMPLAINTS_MAX = 8;

    /** Of a VM of which nothing of this is known. */
    public static final VmTraits NONE = new VmTraits("", "", 0, "", Resources.NONE, Resources.NONE, List.of());

    public VmTraits {
        Objects.requireNonNull(endpointId, "endpointId");
        Objects.requireNonNull(projectId, "projectId");
        Objects.requireNonNull(extraIp, "extraIp");
        Objects.requireNonNull(specMin, "specMin");
        Objects.requireNonNull(specMax, "specMax");
        complaints = List.copyOf(complaints);
        if (complaints.size() > COMPLAINTS_MAX) {
            throw new IllegalArgumentException(
                    "complaints must be at most " + COMPLAINTS_MAX + ", not " + complaints.size());
        }
    }
}
