package io.sluice.replay.core.score;

import io.sluice.units.ResourceKind;

/**
 * What one VM was given and lacked under one policy, after the part of its series that sizes are taken from.
 *
 * @param vm its name
 * @param kind the resource
 * @param samples how many samples counted
 * @param incidents samples in which the demand exceeded the size for longer than the model allows
 * @param censored samples near the recorded size, whose true demand is not known; not among {@code samples}
 * @param censoredIncidents those of them that would be incidents
 * @param outOfMemory samples in which memory in use exceeded the size at some time
 * @param granted the size over time, in amount times seconds
 * @param demanded the demand over time
 * @param unserved the demand above the size, over time
 * @param recorded the recorded size over time
 * @param resizes how often the size changed
 * @param sizes the mean size in each sample of the series that was replayed
 */
public record VmScore(
        String vm,
        ResourceKind kind,
        int samples,
        int incidents,
        int censored,
        int censoredIncidents,
        int outOfMemory,
        double granted,
        double demanded,
        double unserved,
        double recorded,
        long resizes,
        float[] sizes) {}
