package io.sluice.launcher.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.launcher.core.Role;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.spi.cluster.RegistrationInfo;
import io.vertx.spi.cluster.hazelcast.impl.HazelcastRegistrationInfo;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Uses a real member and a real bus, whose subscriptions are damaged as crashes and merges damage them. */
class SubscriptionRepairerTest {
    private static final String ADDRESS = "ledger.permit";

    /** What nobody replies to ends after this time. */
    private static final Duration BRIEF = Duration.ofSeconds(1);

    /** A busy machine may need long to find that there is no handler. */
    private static final Duration LONG = Duration.ofSeconds(60);

    private HazelcastInstance member;
    private int memberPort;
    private Vertx vertx;
    private SubscriptionRepairer watch;

    @BeforeEach
    void join() throws IOException {
        memberPort = FreePorts.found().member();
        member = Hazelcast.newHazelcastInstance(
                config("me", memberPort, memberPort).setLiteMember(false));
        var manager = new RetryingClusterManager(member);
        vertx = Vertx.builder().withClusterManager(manager).buildClustered().await();
        new Bus(vertx).subscribe(ClusterAddresses.LISTED, listed -> {}).await();
        watch = new SubscriptionRepairer(member, manager);
        assertThat(watch.look().anything()).isFalse();
    }

    private Config config(String id, int port, int other) {
        var hazelcast = new HazelcastConfig(
                Discovery.TCP,
                "bus-watch-" + memberPort,
                "127.0.0.1",
                port,
                1,
                "",
                List.of("127.0.0.1:" + port, "127.0.0.1:" + other),
                "",
                "",
                1,
                BusTlsFiles.NONE,
                false);
        return MemberSettings.of(hazelcast, id, Set.of(Role.LEDGER), Optional.empty());
    }

    @AfterEach
    void leave() {
        vertx.close().await();
        member.getLifecycleService().terminate();
    }

    @Test
    void addressesOfAProcessThatIsNoMoreAreDroppedOnceTheyWereFoundTwice() {
        var subscriptions = member.<String, HazelcastRegistrationInfo>getMultiMap(MemberSettings.SUBSCRIPTIONS);
        subscriptions.put("ledger.permit", new HazelcastRegistrationInfo(new RegistrationInfo("gone", 1, false)));

        assertThat(watch.look().dropped()).as("it may be joining").isZero();
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
        assertThat(watch.look().anything()).as("nothing is left to repair").isFalse();
    }

    @Test
    void aProcessThatLostItsOwnEndpointIsPublishedAgain() {
        member.getMap(MemberSettings.NODE_INFO).clear();

        assertThat(watch.look().published()).isTrue();

        assertThat(member.getMap(MemberSettings.NODE_INFO).containsKey("me")).isTrue();
    }

    @Test
    void aRouteWithAnUnreportedChangeIsDropped() {
        var subscriptions = member.<String, HazelcastRegistrationInfo>getMultiMap(MemberSettings.SUBSCRIPTIONS);
        subscriptions.put(ADDRESS, new HazelcastRegistrationInfo(new RegistrationInfo("gone", 1, false)));
        watch.look();
        assertThat(failure(vertx, BRIEF))
                .as("it is sent to a process that is gone")
                .isEqualTo(ReplyFailure.TIMEOUT);

        // The bus receives notifications of single entries that come and go, and not of all of them at once.
        subscriptions.clear();
        watch.look();

        assertThat(failure(vertx, LONG)).isEqualTo(ReplyFailure.NO_HANDLERS);
    }

    @Test
    void routesToAProcessThatIsGoneAreDroppedWhenItsAddressesWereLostWithIt() throws IOException {
        int port = FreePorts.found().member();
        var lite =
                Hazelcast.newHazelcastInstance(config("lite", port, memberPort).setLiteMember(true));
        var manager = new RetryingClusterManager(lite);
        var bus = Vertx.builder().withClusterManager(manager).buildClustered().await();
        var watched = new SubscriptionRepairer(lite, manager);
        member.<String, HazelcastRegistrationInfo>getMultiMap(MemberSettings.SUBSCRIPTIONS)
                .put(ADDRESS, new HazelcastRegistrationInfo(new RegistrationInfo("me", 1, false)));
        watched.look();
        assertThat(failure(bus, BRIEF)).as("it is sent to the other process").isEqualTo(ReplyFailure.TIMEOUT);

        assertThat(watched.look().membersChanged())
                .as("the members are the same")
                .isFalse();

        member.getLifecycleService().terminate();
        var next =
                Hazelcast.newHazelcastInstance(config("next", memberPort, port).setLiteMember(false));
        assertThat(watched.look().membersChanged())
                .as("what was published meanwhile may be lost")
                .isTrue();

        try {
            assertThat(failure(bus, LONG)).isEqualTo(ReplyFailure.NO_HANDLERS);
        } finally {
            bus.close().await();
            lite.getLifecycleService().terminate();
            next.getLifecycleService().terminate();
        }
    }

    private static ReplyFailure failure(Vertx vertx, Duration within) {
        return vertx.eventBus()
                .request(ADDRESS, "", new DeliveryOptions().setSendTimeout(within.toMillis()))
                .map((ReplyFailure) null)
                .otherwise(SubscriptionRepairerTest::kind)
                .await();
    }

    private static ReplyFailure kind(Throwable failure) {
        return failure instanceof ReplyException reply ? reply.failureType() : ReplyFailure.ERROR;
    }
}
