package io.sluice.replay.core.vm;

import io.sluice.replay.core.trace.TraceSeries;
import io.sluice.units.ResourceKind;

/**
 * The demand within the samples of a series. CPU is a step from sample to sample, with one peak in each sample where
 * the model has peaks; the mean stays that of the sample. Memory moves in a line from each sample to the next.
 */
final class DemandShape {
    private final TraceSeries series;
    private final SeededNoise places;
    private final double peakToMean;
    private final int peakSeconds;
    private final int step;

    DemandShape(TraceSeries series, VmModel model, SeededNoise places) {
        this.series = series;
        this.places = places;
        this.step = model.scrapeSeconds();
        this.peakToMean = series.kind() == ResourceKind.CPU ? model.peakToMean() : 1;
        // Half of the sample's demand comes in its peak, in whole steps.
        this.peakSeconds = Math.max(step, (int) (series.periodSeconds() / (2 * peakToMean)) / step * step);
    }

    /** The highest demand in a step of a sample that begins this many seconds after the sample does. */
    double at(int sample, int second) {
        double mean = series.samples()[sample];
        if (series.kind() == ResourceKind.MEMORY) {
            return along(sample, mean, second);
        }
        if (peakToMean == 1) {
            return mean;
        }
        double peak = Math.min(peakToMean * mean, Math.max(mean, series.capacity()));
        int begin = (int) (places.share(sample) * (series.periodSeconds() - peakSeconds)) / step * step;
        return second >= begin && second < begin + peakSeconds
                ? peak
                : (mean * series.periodSeconds() - peak * peakSeconds) / (series.periodSeconds() - peakSeconds);
    }

    /** The highest demand in a sample. */
    double highest(int sample) {
        double mean = series.samples()[sample];
        if (series.kind() == ResourceKind.MEMORY) {
            return Math.max(mean, next(sample, mean));
        }
        return peakToMean == 1 ? mean : Math.min(peakToMean * mean, Math.max(mean, series.capacity()));
    }

    private double along(int sample, double mean, int second) {
        double next = next(sample, mean);
        int at = next > mean ? Math.min(second + step, series.periodSeconds()) : second;
        return mean + (next - mean) * at / series.periodSeconds();
    }

    private double next(int sample, double mean) {
        double next = sample + 1 < series.samples().length ? series.samples()[sample + 1] : Double.NaN;
        return Double.isNaN(next) ? mean : next;
    }
}
