package io.sluice.gateway.listener;

import java.util.Objects;

/**
 * The address of a listener and its access control. {@link #checked} checks whether both fit together, as it gets the
 * section for the keys' names.
 *
 * @param host address to listen on; of names only {@code localhost} counts as loopback
 * @param port port to listen on; 0 takes any free one
 * @param insecure whether it may listen beyond loopback without TLS or without a credential
 * @param tls certificate and key, and whose clients it admits; without them the listener serves plain HTTP
 * @param tokenFile file with one shared token in each line, each of which is accepted; empty if no token is required
 */
public record ListenerConfig(String host, int port, boolean insecure, TlsFiles tls, String tokenFile) {
    public ListenerConfig {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(tls, "tls");
        Objects.requireNonNull(tokenFile, "tokenFile");
    }

    /** Returns a listener on loopback without a credential. */
    public static ListenerConfig loopback(int port) {
        return new ListenerConfig("127.0.0.1", port, false, TlsFiles.NONE, "");
    }

    /** Returns the same config with another port. */
    public ListenerConfig at(int otherPort) {
        return new ListenerConfig(host, otherPort, insecure, tls, tokenFile);
    }

    /** Returns whether it requires a token. */
    public boolean requiresToken() {
        return !tokenFile.isBlank();
    }

    /**
     * Returns whether other machines reach it without both TLS and a credential.
     *
     * @param reviewed whether the handler reviews tokens itself
     */
    public boolean isUnguarded(boolean reviewed) {
        return !isLoopback() && !(tls.areGiven() && (reviewed || requiresToken() || tls.requireClientCertificate()));
    }

    /** Returns whether only this machine reaches it. */
    public boolean isLoopback() {
        return isLoopback(host);
    }

    /** Returns whether an address is this machine's own; names are not resolved. */
    public static boolean isLoopback(String host) {
        return ListenRule.isLoopback(host);
    }

    /**
     * Returns this config, if a listener may be opened by it.
     *
     * @param section of the config, such as {@code gateway.agent}
     * @throws IllegalArgumentException with a sentence that names the key to change
     */
    public ListenerConfig checked(String section) {
        return checked(section, false);
    }

    /** Returns the same for a handler that may review tokens itself. */
    public ListenerConfig checked(String section, boolean reviewed) {
        ListenRule.check(section, this, reviewed);
        return this;
    }
}
