package io.sluice.messages.cluster;

import io.sluice.units.Resources;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Properties of a VM for operators, metrics and bills; no decision depends on them.
 *
 * @param endpointId the database endpoint that it serves, by its label; empty where it serves none
 * @param projectId the project of that endpoint, by its label; empty where there is none
 * @param restarts how often it was started again
 * @param extraIp its address on the overlay network; empty where it has none
 * @param specMin the least that its object allows, whatever the bounds of its scaling
 * @param specMax the most that its object allows, whatever the bounds of its scaling
 * @param complaints one sentence for each invalid annotation, of which the last valid value stays in force; at most
 *     {@value #COMPLAINTS_MAX}
 * @param billedTo the endpoint that its use is billed to, by its annotation, which may be present and empty; empty
 *     where its use is not billed
 * @param changedAtSeconds when its object last changed, by the API server's clock, in seconds since 1970; 0 where that
 *     is unknown
 */
public record VmTraits(
        String endpointId,
        String projectId,
        long restarts,
        String extraIp,
        Resources specMin,
        Resources specMax,
        List<String> complaints,
        Optional<String> billedTo,
        long changedAtSeconds) {
    /** The most complaints that one VM can have at once. */
    public static final int COMPLAINTS_MAX = 8;

    /** Of a VM without any of these properties. */
    public static final VmTraits NONE = new VmTraits("", "", 0, "", Resources.NONE, Resources.NONE, List.of());

    public VmTraits {
        Objects.requireNonNull(endpointId, "endpointId");
        Objects.requireNonNull(projectId, "projectId");
        Objects.requireNonNull(extraIp, "extraIp");
        Objects.requireNonNull(specMin, "specMin");
        Objects.requireNonNull(specMax, "specMax");
        Objects.requireNonNull(billedTo, "billedTo");
        complaints = List.copyOf(complaints);
        if (complaints.size() > COMPLAINTS_MAX) {
            throw new IllegalArgumentException(
                    "complaints must be at most " + COMPLAINTS_MAX + ", not " + complaints.size());
        }
    }

    /** Of a VM that is not billed. */
    public VmTraits(
            String endpointId,
            String projectId,
            long restarts,
            String extraIp,
            Resources specMin,
            Resources specMax,
            List<String> complaints) {
        this(endpointId, projectId, restarts, extraIp, specMin, specMax, complaints, Optional.empty(), 0);
    }

    /** The same, billed to that endpoint, with that time of change. */
    public VmTraits billed(Optional<String> endpoint, long atSeconds) {
        return new VmTraits(
                endpointId, projectId, restarts, extraIp, specMin, specMax, complaints, endpoint, atSeconds);
    }
}
