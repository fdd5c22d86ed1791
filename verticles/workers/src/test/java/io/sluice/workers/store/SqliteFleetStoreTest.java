package io.sluice.workers.store;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
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

    @Test
    void isOfOneProcessAlone() {
        var file = directory.resolve("fleet.db");
        try (var store = SqliteFleetStore.open(file, SomeRows.NOW)) {
            store.commit(SomeRows.rows());
            assertThatThrownBy(() -> SqliteFleetStore.open(file, SomeRows.NOW)).isInstanceOf(FleetStoreException.class);
        }
    }
}
