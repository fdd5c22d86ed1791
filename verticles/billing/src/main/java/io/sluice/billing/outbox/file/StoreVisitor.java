package io.sluice.billing.outbox.file;

/** Receives all entries of a file when it is opened. */
@FunctionalInterface
public interface StoreVisitor {
    /**
     * Receives one entry with a correct checksum.
     *
     * @param map name of the map
     * @param key a number or a text, by the map's name
     * @param value the value
     */
    void entry(String map, Object key, byte[] value);
}
