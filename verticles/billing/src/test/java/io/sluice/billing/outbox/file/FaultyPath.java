package io.sluice.billing.outbox.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/** Files of a {@link FaultyDisk}; their names are {@code faulty:} and the file's path. */
public final class FaultyPath extends FilePathWrapper {
    public static final String SCHEME = "faulty:";

    private static final Map<Path, FaultyDisk> DISKS = new ConcurrentHashMap<>();

    /** H2 creates further paths by this constructor. */
    public FaultyPath() {}

    static void mount(FaultyDisk disk, Path directory) {
        FilePath.register(new FaultyPath());
        DISKS.put(directory, disk);
    }

    @Override
    public String getScheme() {
        return "faulty";
    }

    @Override
    public FileChannel open(String mode) throws IOException {
        return disk().open(path(this), getBase().open(mode));
    }

    @Override
    public void moveTo(FilePath target, boolean atomicReplace) {
        disk().alive();
        super.moveTo(target, atomicReplace);
        disk().moved(path(this), path((FaultyPath) target));
    }

    @Override
    public void delete() {
        long size = exists() ? size() : 0;
        super.delete();
        disk().deleted(path(this), size);
    }

    private FaultyDisk disk() {
        return DISKS.get(path(this).getParent());
    }

    private static Path path(FaultyPath file) {
        return Path.of(file.getBase().toString());
    }
}
