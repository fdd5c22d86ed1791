package io.sluice.shell;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Finds what is gone although nobody said so: that which two full listings in a row did not name. One alone may be that
 * of somebody whose listing is only half told yet.
 *
 * @param <K> what things are named by
 */
public final class MissingKeyDetector<K> {
    private static final int LISTINGS = 2;

    private final Map<K, Integer> listingsSince = new HashMap<>();

    /** It is there. */
    public void named(K key) {
        listingsSince.put(key, 0);
    }

    /** It is known to be gone, or is of no interest any more. */
    public void struck(K key) {
        listingsSince.remove(key);
    }

    /** A full listing is through. Answers what is gone, and forgets it. */
    public Set<K> listed() {
        listingsSince.replaceAll((key, listings) -> listings + 1);
        var gone = new HashSet<K>();
        listingsSince.forEach((key, listings) -> {
            if (listings > LISTINGS) {
                gone.add(key);
            }
        });
        listingsSince.keySet().removeAll(gone);
        return gone;
    }
}
