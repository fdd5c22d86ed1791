package io.sluice.billing.outbox.file;

/** Is shown everything that a file holds when it is opened. */
@FunctionalInterface
public interface StoreVisitor {
    /**
     * One entry, whose value matched its checksum.
     *
     * @param key a number or a word, by the map's name
     */
    void entry(String map, Object key, byte[] value);
}
