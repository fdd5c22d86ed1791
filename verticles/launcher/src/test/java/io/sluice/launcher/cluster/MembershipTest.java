package io.sluice.launcher.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.launcher.core.Role;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.shell.Readiness;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Uses real members in one JVM. */
class MembershipTest {
    private static final long SECONDS_MAX = 60;

    private final BlockingQueue<RelistRequest> wanted = new LinkedBlockingQueue<>();
    private HazelcastInstance data;
    private Membership membership;
    private Vertx vertx;
    private int dataPort;

    @BeforeEach
    void join() throws Exception {
        dataPort = FreePorts.found().member();
        data = Hazelcast.newHazelcastInstance(
                MemberSettings.of(config(dataPort), "data", Set.of(Role.LEDGER), Optional.empty())
                        .setLiteMember(false));
        membership = Membership.join(
                        config(FreePorts.found().member()),
                        Set.of(Role.CLUSTER),
                        Optional.empty(),
                        new Readiness(),
                        () -> false)
                .orElseThrow();
        vertx = membership
                .vertx(new VertxOptions(), options -> Vertx.builder().with(options))
                .await();
        new Bus(vertx).subscribe(ClusterAddresses.RELIST_WANTED, wanted::add).await();
    }

    @AfterEach
    void leave() {
        vertx.close().await();
        membership.leave();
        data.getLifecycleService().terminate();
    }

    private HazelcastConfig config(int port) {
        return new HazelcastConfig(
                Discovery.TCP,
                "membership-" + dataPort,
                "127.0.0.1",
                port,
                1,
                "",
                List.of("127.0.0.1:" + port, "127.0.0.1:" + dataPort),
                "",
                "",
                1,
                BusTlsFiles.NONE,
                false);
    }

    /** Otherwise the alert on ledgers that grant nothing would count this process as one that grants. */
    @Test
    void aProcessWithoutALedgerDoesNotCountAsOneThatGrants() {
        var meters = new SimpleMeterRegistry();

        membership.measure(meters);

        assertThat(meters.find("sluice.members.granting").gauge()).isNull();
        assertThat(meters.find("sluice.members.safe").gauge()).isNotNull();
    }

    @Test
    @DisplayName("F9: what the bus may have lost while members came and went is requested again")
    void observationsAreRequestedAgainAfterMembersChanged() throws IOException, InterruptedException {
        var third = Hazelcast.newHazelcastInstance(
                MemberSettings.of(config(FreePorts.found().member()), "third", Set.of(Role.AGENT), Optional.empty()));
        assertRequested("one came");

        third.getLifecycleService().terminate();
        assertRequested("one went");
    }

    private void assertRequested(String after) throws InterruptedException {
        assertThat(wanted.poll(SECONDS_MAX, TimeUnit.SECONDS))
                .as(after)
                .isEqualTo(new RelistRequest(RelistRequest.BUS));
    }
}
