package io.sluice.billing.sink;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What a disk is asked for, and refuses when it is full or broken. */
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
            if (Permissions.areKept(directory)) {
                try (var opened = FileChannel.open(directory, StandardOpenOption.READ)) {
                    opened.force(true);
                }
            }
        }
    };

    /** Writes all of it where the file's position is. */
    void write(FileChannel file, ByteBuffer bytes) throws IOException;

    /** Takes away what is beyond that length. */
    void cut(FileChannel file, long length) throws IOException;

    /** Returns once what was written outlives the machine's sudden end. */
    void sync(FileChannel file) throws IOException;

    /** Returns once names of new files outlive it; other systems than POSIX' offer nothing for that. */
    void syncDirectory(Path directory) throws IOException;
}
