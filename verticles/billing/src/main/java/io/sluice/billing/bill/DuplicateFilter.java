package io.sluice.billing.bill;

import io.sluice.shell.BoundedMap;
import java.util.Map;

/** Recognizes repeated keys. A key is forgotten when many others have followed it. */
final class DuplicateFilter {
    /** A repetition follows soon after the first, or not at all. */
    private static final int KEPT = 200_000;

    private final Map<Object, Boolean> keys = BoundedMap.ofNewest(KEPT);

    /** Whether the key was passed before. */
    boolean isOne(Object key) {
        return keys.put(key, true) != null;
    }
}
