package io.sluice.neonvm.api;

import io.sluice.shell.config.Durations;
import io.sluice.shell.config.UrlText;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * Section {@code kubernetes}: the connection to the API server. The defaults are those of a pod inside the Kubernetes
 * cluster.
 *
 * @param url the URL of the API server
 * @param tokenFile the file with the bearer token, read again when it is renewed; empty sends none. Over plain HTTP it
 *     is sent to this machine only
 * @param caFile the certificates that must have signed the API server's; empty for the JDK's
 * @param requestTimeout how long a response may take
 * @param relistEvery how often every kind is listed anew
 * @param watchSilence how long a watch may receive nothing before it is started again; the API server sends something
 *     every minute
 * @param requestsInFlightMax the most requests of one kind in progress, for each verticle; more are refused at once.
 *     Patches of sizes are a kind of their own; each read has its own connection, and writes share theirs
 */
public record KubernetesConfig(
        String url,
        String tokenFile,
        String caFile,
        Duration requestTimeout,
        Duration relistEvery,
        Duration watchSilence,
        int requestsInFlightMax) {
    private static final Pattern LOOPBACK_V4 = Pattern.compile("127(\\.\\d{1,3}){3}");
    private static final String SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount/";

    /** The values for keys that are not set. */
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
        Durations.requirePositive("kubernetes.requestTimeout", requestTimeout);
        Durations.requirePositive("kubernetes.relistEvery", relistEvery);
        Durations.requirePositive("kubernetes.watchSilence", watchSilence);
        if (requestsInFlightMax < 1) {
            throw new IllegalArgumentException(
                    "kubernetes.requestsInFlightMax must be at least 1: " + requestsInFlightMax);
        }
    }

    /** The same configuration for a server without credentials, such as the lab's on loopback. */
    public KubernetesConfig at(String openUrl) {
        return new KubernetesConfig(openUrl, "", "", requestTimeout, relistEvery, watchSilence, requestsInFlightMax);
    }

    /** Host names are not resolved. */
    private static boolean isLoopback(String host) {
        return host.equals("localhost")
                || host.equals("[::1]")
                || LOOPBACK_V4.matcher(host).matches();
    }

    private static void checkUrl(String url, String tokenFile) {
        try {
            var uri = new URI(url);
            UrlText.requireNoUser("kubernetes.url", uri);
            if (uri.getHost() == null || !("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
                throw new IllegalArgumentException("kubernetes.url must be http://host or https://host: " + url);
            }
            if ("http".equals(uri.getScheme()) && !tokenFile.isEmpty() && !isLoopback(uri.getHost())) {
                throw new IllegalArgumentException("kubernetes.url=" + url + " would send the token of"
                        + " kubernetes.tokenFile=" + tokenFile + " over the network unencrypted: use https, or set"
                        + " kubernetes.tokenFile to '' for a server that needs none");
            }
        } catch (URISyntaxException notAUrl) {
            throw new IllegalArgumentException("kubernetes.url is no URL: " + UrlText.shown(url), notAUrl);
        }
    }
}
