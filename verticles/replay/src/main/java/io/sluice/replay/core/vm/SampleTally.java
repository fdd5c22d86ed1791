package io.sluice.replay.core.vm;

import io.sluice.replay.core.score.VmScore;
import io.sluice.replay.core.trace.TraceSeries;
import io.sluice.units.ResourceKind;

/** Counts what a VM is given and lacks, second by second and sample by sample. Amounts are those of the series. */
final class SampleTally {
    private final TraceSeries series;
    private final VmModel model;
    private final int first;
    private final float[] sizes;
    private double granted;
    private double demanded;
    private double unserved;
    private int samples;
    private int incidents;
    private int censored;
    private int censoredIncidents;
    private int outOfMemory;
    private double grantedInSample;
    private double demandedInSample;
    private double unservedInSample;
    private int exceededSeconds;
    private long resizesBefore;

    /** A tally of the samples of a series from {@code first} on. */
    SampleTally(TraceSeries series, VmModel model, int first) {
        this.series = series;
        this.model = model;
        this.first = first;
        this.sizes = new float[series.samples().length - first];
    }

    /** For some seconds the VM had a demand, could use an amount, and had one reserved. */
    void add(int seconds, double demand, double usable, double reserved) {
        grantedInSample += seconds * reserved;
        demandedInSample += seconds * demand;
        if (demand > usable) {
            unservedInSample += seconds * (demand - usable);
            exceededSeconds += seconds;
        }
    }

    /** An amount over time was demanded and not served, beyond what the sizes show. */
    void lose(double amount) {
        unservedInSample += amount;
    }

    /** The sample is over; {@code resizes} counts from the start. */
    void end(int sample, long resizes) {
        double mean = series.samples()[sample];
        if (sample < first) {
            resizesBefore = resizes;
        } else {
            sizes[sample - first] = (float) (grantedInSample / series.periodSeconds());
            if (!Double.isNaN(mean)) {
                count(mean);
            }
        }
        grantedInSample = 0;
        demandedInSample = 0;
        unservedInSample = 0;
        exceededSeconds = 0;
    }

    private void count(double mean) {
        boolean incident = exceededSeconds > model.incidentSeconds();
        if (mean >= model.censoredShare() * series.capacity()) {
            censored++;
            censoredIncidents += incident ? 1 : 0;
            return;
        }
        samples++;
        incidents += incident ? 1 : 0;
        outOfMemory += series.kind() == ResourceKind.MEMORY && exceededSeconds > 0 ? 1 : 0;
        granted += grantedInSample;
        demanded += demandedInSample;
        unserved += unservedInSample;
    }

    VmScore score(long resizes) {
        return new VmScore(
                series.vm(),
                series.kind(),
                samples,
                incidents,
                censored,
                censoredIncidents,
                outOfMemory,
                granted,
                demanded,
                unserved,
                series.capacity() * series.periodSeconds() * samples,
                resizes - resizesBefore,
                sizes);
    }
}
