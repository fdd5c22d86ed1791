package io.sluice.placement.prometheus;

import io.sluice.shell.config.UrlText;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The section {@code placement.utilisation.prometheus}: from where what is in use of nodes is read. It needs the
 * metrics of node_exporter, and for GPUs those of NVIDIA's dcgm-exporter. Nothing is written there.
 *
 * @param url the URL of the Prometheus API, such as {@code http://prometheus:9090}; empty for none: then what VMs
 *     report counts, and what is reserved for others
 * @param tokenFile a file with the token that requests carry; empty for none. It is read for each round of requests
 * @param nodeLabel the label of those metrics that holds the name of the Kubernetes node
 * @param timeout how long a request to Prometheus may take
 * @param peakWindow how far back the peaks of nodes reach
 */
public record PrometheusConfig(String url, String tokenFile, String nodeLabel, Duration timeout, Duration peakWindow) {
    private static final String KEY = "placement.utilisation.prometheus.";
    private static final Pattern LABEL = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");

    /** None. */
    public static final PrometheusConfig DEFAULTS =
            new PrometheusConfig("", "", "node", Duration.ofSeconds(5), Duration.ofMinutes(30));

    public PrometheusConfig {
        Objects.requireNonNull(tokenFile, "tokenFile");
        if (!url.isEmpty() && !isHttp(url)) {
            throw new IllegalArgumentException(
                    KEY + "url=" + UrlText.shown(url) + " must be an address such as http://host:9090");
        }
        UrlText.requireNoUser(KEY + "url", URI.create(url));
        if (!LABEL.matcher(nodeLabel).matches()) {
            throw new IllegalArgumentException(KEY + "nodeLabel=" + nodeLabel + " must be the name of a label");
        }
        if (!timeout.isPositive() || !peakWindow.isPositive()) {
            throw new IllegalArgumentException(KEY + "timeout and peakWindow must be positive");
        }
    }

    /** Whether it is read. */
    public boolean isUsed() {
        return !url.isEmpty();
    }

    private static boolean isHttp(String url) {
        try {
            var read = new URI(url);
            return ("http".equals(read.getScheme()) || "https".equals(read.getScheme())) && read.getHost() != null;
        } catch (URISyntaxException none) {
            return false;
        }
    }
}
