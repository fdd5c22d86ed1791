package io.sluice.billing.bill;

import java.util.LinkedHashMap;
import java.util.Map;

/** Tells what was there before from what is new; what was there too long ago is new again. */
final class DuplicateFilter {
    /** A repeat comes soon after, or not at all. */
    private static final int KEPT = 200_000;

    private final Map<Object, Boolean> keys = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Boolean> eldest) {
            return size() > KEPT;
        }
    };

    /** Whether it was asked about this before. */
    boolean isOne(Object key) {
        return keys.put(key, true) != null;
    }
}
