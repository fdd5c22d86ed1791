package io.sluice.launcher.cluster;

import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent;
import io.vertx.core.Completable;
import io.vertx.core.Vertx;
import io.vertx.core.spi.cluster.NodeInfo;
import io.vertx.core.spi.cluster.RegistrationInfo;
import io.vertx.core.spi.cluster.RegistrationListener;
import io.vertx.core.spi.cluster.RegistrationUpdateEvent;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Repeats a process's writes of its subscriptions when they fail. While members come and go, backups of such writes are
 * often not confirmed in time; the ledger needs that to be a failure, and Hazelcast has one setting for both. Removes
 * what is left of members that are gone on a thread of its own, as that waits for other members.
 */
final class RetryingClusterManager extends HazelcastClusterManager {
    private static final int TRIES_MAX = 10;
    private static final int CHANGES_MAX = 1_000;
    private static final Duration PAUSE = Duration.ofMillis(500);

    /** Drops changes that come after the process began to leave. */
    private final ExecutorService changes = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(CHANGES_MAX),
            Thread.ofPlatform().daemon().name("sluice-bus").factory(),
            new ThreadPoolExecutor.DiscardPolicy());

    private final Set<Map.Entry<String, RegistrationInfo>> registered = ConcurrentHashMap.newKeySet();
    private volatile RegistrationListener routes;
    private Vertx timers;

    RetryingClusterManager(HazelcastInstance member) {
        super(member);
    }

    @Override
    public void init(Vertx vertx) {
        super.init(vertx);
        timers = vertx;
    }

    @Override
    public void registrationListener(RegistrationListener listener) {
        super.registrationListener(listener);
        routes = listener;
    }

    /** The addresses at which this process receives messages from others, each with its registration. */
    Set<Map.Entry<String, RegistrationInfo>> registered() {
        return Collections.unmodifiableSet(registered);
    }

    /** Makes the bus read again, with the next message, which processes serve an address. */
    void dropRoute(String address) {
        routes.registrationsUpdated(new RegistrationUpdateEvent(address, List.of()));
    }

    /** Runs on the own thread: what follows waits for other members, and Hazelcast's thread must not. */
    @Override
    public void memberAdded(MembershipEvent event) {
        changes.execute(() -> super.memberAdded(event));
    }

    @Override
    public void memberRemoved(MembershipEvent event) {
        changes.execute(() -> super.memberRemoved(event));
    }

    @Override
    public void stateChanged(LifecycleEvent event) {
        changes.execute(() -> super.stateChanged(event));
    }

    @Override
    public void leave(Completable<Void> left) {
        changes.shutdown();
        super.leave(left);
    }

    @Override
    public void setNodeInfo(NodeInfo info, Completable<Void> done) {
        put(TRIES_MAX, attempt -> super.setNodeInfo(info, attempt), done);
    }

    @Override
    public void addRegistration(String address, RegistrationInfo info, Completable<Void> done) {
        if (!info.localOnly()) {
            registered.add(Map.entry(address, info));
        }
        put(TRIES_MAX, attempt -> super.addRegistration(address, info, attempt), done);
    }

    @Override
    public void removeRegistration(String address, RegistrationInfo info, Completable<Void> done) {
        registered.remove(Map.entry(address, info));
        super.removeRegistration(address, info, done);
    }

    /** Repeats a write; to put the same twice changes nothing. */
    private void put(int tries, Consumer<Completable<Void>> attempt, Completable<Void> done) {
        attempt.accept((nothing, lost) -> {
            if (lost == null || tries == 1) {
                done.complete(nothing, lost);
            } else {
                timers.setTimer(PAUSE.toMillis(), timer -> put(tries - 1, attempt, done));
            }
        });
    }
}
