package io.sluice.launcher.cluster;

import com.hazelcast.config.Config;
import com.hazelcast.config.MergePolicyConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.spi.merge.DiscardMergePolicy;
import io.sluice.shell.Replica;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;

/**
 * Entries of a Hazelcast map. Data members keep them, each entry on as many as keep a node ledger. Hazelcast's calls
 * block, so worker threads make them.
 */
final class MemberReplica implements Replica {
    static final String MAP = "sluice.billing";

    /** Entries of one call to Hazelcast, so that none holds up the ledger's calls. */
    private static final int AT_ONCE = 200;

    private final IMap<String, byte[]> map;
    private final Vertx vertx;

    MemberReplica(HazelcastInstance member, Vertx vertx) {
        map = member.getMap(MAP);
        this.vertx = vertx;
    }

    /**
     * Configures the map on a data member. Two sides of a split have equal entries, or those that a leader can make
     * again, so a merge keeps the larger side's.
     *
     * @param ledgers the number of data members
     */
    static void configure(Config config, int ledgers) {
        config.getMapConfig(MAP)
                .setBackupCount(ledgers / 2)
                .setAsyncBackupCount(0)
                .setStatisticsEnabled(false)
                .setMergePolicyConfig(new MergePolicyConfig().setPolicy(DiscardMergePolicy.class.getName()));
    }

    @Override
    public Future<Void> put(Map<String, byte[]> entries) {
        return blocking(() -> {
            var part = new HashMap<String, byte[]>();
            for (var entry : new TreeMap<>(entries).entrySet()) {
                part.put(entry.getKey(), entry.getValue());
                if (part.size() >= AT_ONCE) {
                    map.putAll(part);
                    part.clear();
                }
            }
            map.putAll(part);
            return null;
        });
    }

    @Override
    public Future<Void> remove(Collection<String> keys) {
        return blocking(() -> {
            keys.forEach(map::delete);
            return null;
        });
    }

    @Override
    public Future<Set<String>> keys() {
        return blocking(() -> new TreeSet<>(map.keySet()));
    }

    @Override
    public Future<Map<String, byte[]>> read(Collection<String> keys) {
        return blocking(() -> {
            var found = new HashMap<String, byte[]>();
            var part = new TreeSet<String>();
            for (var key : keys) {
                part.add(key);
                if (part.size() >= AT_ONCE) {
                    found.putAll(map.getAll(part));
                    part.clear();
                }
            }
            found.putAll(map.getAll(part));
            return found;
        });
    }

    private <T> Future<T> blocking(Callable<T> call) {
        return vertx.executeBlocking(call, false);
    }
}
