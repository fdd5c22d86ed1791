package io.sluice.launcher.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.launcher.core.Role;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.spi.cluster.RegistrationInfo;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import io.vertx.spi.cluster.hazelcast.impl.HazelcastRegistrationInfo;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A real member and a real bus, whose bookkeeping is spoilt by hand as crashes and merges spoil it. */
class BusWatchTest {
    private HazelcastInstance member;
    private Vertx vertx;
    private BusWatch watch;

    @BeforeEach
    void join() throws IOException {
        int port = FreePorts.found().member();
        var members = new MembersConfig(
                Join.TCP,
                "bus-watch-" + port,
                "127.0.0.1",
                port,
                1,
                "",
                List.of("127.0.0.1:" + port),
                "",
                "",
                1,
                BusTlsFiles.NONE,
                false);
        var config = MemberSettings.of(members, "me", Set.of(Role.LEDGER), Optional.empty());
        member = Hazelcast.newHazelcastInstance(config.setLiteMember(false));
        var manager = new HazelcastClusterManager(member);
        vertx = get(Vertx.builder().withClusterManager(manager).buildClustered());
        get(new Bus(vertx).subscribe(ClusterAddresses.LISTED, listed -> {}));
        watch = new BusWatch(member, manager);
        assertThat(watch.look().anything()).isFalse();
    }

    @AfterEach
    void leave() {
        get(vertx.close());
        member.getLifecycleService().terminate();
    }

    @Test
    void addressesOfAProcessThatIsNoMoreAreDroppedOnceTheyWereSeenTwice() {
        var subscriptions = member.<String, HazelcastRegistrationInfo>getMultiMap(MemberSettings.SUBSCRIPTIONS);
        subscriptions.put("ledger.permit", new HazelcastRegistrationInfo(new RegistrationInfo("gone", 1, false)));

        assertThat(watch.look().dropped()).as("it may be about to join").isZero();
        assertThat(watch.look().dropped()).isEqualTo(1);
        assertThat(subscriptions.get("ledger.permit")).isEmpty();
    }

    @Test
    void addressesOfThisProcessThatWereLostAreMadeKnownAgain() {
        var subscriptions = member.<String, HazelcastRegistrationInfo>getMultiMap(MemberSettings.SUBSCRIPTIONS);
        var before = subscriptions.size();
        subscriptions.clear();

        assertThat(watch.look().published()).isTrue();

        assertThat(subscriptions.size()).isEqualTo(before);
        assertThat(watch.look().anything()).as("nothing is left to mend").isFalse();
    }

    @Test
    void aProcessWhoseOwnEndpointWasLostIsMadeKnownAgain() {
        member.getMap(MemberSettings.NODE_INFO).clear();

        assertThat(watch.look().published()).isTrue();

        assertThat(member.getMap(MemberSettings.NODE_INFO).containsKey("me")).isTrue();
    }

    private static <T> T get(Future<T> future) {
        return future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
    }
}
