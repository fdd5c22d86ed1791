package io.sluice.billing.sink.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** A disk with limited space; its syncs and truncations can be made to fail. */
final class BadDisk implements Disk {
    private long room = Long.MAX_VALUE;
    private boolean syncs = true;
    private boolean cuts = true;

    /** Accepts that many more bytes, then is full. */
    void leave(long bytes) {
        room = bytes;
    }

    void syncs(boolean does) {
        syncs = does;
    }

    void cuts(boolean does) {
        cuts = does;
    }

    /** Makes all operations succeed again. */
    void repair() {
        room = Long.MAX_VALUE;
        syncs = true;
        cuts = true;
    }

    @Override
    public void write(FileChannel file, ByteBuffer bytes) throws IOException {
        int fitting = (int) Math.min(room, bytes.remaining());
        boolean full = fitting < bytes.remaining();
        room -= fitting;
        REAL.write(file, bytes.slice(bytes.position(), fitting));
        if (full) {
            throw new IOException("No space left on device");
        }
    }

    @Override
    public void cut(FileChannel file, long length) throws IOException {
        if (!cuts) {
            throw new IOException("Input/output error");
        }
        REAL.cut(file, length);
    }

    @Override
    public void sync(FileChannel file) throws IOException {
        if (!syncs) {
            throw new IOException("Input/output error");
        }
        REAL.sync(file);
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        REAL.syncDirectory(directory);
    }
}
