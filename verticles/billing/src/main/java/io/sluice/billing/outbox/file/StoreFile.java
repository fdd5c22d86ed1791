package io.sluice.billing.outbox.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.TreeSet;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.type.ByteArrayDataType;
import org.h2.mvstore.type.LongDataType;
import org.h2.mvstore.type.StringDataType;

/**
 * An open file of MVStore. Its commits are durable when they return. Not thread-safe.
 *
 * <p>After any exception the state of the file is unknown. Close it by {@link #abandon}, and open it again.
 */
public final class StoreFile implements AutoCloseable {
    /** Names of maps with numeric keys begin with this; all other maps have text keys. */
    public static final String NUMBERED = "n/";

    private static final String OWN = "file";
    private static final String ID = "id";
    private static final String COMMITS = "commits";
    private static final String CLEAN_MARK = "clean";
    private static final int CACHE_MB = 4;
    private static final int TIDY_EVERY = 16;
    private static final int FILL_PERCENT = 60;
    private static final int REWRITE_BYTES = 1 << 20;

    private final MVStore store;
    private final String sealPath;
    private final CheckedMap<String> own;
    private long id;
    private long commits;

    private StoreFile(MVStore store, String sealPath) {
        this.store = store;
        this.sealPath = sealPath;
        own = words(OWN);
        id = number(ID);
        commits = number(COMMITS);
    }

    /** Opens the file, or creates it where there is none. */
    static StoreFile open(String path, String sealPath) {
        return open(builder(path), sealPath, true);
    }

    /** Opens the file read-only, without opening all maps; changes nothing. */
    static StoreFile read(String path, String sealPath) {
        return open(builder(path).readOnly(), sealPath, false);
    }

    /** Opens the file as it was before its last commit, and drops that commit for ever. Only for a copy. */
    static StoreFile openBefore(String path, String sealPath) {
        var store = builder(path).open();
        try {
            store.rollbackTo(store.getCurrentVersion() - 1);
            return new StoreFile(withMaps(store), sealPath);
        } catch (RuntimeException unreadable) {
            store.closeImmediately();
            throw unreadable;
        }
    }

    private static MVStore.Builder builder(String path) {
        CheckedPath.register();
        // A commit by H2 itself, by time or size, would split a write in two.
        return new MVStore.Builder()
                .fileName(path)
                .autoCommitDisabled()
                .autoCommitBufferSize(0)
                .cacheSize(CACHE_MB);
    }

    private static StoreFile open(MVStore.Builder builder, String sealPath, boolean whole) {
        var store = builder.open();
        try {
            return new StoreFile(whole ? withMaps(store) : store, sealPath);
        } catch (RuntimeException unreadable) {
            store.closeImmediately();
            throw unreadable;
        }
    }

    private static MVStore withMaps(MVStore store) {
        store.setRetentionTime(0);
        // Compaction moves only the pages of open maps.
        store.getMapNames().forEach(name -> map(store, name));
        return store;
    }

    private static MVMap<?, byte[]> map(MVStore store, String name) {
        return name.startsWith(NUMBERED) ? numbers(store, name) : words(store, name);
    }

    private static MVMap<Long, byte[]> numbers(MVStore store, String name) {
        return store.openMap(
                name,
                new MVMap.Builder<Long, byte[]>().keyType(LongDataType.INSTANCE).valueType(ByteArrayDataType.INSTANCE));
    }

    private static MVMap<String, byte[]> words(MVStore store, String name) {
        return store.openMap(
                name,
                new MVMap.Builder<String, byte[]>()
                        .keyType(StringDataType.INSTANCE)
                        .valueType(ByteArrayDataType.INSTANCE));
    }

    /** Returns a map with numeric keys; its name begins with {@link #NUMBERED}. */
    public CheckedMap<Long> numbers(String name) {
        return new CheckedMap<>(name, numbers(store, name));
    }

    /** Returns a map with text keys. */
    public CheckedMap<String> words(String name) {
        return new CheckedMap<>(name, words(store, name));
    }

    /** The names of the maps that hold the outbox. */
    Set<String> names() {
        var names = new TreeSet<>(store.getMapNames());
        names.remove(OWN);
        return names;
    }

    MVMap<?, byte[]> map(String name) {
        return map(store, name);
    }

    long id() {
        return id;
    }

    long commits() {
        return commits;
    }

    /** Initializes a new file, which continues the commit count of another. */
    void begin(long newId, long commitsSoFar) {
        id = newId;
        commits = commitsSoFar;
        own.put(ID, bytes(newId));
    }

    /** Makes all changes since the last commit durable. If it throws, the result is unknown. */
    public void commit() {
        commitOnce();
        if (commits % TIDY_EVERY == 0 && store.compact(FILL_PERCENT, REWRITE_BYTES)) {
            commitOnce();
        }
        seal(false);
    }

    private void commitOnce() {
        commits++;
        own.put(COMMITS, bytes(commits));
        try {
            // MVStore does not rewrite its header with each chunk. It finds newer chunks by following the older ones,
            // and may overwrite one of those before it rewrites the header. With this entry it rewrites the header each
            // time.
            store.getStoreHeader().put(CLEAN_MARK, 1);
            store.commit();
            store.sync();
        } catch (RuntimeException failed) {
            distrustAfter(failed);
            throw failed;
        }
    }

    /** Syncs what an earlier process may have written without a sync. */
    void sync() {
        try {
            store.sync();
        } catch (RuntimeException failed) {
            distrustAfter(failed);
            throw failed;
        }
    }

    private void distrustAfter(RuntimeException failed) {
        try {
            if (SyncFailedException.isCauseOf(failed)) {
                seal(true);
            }
        } catch (RuntimeException unwritten) {
            failed.addSuppressed(unwritten);
        }
    }

    /** Writes pending changes to the file without a sync; only for a file that is not in use yet. */
    void flush() {
        store.commit();
    }

    /** Records how many commits are durable, or that the file must not be trusted. */
    void seal(boolean distrust) {
        try {
            new StoreSeal(id(), commits, distrust).write(sealPath);
        } catch (IOException unwritten) {
            throw new UncheckedIOException(unwritten);
        }
    }

    /** The size of the file in bytes. */
    public long bytes() {
        return store.getFileStore().size() / CheckedChannel.BLOCK * CheckedChannel.STORED;
    }

    /** Closes the file without writing anything. */
    public void abandon() {
        store.closeImmediately();
    }

    @Override
    public void close() {
        store.close();
    }

    private long number(String key) {
        return own.get(key).map(value -> ByteBuffer.wrap(value).getLong()).orElse(0L);
    }

    private static byte[] bytes(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }
}
