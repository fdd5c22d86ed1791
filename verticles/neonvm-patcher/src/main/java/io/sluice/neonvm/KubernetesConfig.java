package io.sluice.neonvm;

import io.sluice.shell.config.Durations;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * Section {@code kubernetes}: how the API server is reached. The defaults are those of a pod inside the cluster.
 *
 * @param url the API server
 * @param tokenFile a file with the bearer token, read again as it is renewed; empty sends none; by plain http it is
 *     sent to this machine only
 * @param caFile the certificates that the server's must be signed by; empty trusts what the JDK trusts
 * @param requestTimeout how long an answer may take
 * @param resync how often everything is listed anew
 * @param watchSilence a watch that hears nothing for so long is begun again; the API server says something every minute
 * @param requestsInFlightMax more requests of one kind than this are refused at once instead of waiting, by each
 *     verticle: patches of sizes are a kind by themselves; each request under way has a connection of its own
 */
public record KubernetesConfig(
        String url,
        String tokenFile,
        String caFile,
        Duration requestTimeout,
        Duration resync,
        Duration watchSilence,
        int requestsInFlightMax) {
    private static final Pattern LOOPBACK_V4 = Pattern.compile("127(\\.\\d{1,3}){3}");
    private static final String SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount/";

    /** What holds where no key is set. */
    public static final KubernetesConfig DEFAULTS = new KubernetesConfig(
            "https://kubernetes.default.svc",
            SERVICE_ACCOUNT + "token",
            SERVICE_ACCOUNT + "ca.crt",
            Duration.ofSeconds(10),
            Duration.ofMinutes(5),
            Duration.ofSeconds(90),
            4096);

    public KubernetesConfig {
        checkUrl(url, tokenFile);
        positive("kubernetes.requestTimeout", requestTimeout);
        positive("kubernetes.resync", resync);
        positive("kubernetes.watchSilence", watchSilence);
        if (requestsInFlightMax < 1) {
            throw new IllegalArgumentException(
                    "kubernetes.requestsInFlightMax must be at least 1: " + requestsInFlightMax);
        }
    }

    /** The same for a server that needs no credential, as the lab's on loopback. */
    public KubernetesConfig at(String openUrl) {
        return new KubernetesConfig(openUrl, "", "", requestTimeout, resync, watchSilence, requestsInFlightMax);
    }

    static void positive(String key, Duration duration) {
        if (!duration.isPositive()) {
            throw new IllegalArgumentException(key + " must be above zero: " + Durations.text(duration));
        }
    }

    /** Names are not looked up. */
    private static boolean isLoopback(String host) {
        return host.equals("localhost")
                || host.equals("[::1]")
                || LOOPBACK_V4.matcher(host).matches();
    }

    private static void checkUrl(String url, String tokenFile) {
        try {
            var uri = new URI(url);
            if (uri.getHost() == null || !("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
                throw new IllegalArgumentException("kubernetes.url must be http://host or https://host: " + url);
            }
            if ("http".equals(uri.getScheme()) && !tokenFile.isEmpty() && !isLoopback(uri.getHost())) {
                throw new IllegalArgumentException("kubernetes.url=" + url + " would show the token of"
                        + " kubernetes.tokenFile=" + tokenFile + " to the network: use https, or set"
                        + " kubernetes.tokenFile to '' for a server that needs none");
            }
        } catch (URISyntaxException notAUrl) {
            throw new IllegalArgumentException("kubernetes.url is no URL: " + url, notAUrl);
        }
    }
}
