package io.sluice.agent.core.scaling;

import java.util.List;

/**
 * One scrape of a VM's file cache: how many pages of 8 KiB its working set had in the last 1, 2, 3 ... minutes.
 *
 * @param windows the estimates, the shortest window first; may be empty
 */
public record LfcMetrics(List<Double> windows) {
    public LfcMetrics {
        windows = List.copyOf(windows);
    }

    double[] pages() {
        return windows.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
