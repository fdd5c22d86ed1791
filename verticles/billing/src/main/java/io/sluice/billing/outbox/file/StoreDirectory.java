package io.sluice.billing.outbox.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.h2.store.fs.FilePath;

/**
 * The directory of the outbox's file. It opens the file, whatever happened to it since it was last closed.
 *
 * <p>A file under its own name is always complete. A new file is written under another name, synced, and then renamed.
 */
public final class StoreDirectory {
    static final String STORE = "outbox.mv";
    static final String SEAL = "outbox.seal";
    static final String DAMAGED = "outbox.mv.damaged";
    private static final String SPARE = "outbox.spare";
    private static final String NEW = "outbox.mv.new";
    private static final String NEW_SEAL = "outbox.seal.new";
    private static final String BEFORE = "outbox.mv.before";

    private final Path directory;
    private final String scheme;
    private final RandomGenerator random;
    private final ReservedSpace spare;
    private boolean distrusted;

    /**
     * Creates the object without opening the file.
     *
     * @param scheme prefix of file names: empty, or the scheme of a failing disk in tests
     * @param random gives each file its id
     */
    public StoreDirectory(Path directory, String scheme, RandomGenerator random) {
        this.directory = Objects.requireNonNull(directory, "directory");
        this.scheme = Objects.requireNonNull(scheme, "scheme");
        this.random = Objects.requireNonNull(random, "random");
        spare = new ReservedSpace(plain(SPARE));
    }

    /**
     * A file that was opened, and what was found.
     *
     * @param <C> type of the visitor that has received all entries
     */
    public record Opened<C>(StoreFile file, C census, Optional<OpeningFinding> finding) {}

    /** Records a failure: after a failed sync the file's contents must not be trusted. Releases the reserved space. */
    public void failed(Throwable failure) {
        distrusted |= SyncFailedException.isCauseOf(failure);
        try {
            spare.release();
        } catch (RuntimeException unwritable) {
            failure.addSuppressed(unwritable);
        }
    }

    /** Whether the disk has room for more than removals. */
    public boolean roomy() {
        return spare.take();
    }

    /** Opens the file, or creates it where none has existed. */
    public <C extends StoreVisitor> Opened<C> open(Supplier<C> census) throws IOException {
        for (var leftover : new String[] {NEW, NEW_SEAL, BEFORE}) {
            Files.deleteIfExists(directory.resolve(leftover));
        }
        if (Files.notExists(directory.resolve(STORE))) {
            begin();
        }
        var seal = StoreSeal.read(plain(SEAL));
        Opened<C> opened;
        try {
            opened = inspected(seal, census.get(), Optional.empty());
        } catch (NewerFormatException untouched) {
            throw untouched;
        } catch (RuntimeException damaged) {
            return rescue(seal, damaged, census);
        }
        if (distrusted || seal.map(StoreSeal::distrust).orElse(false)) {
            return writeAnew(opened.file(), census);
        }
        confirm(opened.file());
        return opened;
    }

    private String plain(String name) {
        return scheme + directory.resolve(name);
    }

    private StoreFile openChecked(String name, String seal) {
        return StoreFile.open(CheckedPath.CHECKED + ":" + plain(name), plain(seal));
    }

    private void begin() throws IOException {
        if (Files.exists(directory.resolve(SEAL))) {
            throw new IOException(
                    directory.resolve(STORE) + " is missing, although " + SEAL + " beside it shows that it existed");
        }
        fill(file -> file.begin(random.nextLong(), 0));
    }

    private interface Filling {
        void into(StoreFile file);
    }

    /** Writes a new file, and replaces the old one with it. */
    private void fill(Filling filling) throws IOException {
        var file = openChecked(NEW, NEW_SEAL);
        try {
            filling.into(file);
            file.commit();
            file.close();
        } catch (RuntimeException unwritten) {
            file.abandon();
            throw unwritten;
        }
        FilePath.get(plain(NEW)).moveTo(FilePath.get(plain(STORE)), true);
        try (var entry = FileChannel.open(directory, StandardOpenOption.READ)) {
            entry.force(true);
        }
    }

    /** Opens the file and reads all of it; throws if anything is wrong with it. */
    private <C extends StoreVisitor> Opened<C> inspected(
            Optional<StoreSeal> seal, C census, Optional<OpeningFinding> finding) {
        var file = openChecked(STORE, SEAL);
        try {
            if (missing(seal, file) > 0) {
                throw new DamagedException(missing(seal, file) + " durable commits are missing");
            }
            PageWalk.through(file, new Strict(census));
            return new Opened<>(file, census, finding);
        } catch (RuntimeException damaged) {
            file.abandon();
            throw damaged;
        }
    }

