package io.sluice.gateway.door;

/**
 * How many connections a listener keeps.
 *
 * @param connections in all
 * @param perAddress from one address; of IPv6 from one network of 64 bits, as each machine has all of its addresses
 * @param probes beyond these, on which nothing but probes is answered
 */
record Capacity(int connections, int perAddress, int probes) {
    static final Capacity USUAL = new Capacity(256, 64, 0);

    private static final int PROBES = 16;

    Capacity withProbes() {
        return new Capacity(connections, perAddress, PROBES);
    }
}
