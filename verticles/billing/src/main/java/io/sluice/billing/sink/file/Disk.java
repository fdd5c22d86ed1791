package io.sluice.billing.sink.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The operations on a disk, which fail when it is full or broken. */
interface Disk {
    /** The disk of this machine. */
    Disk REAL = new Disk() {
        @Override
        public void write(FileChannel file, ByteBuffer bytes) throws IOException {
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
        }

        @Override
        public void cut(FileChannel file, long length) throws IOException {
            file.truncate(length);
        }

        @Override
        public void sync(FileChannel file) throws IOException {
            file.force(true);
        }

        @Override
        public void syncDirectory(Path directory) throws IOException {
            try (var opened = FileChannel.open(directory, StandardOpenOption.READ)) {
                opened.force(true);
            }
        }
    };

    /** Writes all bytes at the file's position. */
    void write(FileChannel file, ByteBuffer bytes) throws IOException;

    /** Truncates the file to a length. */
    void cut(FileChannel file, long length) throws IOException;

    /** Returns when the written data survives a power failure. */
    void sync(FileChannel file) throws IOException;

    /** Returns when names of new files survive a power failure. */
    void syncDirectory(Path directory) throws IOException;
}
