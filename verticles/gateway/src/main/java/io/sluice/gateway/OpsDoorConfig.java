package io.sluice.gateway;

/**
 * Where probes and metrics answer.
 *
 * @param host address to listen on
 * @param port port to listen on; 0 takes any free one
 * @param insecure whether it may listen on more than loopback although it asks for no credential
 */
public record OpsDoorConfig(String host, int port, boolean insecure) {
    /** The usual metrics port, for this machine only. */
    public static final OpsDoorConfig DEFAULTS = new OpsDoorConfig("127.0.0.1", 9100, false);

    public OpsDoorConfig {
        ListenRule.check("gateway.ops", host, port, insecure);
    }
}
