package io.sluice.gateway;

import io.sluice.gateway.listener.ListenerConfig;
import io.sluice.gateway.listener.TlsFiles;
import io.sluice.shell.config.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * How agents reach the ledger over HTTP.
 *
 * @param host address to listen on; of names only {@code localhost} counts as loopback
 * @param port port to listen on; 0 takes any free one
 * @param insecure whether it may listen on more than loopback without TLS or without a credential
 * @param tls certificate and key; without them the door speaks plain HTTP
 * @param tokenFile file with one shared token in each line, any of which lets in; empty for a door that asks for none
 * @param tokenReview whether agents prove instead who they are, and on which node
 * @param names on loopback, host names by which agents may call it beside local ones, such as a proxy's
 * @param ratePerPod how many requests a second one pod's agent may send in the long run
 * @param burstPerPod how many it may send at once
 * @param inFlightMax how many requests are worked on at a time; more are turned away
 * @param connectionsMax how many connections are kept; more are closed at once
 * @param connectionsPerAddressMax how many of them one address may have; more are closed at once
 * @param waitMax a question of an agent without sessions that waited so long behind others of its pod is dropped
 * @param lagMax requests are turned away while the event loop comes this much too late to answer in time
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
    /** Where reference agents look for it, for this machine only. */
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

    /** Its section of the config. */
    public static final String SECTION = "gateway.agent";

    private static final int RATE_MAX = 1_000_000;

    public AgentListenerConfig {
        Objects.requireNonNull(tokenReview, TokenReviewConfig.SECTION);
        Objects.requireNonNull(names, SECTION + ".names");
        names = List.copyOf(names);
        Objects.requireNonNull(waitMax, SECTION + ".waitMax");
        Objects.requireNonNull(lagMax, SECTION + ".lagMax");
        new ListenerConfig(host, port, insecure, tls, tokenFile).checked(SECTION, tokenReview.on());
        if (tokenReview.on() && !tokenFile.isBlank()) {
            throw new IllegalArgumentException(SECTION + ".tokenFile must not be given with "
                    + TokenReviewConfig.SECTION + ".on: who bears a shared token could ask for the pods of any node");
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

    /** What it has in common with every door. */
    public ListenerConfig door() {
        return new ListenerConfig(host, port, insecure, tls, tokenFile);
    }

    /** The same at another port. */
    public AgentListenerConfig at(int otherPort) {
        return through(door().at(otherPort));
    }

    /** The same bounds behind another door. */
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
