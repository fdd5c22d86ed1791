package io.sluice.replay.core.score;

import io.sluice.units.ResourceKind;
import java.util.List;

/**
 * The sums of all VMs under one policy, for one resource.
 *
 * @param policy its name
 * @param kind the resource
 * @param vms how many VMs were replayed
 */
public record PolicyScore(
        String policy,
        ResourceKind kind,
        int vms,
        long samples,
        long incidents,
        long censored,
        long censoredIncidents,
        long outOfMemory,
        double granted,
        double demanded,
        double unserved,
        double recorded,
        long resizes) {
    /** The sums of these VMs. */
    public static PolicyScore of(String policy, ResourceKind kind, List<VmScore> scores) {
        long samples = 0;
        long incidents = 0;
        long censored = 0;
        long censoredIncidents = 0;
        long outOfMemory = 0;
        double granted = 0;
        double demanded = 0;
        double unserved = 0;
        double recorded = 0;
        long resizes = 0;
        for (var score : scores) {
            samples += score.samples();
            incidents += score.incidents();
            censored += score.censored();
            censoredIncidents += score.censoredIncidents();
            outOfMemory += score.outOfMemory();
            granted += score.granted();
            demanded += score.demanded();
            unserved += score.unserved();
            recorded += score.recorded();
            resizes += score.resizes();
        }
        return new PolicyScore(
                policy,
                kind,
                scores.size(),
                samples,
                incidents,
                censored,
                censoredIncidents,
                outOfMemory,
                granted,
                demanded,
                unserved,
                recorded,
                resizes);
    }

    /** The unserved share of the demand, in percent. */
    public double unservedPercent() {
        return demanded == 0 ? 0 : 100 * unserved / demanded;
    }

    /** The incidents' share of the samples, in percent. */
    public double incidentPercent() {
        return samples == 0 ? 0 : 100.0 * incidents / samples;
    }

    /** What was not granted of the recorded sizes, in percent. */
    public double savedPercent() {
        return recorded == 0 ? 0 : 100 * (1 - granted / recorded);
    }
}
