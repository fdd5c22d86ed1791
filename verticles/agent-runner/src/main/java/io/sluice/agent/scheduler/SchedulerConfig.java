package io.sluice.agent.scheduler;

import io.sluice.agent.scheduler.core.SchedulerAddress;
import io.sluice.shell.config.Durations;
import io.sluice.shell.config.UrlText;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * How runners reach the ledger: {@code agent.scheduler}.
 *
 * @param transport how permit requests reach the ledger: by the bus or by HTTP. All other keys are for HTTP
 * @param discover how schedulers are found. {@code pods}: the newest ready pod with the label; {@code service}: any
 *     ready endpoint of a service; {@code urls}: a list
 * @param urls the schedulers' URLs, the preferred one first, such as {@code https://scheduler:10299}; for
 *     {@code discover: urls}
 * @param schedulerName the value of the label {@code name} of the schedulers' pods; for {@code discover: pods}
 * @param namespace the namespace of the schedulers' pods or service
 * @param service the name of the schedulers' service; for {@code discover: service}
 * @param port the port of schedulers that are found by pods or service
 * @param requestTimeout how long a scheduler may take to reply
 * @param connections the most connections to one scheduler; they are kept open
 * @param tokenFile the file with the bearer token for schedulers, read again while the agent runs; empty sends none
 * @param tls how the schedulers' certificates are verified
 */
public record SchedulerConfig(
        SchedulerTransport transport,
        SchedulerDiscovery discover,
        List<String> urls,
        String schedulerName,
        String namespace,
        String service,
        int port,
        Duration requestTimeout,
        int connections,
        String tokenFile,
        SchedulerTls tls) {
    /** The most schedulers that are tried for one request. */
    public static final int TRIES_MAX = 3;

    private static final String SECTION = "agent.scheduler.";
    private static final Duration TIMEOUT_LEAST = Duration.ofMillis(10);
    private static final Duration TIMEOUT_MOST = Duration.ofMinutes(1);
    private static final int CONNECTIONS_MAX = 10_000;

    /** The bus; over HTTP, pods as agents of the reference find them. */
    public static final SchedulerConfig DEFAULTS = new SchedulerConfig(
            SchedulerTransport.BUS,
            SchedulerDiscovery.PODS,
            List.of(),
            "autoscale-scheduler",
            "kube-system",
            "autoscale-scheduler",
            10_299,
            Duration.ofSeconds(2),
            256,
            "",
            SchedulerTls.DEFAULTS);

    public SchedulerConfig {
        Objects.requireNonNull(transport, SECTION + "transport");
        Objects.requireNonNull(discover, SECTION + "discover");
        Objects.requireNonNull(tokenFile, SECTION + "tokenFile");
        Objects.requireNonNull(tls, SECTION + "tls");
        urls = List.copyOf(urls);
        requirePort("port", port);
        if (requestTimeout.compareTo(TIMEOUT_LEAST) < 0 || requestTimeout.compareTo(TIMEOUT_MOST) > 0) {
            throw new IllegalArgumentException(SECTION + "requestTimeout=" + Durations.text(requestTimeout)
                    + " must be between " + Durations.text(TIMEOUT_LEAST) + " and " + Durations.text(TIMEOUT_MOST));
        }
        if (connections < 1 || connections > CONNECTIONS_MAX) {
            throw new IllegalArgumentException(
                    SECTION + "connections=" + connections + " must be between 1 and " + CONNECTIONS_MAX);
        }
        for (var url : urls) {
            address(url, port);
        }
        if (transport == SchedulerTransport.HTTP) {
            requireNamed(discover, urls, schedulerName, namespace, service);
            requireSafeToken(discover, urls, port, tokenFile, tls);
        }
    }

    /** The addresses of the schedulers in the list. */
    public List<SchedulerAddress> addresses() {
        return urls.stream().map(url -> address(url, port)).toList();
    }

    /** Whether schedulers are found in Kubernetes. */
    public boolean usesKubernetes() {
        return transport == SchedulerTransport.HTTP && discover != SchedulerDiscovery.URLS;
    }

    private static void requireNamed(
            SchedulerDiscovery discover, List<String> urls, String schedulerName, String namespace, String service) {
        switch (discover) {
            case PODS -> {
                requireWord("schedulerName", schedulerName);
                requireWord("namespace", namespace);
            }
            case SERVICE -> {
                requireWord("service", service);
                requireWord("namespace", namespace);
            }
            case URLS -> {
                if (urls.isEmpty()) {
                    throw new IllegalArgumentException(
                            SECTION + "urls must name at least one scheduler, such as http://scheduler:10299");
                }
            }
        }
    }

    private static void requireWord(String key, String word) {
        if (word.isBlank()) {
            throw new IllegalArgumentException(SECTION + key + " must be a name, not blank");
        }
    }

    /** Without TLS a third party on the network could read the token and send requests with it. */
    private static void requireSafeToken(
            SchedulerDiscovery discover, List<String> urls, int port, String tokenFile, SchedulerTls tls) {
        if (tokenFile.isBlank()) {
            return;
        }
        boolean safe = discover == SchedulerDiscovery.URLS
                ? urls.stream().map(url -> address(url, port)).allMatch(address -> address.tls() || isHere(address))
                : tls.enabled();
        if (!safe) {
            throw new IllegalArgumentException(SECTION
                    + "tokenFile is sent over TLS only: set " + SECTION + "tls.enabled, or https in "
                    + SECTION + "urls");
        }
    }

    private static boolean isHere(SchedulerAddress address) {
        return List.of("localhost", "127.0.0.1", "::1").contains(address.host());
    }

    private static SchedulerAddress address(String url, int port) {
        try {
            var uri = new URI(url);
            boolean plain = "http".equals(uri.getScheme());
            boolean usable = uri.getHost() != null
                    && (plain || "https".equals(uri.getScheme()))
                    && (uri.getPath().isEmpty() || uri.getPath().equals("/"))
                    && uri.getQuery() == null
                    && uri.getUserInfo() == null;
            if (usable) {
                var host = uri.getHost().replaceAll("[\\[\\]]", "");
                int at = uri.getPort() == -1 ? port : uri.getPort();
                requirePort("urls", at);
                return new SchedulerAddress(!plain, host, at);
            }
        } catch (URISyntaxException noUrl) {
            throw new IllegalArgumentException(SECTION + "urls has an invalid URL: " + UrlText.shown(url), noUrl);
        }
        throw new IllegalArgumentException(
                SECTION + "urls must hold http://host:port or https://host:port, not " + UrlText.shown(url));
    }

    private static void requirePort(String key, int port) {
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException(SECTION + key + "=" + port + " must be a port from 1 to 65535");
        }
    }
}
