package io.sluice.billing.outbox.file;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Copies the readable entries of one file to another. Entries that do not match their checksum are set aside in the new
 * file up to a bound, and counted beyond it.
 */
final class StoreRescue implements PageWalk.Visitor {
    /** The map of damaged entries: name of the map, key and bytes, as they were found. */
    static final String QUARANTINE = StoreFile.NUMBERED + "quarantine";

    private static final int KEPT_MAX = 1000;
    private static final long KEPT_BYTES_MAX = 16L << 20;
    private static final long FLUSH_BYTES = 4L << 20;

    private final StoreFile target;
    private final Map<String, Long> setAside = new HashMap<>();
    private long unreadablePages;
    private long kept;
    private long keptBytes;
    private long unflushed;

    private StoreRescue(StoreFile target) {
        this.target = target;
    }

    /** Copies all entries, and returns the counts; the copy is not durable yet. */
    static StoreRescue copy(StoreFile source, StoreFile target) {
        var rescue = new StoreRescue(target);
        PageWalk.through(source, rescue);
        return rescue;
    }

    @Override
    public void entry(String map, Object key, byte[] sealed) {
        var value = Checksums.open(map, key, sealed);
        if (value.isEmpty()) {
            setAside(map, key, sealed);
        } else if (key instanceof Long number) {
            target.numbers(map).put(number, value.get());
            kept += map.equals(QUARANTINE) ? 1 : 0;
        } else {
            target.words(map).put((String) key, value.get());
        }
        unflushed += CheckedMap.cost(sealed);
        if (unflushed > FLUSH_BYTES) {
            target.flush();
            unflushed = 0;
        }
    }

    private void setAside(String map, Object key, byte[] sealed) {
        setAside.merge(map, 1L, Long::sum);
        if (kept < KEPT_MAX && keptBytes + sealed.length <= KEPT_BYTES_MAX) {
            var label = (map + '\n' + key + '\n').getBytes(StandardCharsets.UTF_8);
            var bytes = ByteBuffer.allocate(label.length + sealed.length)
                    .put(label)
                    .put(sealed)
                    .array();
            var aside = target.numbers(QUARANTINE);
            aside.put(aside.lastKey().orElse(0L) + 1, bytes);
            kept++;
            keptBytes += sealed.length;
        }
    }

    @Override
    public void unreadable(String map, RuntimeException why) {
        unreadablePages++;
    }

    Map<String, Long> setAside() {
        return setAside;
    }

    long unreadablePages() {
        return unreadablePages;
    }
}
