package io.sluice.workers.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteFleetStoreTest {
    @TempDir
    private Path directory;

    @Test
    void hasWhatWasCommittedAfterItIsOpenedAgain() {
        try (var store = SqliteFleetStore.open(directory.resolve("fleet.db"), SomeRows.NOW)) {
            store.commit(SomeRows.rows());
        }
        try (var store = SqliteFleetStore.open(directory.resolve("fleet.db"), SomeRows.NOW)) {
            SomeRows.loadedFrom(store);
        }
    }

    /** Definitions may have secrets. */
    @Test
    void itsFilesAreItsOwnersAlone() throws IOException {
        var file = directory.resolve("fleet.db");
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--")));
        try (var store = SqliteFleetStore.open(file, SomeRows.NOW)) {
            store.commit(SomeRows.rows());
            for (var name : List.of("fleet.db", "fleet.db-wal")) {
                assertThat(Files.getPosixFilePermissions(directory.resolve(name)))
                        .as(name)
                        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
            }
        }
    }

    @Test
    void isOfOneProcessAlone() {
        var file = directory.resolve("fleet.db");
        try (var store = SqliteFleetStore.open(file, SomeRows.NOW)) {
            store.commit(SomeRows.rows());
            assertThatThrownBy(() -> SqliteFleetStore.open(file, SomeRows.NOW)).isInstanceOf(FleetStoreException.class);
        }
    }
}
