package io.sluice.gateway.peers;

import io.vertx.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.shareddata.AsyncMap;
import io.vertx.core.shareddata.Counter;
import io.vertx.core.shareddata.Lock;
import io.vertx.core.spi.cluster.ClusterManager;
import io.vertx.core.spi.cluster.NodeInfo;
import io.vertx.core.spi.cluster.NodeListener;
import io.vertx.core.spi.cluster.RegistrationInfo;
import io.vertx.core.spi.cluster.RegistrationListener;
import io.vertx.core.spi.cluster.RegistrationUpdateEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Any number of members of one clustered bus in this JVM: their messages are encoded, cross a socket and are decoded;
 * only the membership is a table in memory.
 */
public final class Machines {
    private final Map<String, NodeInfo> infos = new ConcurrentHashMap<>();
    private final Map<String, List<RegistrationInfo>> registrations = new ConcurrentHashMap<>();
    private final List<Table> tables = new CopyOnWriteArrayList<>();
    private final List<Vertx> members = new ArrayList<>();

    /** Adds a member. */
    public Vertx join(String id) {
        var loopback = new EventBusOptions().setHost("127.0.0.1");
        var member = Vertx.builder()
                .with(new VertxOptions().setEventBusOptions(loopback))
                .withClusterManager(new Table(id))
                .buildClustered()
                .await();
        members.add(member);
        return member;
    }

    /** All members leave. */
    public void close() {
        Future.join(members.stream().map(Vertx::close).toList()).await();
    }

    private List<RegistrationInfo> at(String address) {
        return registrations.computeIfAbsent(address, fresh -> new CopyOnWriteArrayList<>());
    }

    private void changed(String address) {
        var now = List.copyOf(at(address));
        tables.stream()
                .filter(table -> table.listener.wantsUpdatesFor(address))
                .forEach(table -> table.listener.registrationsUpdated(new RegistrationUpdateEvent(address, now)));
    }

    private final class Table implements ClusterManager {
        private final String id;
        private RegistrationListener listener;
        private volatile boolean active;

        private Table(String id) {
            this.id = id;
        }

        @Override
        public void init(Vertx vertx) {}

        @Override
        public void join(Completable<Void> done) {
            active = true;
            tables.add(this);
            done.succeed();
        }

        @Override
        public void leave(Completable<Void> done) {
            active = false;
            tables.remove(this);
            infos.remove(id);
            done.succeed();
        }

        @Override
        public boolean isActive() {
            return active;
        }

        @Override
        public String getNodeId() {
            return id;
        }

        @Override
        public List<String> getNodes() {
            return List.copyOf(infos.keySet());
        }

        @Override
        public NodeInfo getNodeInfo() {
            return infos.get(id);
        }

        @Override
        public void getNodeInfo(String node, Completable<NodeInfo> done) {
            done.succeed(infos.get(node));
        }

        @Override
        public void setNodeInfo(NodeInfo info, Completable<Void> done) {
            infos.put(id, info);
            done.succeed();
        }

        @Override
        public void nodeListener(NodeListener unused) {}

        @Override
        public void registrationListener(RegistrationListener heeded) {
            listener = heeded;
        }

        @Override
        public void addRegistration(String address, RegistrationInfo info, Completable<Void> done) {
            at(address).add(info);
            changed(address);
            done.succeed();
        }

        @Override
        public void removeRegistration(String address, RegistrationInfo info, Completable<Void> done) {
            at(address).remove(info);
            changed(address);
            done.succeed();
        }

        @Override
        public void getRegistrations(String address, Completable<List<RegistrationInfo>> done) {
            done.succeed(List.copyOf(at(address)));
        }

        @Override
        public <K, V> void getAsyncMap(String name, Completable<AsyncMap<K, V>> done) {
            done.fail(new UnsupportedOperationException("no shared data here"));
        }

        @Override
        public <K, V> Map<K, V> getSyncMap(String name) {
            throw new UnsupportedOperationException("no shared data here");
        }

        @Override
        public void getLockWithTimeout(String name, long timeoutMs, Completable<Lock> done) {
            done.fail(new UnsupportedOperationException("no shared data here"));
        }

        @Override
        public void getCounter(String name, Completable<Counter> done) {
            done.fail(new UnsupportedOperationException("no shared data here"));
        }
    }
}
