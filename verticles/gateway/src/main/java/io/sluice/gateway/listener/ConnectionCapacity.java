package io.sluice.gateway.listener;

/**
 * How many connections a listener keeps.
 *
 * @param connections in all
 * @param perAddress from one address; of IPv6 from one network of 64 bits, as one machine may have all of its addresses
 * @param probes beyond these, for probes only
 */
record ConnectionCapacity(int connections, int perAddress, int probes) {
    static final ConnectionCapacity USUAL = new ConnectionCapacity(256, 64, 0);

    private static final int PROBES = 16;

    ConnectionCapacity withProbes() {
        return new ConnectionCapacity(connections, perAddress, PROBES);
    }
}
