package io.sluice.gateway.listener;

import java.util.Objects;

/**
 * Where a door listens and who may come in. Whether both go together is checked by {@link #checked}, as only whoever
 * knows the door's section can name its keys.
 *
 * @param host address to listen on; of names only {@code localhost} counts as loopback
 * @param port port to listen on; 0 takes any free one
 * @param insecure whether it may listen on more than loopback without TLS or without a credential
 * @param tls certificate and key; without them the door speaks plain HTTP
 * @param tokenFile file with one shared token in each line, any of which lets in; empty for a door that asks for none
 */
public record ListenerConfig(String host, int port, boolean insecure, TlsFiles tls, String tokenFile) {
    public ListenerConfig {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(tls, "tls");
        Objects.requireNonNull(tokenFile, "tokenFile");
    }

    /** A door for this machine only, that asks for nothing. */
    public static ListenerConfig loopback(int port) {
        return new ListenerConfig("127.0.0.1", port, false, TlsFiles.NONE, "");
    }

    /** The same at another port. */
    public ListenerConfig at(int otherPort) {
        return new ListenerConfig(host, otherPort, insecure, tls, tokenFile);
    }

    /** Whether it asks for a credential. */
    public boolean asksForToken() {
        return !tokenFile.isBlank();
    }

    /**
     * Whether others than this machine reach it without both TLS and a credential.
     *
     * @param reviewed whether what stands behind the door asks for one itself
     */
    public boolean isUnguarded(boolean reviewed) {
        return !isLoopback() && !(tls.areGiven() && (reviewed || asksForToken()));
    }

    /** Whether nobody but this machine reaches it. */
    public boolean isLoopback() {
        return isLoopback(host);
    }

    /** Whether an address is this machine's own; names are not looked up. */
    public static boolean isLoopback(String host) {
        return ListenRule.isLoopback(host);
    }

    /**
     * This config, if a door may be opened by it.
     *
     * @param section of the config, such as {@code gateway.agent}
     * @throws IllegalArgumentException with a sentence that names the key to change
     */
    public ListenerConfig checked(String section) {
        return checked(section, false);
    }

    /** The same where what stands behind the door may ask for a credential itself. */
    public ListenerConfig checked(String section, boolean reviewed) {
        ListenRule.check(section, this, reviewed);
        return this;
    }
}
