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
 * The directory that the outbox's file lives in: opens it, whatever happened to it since it was last closed.
 *
 * <p>A file under its own name is always whole: one that is begun or written anew is made under another name, synced,
 * and then renamed.
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
     * Of that directory.
     *
     * @param scheme stands before the names of files: empty, or what a disk that fails is called in tests
     * @param random gives each file its number
     */
    public StoreDirectory(Path directory, String scheme, RandomGenerator random) {
        this.directory = Objects.requireNonNull(directory, "directory");
        this.scheme = Objects.requireNonNull(scheme, "scheme");
        this.random = Objects.requireNonNull(random, "random");
        spare = new ReservedSpace(plain(SPARE));
    }

    /**
     * A file that was opened, and what is to be said about it.
     *
     * @param <C> who has seen all that is in it
     */
    public record Opened<C>(StoreFile file, C census, Optional<OpeningFinding> finding) {}

    /**
     * Remembers what failed: after some failures the file must not be believed. If there was no room, there is a little
     * from now on.
     */
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

    /** Opens the file, or begins it where none has ever been. */
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
                    directory.resolve(STORE) + " is gone, though " + SEAL + " beside it says that it was there");
        }
        fill(file -> file.begin(random.nextLong(), 0));
    }

    private interface Filling {
        void into(StoreFile file);
    }

    /** Makes a new file, and lets it take the place of the old one. */
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

    /** Opens the file and reads all of it, or throws what is wrong with it. */
    private <C extends StoreVisitor> Opened<C> inspected(
            Optional<StoreSeal> seal, C census, Optional<OpeningFinding> finding) {
        var file = openChecked(STORE, SEAL);
        try {
            if (missing(seal, file) > 0) {
                throw new DamagedException(missing(seal, file) + " commits are not there that were durable");
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
                            .orElseThrow(() -> new DamagedException("the value of " + key + " in " + map
                                    + " is not what was written: its checksum differs")));
        }

        @Override
        public void unreadable(String map, RuntimeException why) {
            throw new DamagedException("a page of " + map + " cannot be read: " + why.getMessage(), why);
        }
    }

    /** What an earlier process wrote and did not sync may be there as well. */
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

    /** Whether anybody was told that the newest commit is durable. */
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

    /** Goes back by one commit, on a copy, if all is well there. */
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

    /** The damaged file, of which the last one is kept. */
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
