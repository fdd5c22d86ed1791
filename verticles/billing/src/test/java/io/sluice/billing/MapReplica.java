package io.sluice.billing;

import io.sluice.shell.Replica;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** Copies in a map of this process. */
final class MapReplica implements Replica {
    final Map<String, byte[]> entries = new ConcurrentHashMap<>();
    volatile boolean failing;

    @Override
    public Future<Void> put(Map<String, byte[]> put) {
        return answer(() -> entries.putAll(put));
    }

    @Override
    public Future<Void> remove(Collection<String> keys) {
        return answer(() -> keys.forEach(entries::remove));
    }

    private Future<Void> answer(Runnable change) {
        if (failing) {
            return Future.failedFuture("no member keeps copies");
        }
        change.run();
        return Future.succeededFuture();
    }

    @Override
    public Future<Set<String>> keys() {
        return failing
                ? Future.failedFuture("no member keeps copies")
                : Future.succeededFuture(new TreeSet<>(entries.keySet()));
    }

    @Override
    public Future<Map<String, byte[]>> read(Collection<String> keys) {
        var found = new HashMap<>(new TreeMap<>(entries));
        found.keySet().retainAll(keys);
        return Future.succeededFuture(found);
    }
}
