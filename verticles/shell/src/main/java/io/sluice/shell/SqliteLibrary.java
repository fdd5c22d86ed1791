package io.sluice.shell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;

/**
 * Puts SQLite's native library into the directory of a store. By itself the driver would unpack one more copy into the
 * temporary folder at each start, where programs may be forbidden.
 */
public final class SqliteLibrary {
    private static final String PATH = "org.sqlite.lib.path";

    private SqliteLibrary() {}

    /** Does nothing where the property {@code org.sqlite.lib.path} names the library's directory. */
    public static synchronized void unpack(Path directory) throws IOException {
        if (System.getProperty(PATH) != null) {
            return;
        }
        var name = LibraryLoaderUtil.getNativeLibName();
        var target = Files.createDirectories(
                directory.resolve("sqlite-" + SQLiteJDBCLoader.getVersion()).toAbsolutePath());
        var unpacked = Files.createTempFile(target, "unpacked", ".so");
        var resource = LibraryLoaderUtil.getNativeLibResourcePath() + "/" + name;
        try (var bytes = Objects.requireNonNull(SQLiteJDBCLoader.class.getResourceAsStream(resource), resource)) {
            Files.copy(bytes, unpacked, StandardCopyOption.REPLACE_EXISTING);
            Files.move(unpacked, target.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(unpacked);
        }
        System.setProperty(PATH, target.toString());
        System.setProperty("org.sqlite.lib.name", name);
    }
}
