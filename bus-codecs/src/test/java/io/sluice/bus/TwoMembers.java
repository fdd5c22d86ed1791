package io.sluice.bus;

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
 * Two members of a clustered event bus in one JVM. Messages between them cross a real socket; only the membership is a
 * table in memory.
 */
final class TwoMembers {

    private final Map<String, NodeInfo> nodes = new ConcurrentHashMap<>();
    private final Map<String, List<RegistrationInfo>> registrations = new ConcurrentHashMap<>();
    private final List<Member> members = new CopyOnWriteArrayList<>();
    private final Vertx requester;
    private final Vertx answerer;

    TwoMembers() throws Exception {
        requester = start("asker");
        answerer = start("answerer");
    }

    Vertx requester() {
        return requester;
    }

    Vertx answerer() {
        return answerer;
    }

    void close() throws Exception {
        Future.join(requester.close(), answerer.close()).await();
    }

    private Vertx start(String name) throws Exception {
        var loopback = new EventBusOptions().setHost("127.0.0.1");
        return Vertx.builder()
                .with(new VertxOptions().setEventBusOptions(loopback))
                .withClusterManager(new Member(name))
                .buildClustered()
                .await();
    }

    private void reportRegistrations(String address) {
        var now = List.copyOf(registrations.getOrDefault(address, List.of()));
        for (var member : members) {
            if (member.registrationListener.wantsUpdatesFor(address)) {
                member.registrationListener.registrationsUpdated(new RegistrationUpdateEvent(address, now));
            }
        }
    }

    private final class Member implements ClusterManager {
        private final String id;
        private RegistrationListener registrationListener;
        private volatile boolean active;

        private Member(String id) {
            this.id = id;
        }

        @Override
        public void init(Vertx vertx) {}

        @Override
        public void join(Completable<Void> done) {
            active = true;
            members.add(this);
            done.succeed();
        }

        @Override
        public void leave(Completable<Void> done) {
            active = false;
            members.remove(this);
            nodes.remove(id);
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
            return new ArrayList<>(nodes.keySet());
        }

        @Override
        public NodeInfo getNodeInfo() {
            return nodes.get(id);
        }

        @Override
        public void getNodeInfo(String node, Completable<NodeInfo> done) {
            done.succeed(nodes.get(node));
        }

        @Override
        public void setNodeInfo(NodeInfo info, Completable<Void> done) {
            nodes.put(id, info);
            done.succeed();
        }

        @Override
        public void nodeListener(NodeListener listener) {}

        @Override
        public void registrationListener(RegistrationListener listener) {
            registrationListener = listener;
        }

        @Override
        public void addRegistration(String address, RegistrationInfo info, Completable<Void> done) {
            registrations
                    .computeIfAbsent(address, fresh -> new CopyOnWriteArrayList<>())
                    .add(info);
            reportRegistrations(address);
            done.succeed();
        }

        @Override
        public void removeRegistration(String address, RegistrationInfo info, Completable<Void> done) {
            registrations.getOrDefault(address, new ArrayList<>()).remove(info);
            reportRegistrations(address);
            done.succeed();
        }

        @Override
        public void getRegistrations(String address, Completable<List<RegistrationInfo>> done) {
            done.succeed(List.copyOf(registrations.getOrDefault(address, List.of())));
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
