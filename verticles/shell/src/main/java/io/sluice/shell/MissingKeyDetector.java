package io.sluice.shell;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Finds keys that are gone without a message: those that two full lists in a row did not contain. One list alone may be
 * incomplete, as it may belong to a process that has published only part of its list.
 *
 * @param <K> the keys' type
 */
public final class MissingKeyDetector<K> {
    private static final int FULL_LISTS = 2;

    private final Map<K, Integer> fullListsSince = new HashMap<>();

    /** Records that the key exists. */
    public void named(K key) {
        fullListsSince.put(key, 0);
    }

    /** Forgets a key that is known to be gone, or is no longer of interest. */
    public void struck(K key) {
        fullListsSince.remove(key);
    }

    /** Records the end of a full list. Returns the keys that are gone, and forgets them. */
    public Set<K> listed() {
        fullListsSince.replaceAll((key, fullLists) -> fullLists + 1);
        var gone = new HashSet<K>();
        fullListsSince.forEach((key, fullLists) -> {
            if (fullLists > FULL_LISTS) {
                gone.add(key);
            }
        });
        fullListsSince.keySet().removeAll(gone);
        return gone;
    }
}
