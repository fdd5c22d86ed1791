package io.sluice.gateway;

import io.sluice.gateway.listener.ListenerConfig;
import io.sluice.gateway.listener.TlsFiles;
import io.sluice.shell.config.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * The config of the agent API, the listener through which agents reach the ledger over HTTP.
 *
 * @param host address to listen on; of names only {@code localhost} counts as loopback
 * @param port port to listen on; 0 takes any free one
 * @param insecure whether it may listen beyond loopback without TLS or without a credential
 * @param tls certificate and key; without them the listener serves plain HTTP
 * @param tokenFile file with one shared token in each line, each of which is accepted; empty if no token is required
 * @param tokenReview whether agents are identified by their pods' tokens instead, and for which nodes they count
 * @param names host names that are accepted on loopback beside local ones, such as a proxy's
 * @param ratePerPod how many requests a second one pod's agent may send in the long run
 * @param burstPerPod how many it may send at once
 * @param inFlightMax how many requests may be under way; more are refused
 * @param connectionsMax how many connections are kept; more are closed at once
 * @param connectionsPerAddressMax how many of them one address may have; more are closed at once
 * @param waitMax how long a request of an agent without sessions may wait for earlier ones of its pod; then it is
 *     refused
 * @param lagMax requests are refused while the event loop is later than this, and as long again, a second at most:
 *     their clients may have given them up
 */
public record AgentListenerConfig(
        String host,
        int port,
        boolean insecure,
        TlsFiles tls,
        String tokenFile,
        TokenReviewConfig tokenReview,
        List<String> names,
        int ratePerPod,
        int burstPerPod,
        int inFlightMax,
        int connectionsMax,
        int connectionsPerAddressMax,
        Duration waitMax,
        Duration lagMax) {
    /** The address where reference agents look for it, on loopback. */
    public static final AgentListenerConfig DEFAULTS = new AgentListenerConfig(
            "127.0.0.1",
            10299,
            false,
            TlsFiles.NONE,
            "",
            TokenReviewConfig.DEFAULTS,
            List.of(),
            10,
            20,
            512,
            4096,
            1024,
            Duration.ofSeconds(2),
            Duration.ofMillis(500));

    /** The section of the config. */
    public static final String SECTION = "gateway.agent";

    private static final int RATE_MAX = 1_000_000;

    public AgentListenerConfig {
        Objects.requireNonNull(tokenReview, TokenReviewConfig.SECTION);
        Objects.requireNonNull(names, SECTION + ".names");
        names = List.copyOf(names);
        Objects.requireNonNull(waitMax, SECTION + ".waitMax");
        Objects.requireNonNull(lagMax, SECTION + ".lagMax");
        new ListenerConfig(host, port, insecure, tls, tokenFile).checked(SECTION, tokenReview.enabled());
        if (tokenReview.enabled() && !tokenFile.isBlank()) {
            throw new IllegalArgumentException(SECTION + ".tokenFile must not be given with "
                    + TokenReviewConfig.SECTION
                    + ".enabled: a client with a shared token could request permits for the pods of any node");
        }
        atLeastOne("ratePerPod", ratePerPod);
        atLeastOne("burstPerPod", burstPerPod);
        atLeastOne("inFlightMax", inFlightMax);
        atLeastOne("connectionsMax", connectionsMax);
        atLeastOne("connectionsPerAddressMax", connectionsPerAddressMax);
        if (!waitMax.isPositive()) {
            throw new IllegalArgumentException(SECTION + ".waitMax=" + Durations.text(waitMax) + " must be above zero");
        }
        if (!lagMax.isPositive()) {
            throw new IllegalArgumentException(SECTION + ".lagMax=" + Durations.text(lagMax) + " must be above zero");
        }
    }

    /** Returns the part that all listeners have in common. */
    public ListenerConfig listener() {
        return new ListenerConfig(host, port, insecure, tls, tokenFile);
    }

    /** Returns the same config with another port. */
    public AgentListenerConfig at(int otherPort) {
        return through(listener().at(otherPort));
    }

    /** Returns the same limits with another listener config. */
    public AgentListenerConfig through(ListenerConfig other) {
        return new AgentListenerConfig(
                other.host(),
                other.port(),
                other.insecure(),
                other.tls(),
                other.tokenFile(),
                tokenReview,
                names,
                ratePerPod,
                burstPerPod,
                inFlightMax,
                connectionsMax,
                connectionsPerAddressMax,
                waitMax,
                lagMax);
    }

    private static void atLeastOne(String key, int value) {
        if (value < 1 || value > RATE_MAX) {
            throw new IllegalArgumentException(SECTION + "." + key + "=" + value + " must be 1 to " + RATE_MAX);
        }
    }
}
