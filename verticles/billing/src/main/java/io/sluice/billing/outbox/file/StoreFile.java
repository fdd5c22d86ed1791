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
 * One open file of MVStore, whose commits are durable once they return. Not safe for several threads.
 *
 * <p>After anything was thrown the file is in doubt, and must be given up: close it by {@link #abandon}, open it anew.
 */
public final class StoreFile implements AutoCloseable {
    /** Names of maps whose keys are numbers begin with that; the keys of all others are words. */
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

    /** Opens the file, or begins it where there is none. */
    static StoreFile open(String path, String sealPath) {
        return open(builder(path), sealPath, true);
    }

    /** Opens the file to be read only, as far as that goes; nothing of it changes. */
    static StoreFile read(String path, String sealPath) {
        return open(builder(path).readOnly(), sealPath, false);
    }

    /** Opens the file as it was before its last commit, and forgets that one for good. Only for a copy. */
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
        // A commit of H2's own, by time or by size, would cut an offer in two.
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
        // Only what is open is moved when space is won back.
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

    /** The map whose keys are numbers; its name begins with {@link #NUMBERED}. */
    public CheckedMap<Long> numbers(String name) {
        return new CheckedMap<>(name, numbers(store, name));
    }

    /** The map whose keys are words. */
    public CheckedMap<String> words(String name) {
        return new CheckedMap<>(name, words(store, name));
    }

    /** The maps that hold the outbox. */
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

    /** Begins a new file, which carries on another's count. */
    void begin(long newId, long commitsSoFar) {
        id = newId;
        commits = commitsSoFar;
        own.put(ID, bytes(newId));
    }

    /** Everything that was changed since the last one becomes durable, or this throws and nobody knows. */
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
            // MVStore leaves its header as it is for a while, and finds newer chunks by following the older ones; it
            // may
            // overwrite one of those before the header. Without that mark it writes the header each time.
            store.getStoreHeader().put(CLEAN_MARK, 1);
            store.commit();
            store.sync();
        } catch (RuntimeException failed) {
            distrustAfter(failed);
            throw failed;
        }
    }

    /** Brings to the disk what an earlier process may only have written. */
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

    /** Writes what is on its way to the file without waiting for the disk; only for a file that nobody uses yet. */
    void flush() {
        store.commit();
    }

    /** Says what is durable, or that nothing is known any more. */
    void seal(boolean distrust) {
        try {
            new StoreSeal(id(), commits, distrust).write(sealPath);
        } catch (IOException unwritten) {
            throw new UncheckedIOException(unwritten);
        }
    }

    /** How long the file is. */
    public long bytes() {
        return store.getFileStore().size() / CheckedChannel.BLOCK * CheckedChannel.STORED;
    }

    /** Lets go of the file as it is, and writes nothing more. */
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