    private static long missing(Optional<StoreSeal> seal, StoreFile file) {
        return seal.filter(it -> it.store() == file.id())
                .map(it -> Math.max(0, it.commits() - file.commits()))
                .orElse(0L);
    }

    private record Strict(StoreVisitor census) implements PageWalk.Visitor {
        @Override
        public void entry(String map, Object key, byte[] sealed) {
            census.entry(
                    map,
                    key,
                    Checksums.open(map, key, sealed)
                            .orElseThrow(() -> new DamagedException(
                                    "the value of " + key + " in " + map + " is damaged: its checksum differs")));
        }

        @Override
        public void unreadable(String map, RuntimeException why) {
            throw new DamagedException("a page of " + map + " cannot be read: " + why.getMessage(), why);
        }
    }

    /** Syncs what an earlier process may have written without a sync. */
    private void confirm(StoreFile file) {
        try {
            file.sync();
            file.seal(false);
        } catch (RuntimeException failed) {
            failed(failed);
            file.abandon();
            throw failed;
        }
    }

    private <C extends StoreVisitor> Opened<C> writeAnew(StoreFile old, Supplier<C> census) throws IOException {
        try {
            fill(file -> copy(old, file));
        } finally {
            old.abandon();
        }
        return reopened(census, Optional.of(new OpeningFinding.WrittenAnew()));
    }

    private StoreRescue copy(StoreFile source, StoreFile target) {
        target.begin(random.nextLong(), source.commits());
        return StoreRescue.copy(source, target);
    }

    private <C extends StoreVisitor> Opened<C> reopened(Supplier<C> census, Optional<OpeningFinding> finding) {
        var opened = inspected(Optional.empty(), census.get(), finding);
        confirm(opened.file());
        distrusted = false;
        return opened;
    }

    private <C extends StoreVisitor> Opened<C> rescue(
            Optional<StoreSeal> seal, RuntimeException damage, Supplier<C> census) throws IOException {
        try {
            if (!answeredFor(seal) && droppedTornEnd()) {
                return reopened(census, Optional.of(new OpeningFinding.TornEnd(damage.getMessage())));
            }
            var finding = savedEntries(seal, damage);
            return reopened(census, Optional.of(finding));
        } catch (RuntimeException unreadable) {
            unreadable.addSuppressed(damage);
            throw new IOException(
                    directory.resolve(STORE) + " is damaged (" + damage.getMessage()
                            + "), and what is left of it could not be copied: " + unreadable.getMessage(),
                    unreadable);
        }
    }

    /** Whether the caller of the newest commit received that it is durable. */
    private boolean answeredFor(Optional<StoreSeal> seal) {
        var newest = readUnchecked();
        try {
            return seal.filter(it -> it.store() == newest.id() && it.commits() >= newest.commits())
                    .isPresent();
        } finally {
            newest.abandon();
        }
    }

    private StoreFile readUnchecked() {
        return StoreFile.read(CheckedPath.UNCHECKED + ":" + plain(STORE), plain(NEW_SEAL));
    }

    /** Returns to the commit before, on a copy, if that state is undamaged. */
    private boolean droppedTornEnd() throws IOException {
        Files.copy(directory.resolve(STORE), directory.resolve(BEFORE), StandardCopyOption.REPLACE_EXISTING);
        StoreFile before;
        try {
            before = StoreFile.openBefore(CheckedPath.CHECKED + ":" + plain(BEFORE), plain(NEW_SEAL));
        } catch (RuntimeException unreadable) {
            return false;
        }
        try {
            PageWalk.through(before, new Strict((map, key, value) -> {}));
        } catch (RuntimeException damagedToo) {
            before.abandon();
            return false;
        }
        try {
            fill(file -> copy(before, file));
        } finally {
            before.abandon();
            Files.deleteIfExists(directory.resolve(BEFORE));
        }
        return true;
    }

    /** Keeps the damaged file under another name; only the last one is kept. */
    private void keepAside() throws IOException {
        Files.deleteIfExists(directory.resolve(DAMAGED));
        try {
            Files.createLink(directory.resolve(DAMAGED), directory.resolve(STORE));
        } catch (UnsupportedOperationException | IOException noLinks) {
            Files.copy(directory.resolve(STORE), directory.resolve(DAMAGED), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private OpeningFinding savedEntries(Optional<StoreSeal> seal, RuntimeException damage) throws IOException {
        keepAside();
        var source = readUnchecked();
        try {
            var rescues = new StoreRescue[1];
            fill(file -> rescues[0] = copy(source, file));
            return new OpeningFinding.Damaged(
                    damage.getMessage(),
                    rescues[0].setAside(),
                    rescues[0].unreadablePages(),
                    missing(seal, source),
                    directory.resolve(DAMAGED).toString());
        } finally {
            source.abandon();
        }
    }
}
