package io.sluice.lab.guest;

import io.sluice.lab.load.core.FileCacheLoad;

/** The metrics of a guest's file cache, as Prometheus text. */
final class FileCacheText {
    private static final String WINDOWS = "lfc_approximate_working_set_size_windows";
    private static final int SECONDS_PER_WINDOW = 60;

    private FileCacheText() {}

    static String of(FileCacheLoad.Reading now) {
        var text = new StringBuilder();
        MetricsServer.gauge(text, "lfc_hits", "Pages found in the file cache.", Long.toString(now.hits()));
        MetricsServer.gauge(text, "lfc_misses", "Pages not found in it.", Long.toString(now.misses()));
        MetricsServer.gauge(text, "lfc_writes", "Pages written to it.", Long.toString(now.writes()));
        MetricsServer.gauge(text, "lfc_used", "Pages in it.", Long.toString(now.usedPages()));
        MetricsServer.gauge(text, "lfc_cache_size_limit", "Pages that it may have.", Long.toString(now.limitPages()));
        text.append("# HELP ").append(WINDOWS).append(" Pages of the working set of so many seconds.\n");
        text.append("# TYPE ").append(WINDOWS).append(" gauge\n");
        for (int i = 0; i < now.windowPages().size(); i++) {
            text.append(WINDOWS).append("{duration_seconds=\"").append((i + 1) * SECONDS_PER_WINDOW);
            text.append("\"} ").append(now.windowPages().get(i)).append('\n');
        }
        return text.toString();
    }
}
