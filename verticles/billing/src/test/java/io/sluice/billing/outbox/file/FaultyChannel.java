package io.sluice.billing.outbox.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import org.h2.store.fs.FileBaseDefault;

/** A file of a {@link FaultyDisk}. */
final class FaultyChannel extends FileBaseDefault {
    private final FaultyDisk disk;
    private final Path path;
    private final FileChannel base;

    FaultyChannel(FaultyDisk disk, Path path, FileChannel base) {
        this.disk = disk;
        this.path = path;
        this.base = base;
    }

    @Override
    public int read(ByteBuffer dst, long position) throws IOException {
        disk.alive();
        return base.read(dst, position);
    }

    @Override
    public int write(ByteBuffer src, long position) throws IOException {
        int length = src.remaining();
        disk.write(path, base, src, position);
        return length;
    }

    @Override
    public void force(boolean metaData) throws IOException {
        disk.sync(path, base);
    }

    @Override
    protected void implTruncate(long size) throws IOException {
        disk.truncate(path, base, size);
    }

    @Override
    public long size() throws IOException {
        return base.size();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
        return base.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        base.close();
    }
}
