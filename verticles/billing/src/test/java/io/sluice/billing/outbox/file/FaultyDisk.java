package io.sluice.billing.outbox.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * A simulated disk under a directory. It can become full, fail to sync, or stop in the middle of a write. For each
 * sector it holds the durable content, and the content in the system's memory.
 */
public final class FaultyDisk {
    static final int SECTOR = 512;

    private final Map<Path, FileState> files = new HashMap<>();
    private long roomBytes = Long.MAX_VALUE;
    private long operationsLeft = Long.MAX_VALUE;
    private int syncsThatFail;
    private boolean off;

    /** The part of a file that is not durable. */
    static final class FileState {
        final Map<Long, Sector> dirty = new TreeMap<>();
        long durableSize;
        boolean sizeLost;
    }

    /**
     * A sector that was written since the last sync: its content on the disk, and whether the system has lost the
     * write.
     */
    record Sector(byte[] durable, boolean lost) {}

    public static FaultyDisk under(Path directory) {
        var disk = new FaultyDisk();
        FaultyPath.mount(disk, directory);
        return disk;
    }

    /** From now on files may grow by that many bytes together. */
    public synchronized void room(long bytes) {
        roomBytes = bytes;
    }

    /** Makes the next syncs fail; what they were to sync is lost, although it can be read. */
    public synchronized void failSyncs(int times) {
        syncsThatFail = times;
    }

    /** After that many writes and syncs all operations fail; the last write is cut in two. */
    public synchronized void dieAfter(long operations) {
        operationsLeft = operations;
    }

    public synchronized boolean isOff() {
        return off;
    }

    /** Continues as after a kill: everything that was written is there. */
    public synchronized void restart() {
        off = false;
        operationsLeft = Long.MAX_VALUE;
        syncsThatFail = 0;
        roomBytes = Long.MAX_VALUE;
    }

    /** Continues as after a power failure: each sector that was not synced is there or not. */
    public synchronized void restartAfterPowerFailure(RandomGenerator random) throws IOException {
        for (var file : files.entrySet()) {
            if (Files.exists(file.getKey())) {
                forget(file.getKey(), file.getValue(), random);
            }
        }
        files.clear();
        restart();
    }

    private static void forget(Path path, FileState state, RandomGenerator random) throws IOException {
        try (var channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            for (var sector : state.dirty.entrySet()) {
                if (sector.getValue().lost() || random.nextBoolean()) {
                    channel.write(ByteBuffer.wrap(sector.getValue().durable()), sector.getKey() * SECTOR);
                }
            }
            if (channel.size() > state.durableSize && (state.sizeLost || random.nextBoolean())) {
                channel.truncate(state.durableSize);
            }
        }
    }

    synchronized FileChannel open(Path path, FileChannel base) throws IOException {
        alive();
        if (!files.containsKey(path)) {
            var state = new FileState();
            state.durableSize = base.size();
            files.put(path, state);
        }
        return new FaultyChannel(this, path, base);
    }

    synchronized void alive() {
        if (off) {
            throw new UncheckedIOException(new IOException("the power is off"));
        }
    }

    /** Renaming is durable at once, because the directory is synced right after it. */
    synchronized void moved(Path from, Path to) {
        var state = files.remove(from);
        files.put(to, state == null ? new FileState() : state);
    }

    synchronized void deleted(Path path, long size) {
        alive();
        files.remove(path);
        giveBack(size);
    }

    private void giveBack(long size) {
        roomBytes = roomBytes > Long.MAX_VALUE / 2 ? roomBytes : roomBytes + size;
    }

    private boolean lastOperation() throws IOException {
        if (off) {
            throw new IOException("the power is off");
        }
        off = --operationsLeft <= 0;
        return off;
    }

    synchronized void write(Path path, FileChannel base, ByteBuffer src, long position) throws IOException {
        boolean cut = lastOperation();
        int wanted = src.remaining();
        long grows = Math.max(0, position + wanted - base.size());
        long room = Math.min(wanted, wanted - Math.max(0, grows - roomBytes));
        int taken = (int) (cut ? wanted / 2 : room);
        remember(path, base, position, taken);
        roomBytes -= Math.min(roomBytes, grows);
        var part = src.slice(src.position(), taken);
        while (part.hasRemaining()) {
            base.write(part, position + part.position());
        }
        src.position(src.position() + taken);
        if (cut) {
            throw new IOException("the power went off");
        }
        if (taken < wanted) {
            throw new IOException("No space left on device");
        }
    }

    private void remember(Path path, FileChannel base, long position, int length) throws IOException {
        var dirty = files.get(path).dirty;
        for (long sector = position / SECTOR; sector * SECTOR < position + length; sector++) {
            var known = dirty.get(sector);
            dirty.put(sector, new Sector(known == null ? read(base, sector) : known.durable(), false));
        }
    }

    private static byte[] read(FileChannel base, long sector) throws IOException {
        var bytes = ByteBuffer.allocate(SECTOR);
        while (bytes.hasRemaining() && base.read(bytes, sector * SECTOR + bytes.position()) > 0) {
            // Reads until the buffer is full; beyond the end are zeros.
        }
        return bytes.array();
    }

    synchronized void sync(Path path, FileChannel base) throws IOException {
        var state = files.get(path);
        if (lastOperation()) {
            throw new IOException("the power went off");
        }
        if (syncsThatFail > 0) {
            syncsThatFail--;
            state.dirty.replaceAll((at, sector) -> new Sector(sector.durable(), true));
            state.sizeLost = base.size() > state.durableSize;
            throw new IOException("Input/output error");
        }
        state.dirty.values().removeIf(sector -> !sector.lost());
        state.durableSize = state.sizeLost ? state.durableSize : base.size();
    }

    synchronized void truncate(Path path, FileChannel base, long size) throws IOException {
        if (lastOperation()) {
            throw new IOException("the power went off");
        }
        giveBack(Math.max(0, base.size() - size));
        base.truncate(size);
        var state = files.get(path);
        state.dirty.keySet().removeIf(sector -> sector * SECTOR >= size);
        state.durableSize = Math.min(state.durableSize, size);
    }
}
