package io.sluice.bench.billing;

import io.sluice.shell.Peer;
import io.sluice.shell.Peers;
import io.sluice.shell.Replica;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Makes a process the leader of several, and holds its copies in its own memory, where other processes would. */
final class Copies implements Peers, Replica {
    private final Peer self = new Peer("bench", Set.of("billing"), "");
    private final Map<String, byte[]> entries = new ConcurrentHashMap<>();

    /** As if another leader had been there, so that this one does not wait for the disks of others. */
    Copies() {
        entries.put(
                "checkpoint/before/exact/clock",
                "{\"format\":2,\"bill\":\"2020-01-01T00:00:00Z\",\"machineNanos\":1,\"boot\":\"\"}"
                        .getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Peer self() {
        return self;
    }

    @Override
    public List<Peer> all() {
        return List.of(self);
    }

    @Override
    public List<Peer> oldestFirst() {
        return all();
    }

    @Override
    public Watching watch(Runnable changed) {
        return () -> {};
    }

    @Override
    public Future<Void> put(Map<String, byte[]> put) {
        entries.putAll(put);
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> remove(Collection<String> keys) {
        keys.forEach(entries::remove);
        return Future.succeededFuture();
    }

    @Override
    public Future<Set<String>> keys() {
        return Future.succeededFuture(Set.copyOf(entries.keySet()));
    }

    @Override
    public Future<Map<String, byte[]>> read(Collection<String> keys) {
        var found = new HashMap<>(entries);
        found.keySet().retainAll(keys);
        return Future.succeededFuture(found);
    }

    long bytes() {
        return entries.values().stream().mapToLong(value -> value.length).sum();
    }
}
