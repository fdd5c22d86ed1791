package io.sluice.billing.outbox.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/** A file for MVStore with a checksum for each block. Its name is {@code checked:} and the file's path. */
public class CheckedPath extends FilePathWrapper {
    /** The scheme that refuses to read blocks with a wrong checksum. */
    public static final String CHECKED = "checked";

    /** The scheme that reads everything, for a rescue. */
    static final String UNCHECKED = "unchecked";

    private final String scheme;

    private CheckedPath(String scheme) {
        this.scheme = scheme;
    }

    /** Registers both schemes with H2; repeated calls change nothing. */
    static void register() {
        FilePath.register(new Strict());
        FilePath.register(new Lenient());
    }

    @Override
    public String getScheme() {
        return scheme;
    }

    @Override
    public FileChannel open(String mode) throws IOException {
        return new CheckedChannel(getBase().open(mode), scheme.equals(CHECKED));
    }

    @Override
    public long size() {
        return CheckedChannel.payload(getBase().size());
    }

    /** The path with checks. H2 creates paths of a scheme by the constructor without arguments. */
    public static final class Strict extends CheckedPath {
        /** Creates a path without a file. */
        public Strict() {
            super(CHECKED);
        }
    }

    /** The path without checks. */
    public static final class Lenient extends CheckedPath {
        /** Creates a path without a file. */
        public Lenient() {
            super(UNCHECKED);
        }
    }
}
