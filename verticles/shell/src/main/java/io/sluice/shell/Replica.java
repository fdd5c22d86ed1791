package io.sluice.shell;

import io.vertx.core.Future;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * Small values that other processes keep for a role, so that they outlive this process and its disk. Each call can be
 * repeated. Called from a context of Vert.x, on which its futures complete.
 */
public interface Replica {
    /** Keeps nothing; for a process that is alone. */
    Replica NONE = new Replica() {
        @Override
        public Future<Void> put(Map<String, byte[]> entries) {
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> remove(Collection<String> keys) {
            return Future.succeededFuture();
        }

        @Override
        public Future<Set<String>> keys() {
            return Future.succeededFuture(Set.of());
        }

        @Override
        public Future<Map<String, byte[]>> read(Collection<String> keys) {
            return Future.succeededFuture(Map.of());
        }
    };

    /** Writes entries; succeeds once all copies have them. A failed call may have written some. */
    Future<Void> put(Map<String, byte[]> entries);

    /** Removes entries; unknown keys are allowed. */
    Future<Void> remove(Collection<String> keys);

    /** The keys of all entries. */
    Future<Set<String>> keys();

    /** Those of the entries that exist. */
    Future<Map<String, byte[]>> read(Collection<String> keys);

    /** Whether other processes keep the entries. */
    default boolean isShared() {
        return this != NONE;
    }
}
