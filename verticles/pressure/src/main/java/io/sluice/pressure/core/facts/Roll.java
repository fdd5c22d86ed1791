package io.sluice.pressure.core.facts;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Misses what is gone although nobody said so: what two full listings in a row did not name. One alone may be half told
 * by somebody else still.
 *
 * @param <K> what things are named by
 */
public final class Roll<K> {
    private static final int LISTINGS = 2;

    private final Map<K, Integer> listingsSince = new HashMap<>();

    /** It is there. */
    public void named(K key) {
        listingsSince.put(key, 0);
    }

    /** It is known to be gone, or of no interest any more. */
    public void struck(K key) {
        listingsSince.remove(key);
    }

    /** A full listing is through: what is missed. */
    public List<K> listed() {
        listingsSince.replaceAll((key, listings) -> listings + 1);
        var missed = listingsSince.entrySet().stream()
                .filter(entry -> entry.getValue() > LISTINGS)
                .map(Map.Entry::getKey)
                .toList();
        missed.forEach(listingsSince::remove);
        return missed;
    }
}
