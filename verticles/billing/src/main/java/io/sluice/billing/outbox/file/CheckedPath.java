package io.sluice.billing.outbox.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/** A file for MVStore whose blocks carry checksums, by the name {@code checked:} and then the file's. */
public class CheckedPath extends FilePathWrapper {
    /** Refuses to read what does not match its checksum. */
    public static final String CHECKED = "checked";

    /** Reads everything, for a rescue. */
    static final String UNCHECKED = "unchecked";

    private final String scheme;

    private CheckedPath(String scheme) {
        this.scheme = scheme;
    }

    /** Makes both names known to H2; again changes nothing. */
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

    /** H2 makes further paths of a kind by its constructor without arguments. */
    public static final class Strict extends CheckedPath {
        /** Of no file yet. */
        public Strict() {
            super(CHECKED);
        }
    }

    /** The same, for the other name. */
    public static final class Lenient extends CheckedPath {
        /** Of no file yet. */
        public Lenient() {
            super(UNCHECKED);
        }
    }
}
