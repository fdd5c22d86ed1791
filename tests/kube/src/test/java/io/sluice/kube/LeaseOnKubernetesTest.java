package io.sluice.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.neonvm.lease.ClusterLease;
import io.sluice.neonvm.lease.LeaseConfig;
import io.sluice.neonvm.lease.LeaseMetrics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: of the processes that could serve a Kubernetes cluster one does, and one that cannot be sure to hold the Lease
 * does not. Method: electors of one Lease on a real API server, each with a client of its own.
 */
@OnKubernetes
class LeaseOnKubernetesTest {
    private static final Duration DURATION = Duration.ofSeconds(3);

    /** The holder may have to wait for the machine for seconds, and must not lose the Lease by that. */
    private static final Duration LONGER = Duration.ofSeconds(12);

    private static final Duration WAIT = Duration.ofSeconds(90);
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static ControlPlane plane;

    private final List<Runnable> ends = new ArrayList<>();
    private final LeaseConfig config = new LeaseConfig(true, "default", "served-" + NUMBER.incrementAndGet(), DURATION);

    /** The metrics of the last elector. */
    private SimpleMeterRegistry meters;

    @BeforeAll
    static void start(@TempDir Path folder) {
        plane = ControlPlane.start(folder);
    }

    @AfterAll
    static void stop() {
        plane.close();
    }

    @AfterEach
    void end() {
        ends.reversed().forEach(Runnable::run);
    }

    private ClusterLease seek(String holder) {
        return seek(holder, config);
    }

    private LeaseConfig lasting(Duration duration) {
        return new LeaseConfig(true, "default", config.name(), duration);
    }

    private ClusterLease seek(String holder, LeaseConfig config) {
        meters = new SimpleMeterRegistry();
        var lease = ClusterLease.seek(client(), config, holder, System::nanoTime, new LeaseMetrics(meters));
        ends.add(() -> lease.close());
        return lease;
    }

    private KubernetesClient client() {
        var client = KubernetesConnection.open(plane.admin());
        ends.add(client::close);
        return client;
    }

    private static void awaitHeld(ClusterLease lease) {
        await().atMost(WAIT).until(() -> lease.missing().isEmpty());
    }

    @Test
    void theSecondWaitsAndNamesTheHolder() {
        var longer = lasting(LONGER);
        var first = seek("first", longer);
        awaitHeld(first);
        var second = seek("second", longer);

        await().atMost(WAIT)
                .untilAsserted(() -> assertThat(second.missing())
                        .contains("the lease default/" + config.name() + " is held by first"));
        await().during(LONGER.multipliedBy(2))
                .atMost(WAIT)
                .until(() -> first.missing().isEmpty() && !second.held().isDone());
    }

    @Test
    void oneThatIsGivenBackIsTakenBeforeItWouldRunOut() {
        // No test waits that long.
        var longest = lasting(WAIT.multipliedBy(2));
        var first = seek("first", longest);
        awaitHeld(first);

        first.giveBack(WAIT);

        awaitHeld(seek("second", longest));
    }

    @Test
    void oneThatIsNotRenewedRunsOut() {
        var first = seek("first");
        awaitHeld(first);

        first.close();
        var second = seek("second");

        awaitHeld(second);
        assertThat(lease().getSpec().getHolderIdentity()).isEqualTo("second");
    }

    @Test
    void itIsNotReliedOnWhileTheApiServerIsAway() {
        var first = seek("first");
        awaitHeld(first);
        assertThat(shown("sluice.lease.wanted")).isEqualTo(1);
        assertThat(shown("sluice.lease.held")).isEqualTo(1);

        plane.killApiServer();
        await().atMost(WAIT)
                .untilAsserted(() -> assertThat(first.missing().orElse("")).contains("was last renewed"));
        assertThat(shown("sluice.lease.held")).isZero();
        assertThat(tries("failed")).isPositive();
        var renewed = tries("renewed");
        plane.startApiServer();

        awaitHeld(first);
        assertThat(shown("sluice.lease.held")).isEqualTo(1);
        assertThat(tries("renewed")).isGreaterThan(renewed);
        assertThat(first.taken()).isNotDone();
    }

    private double shown(String gauge) {
        return meters.get(gauge).gauge().value();
    }

    private double tries(String outcome) {
        return meters.get("sluice.lease.tries")
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    @Test
    void aHolderThatFindsItTakenNamesTheNewHolder() {
        var first = seek("first");
        awaitHeld(first);

        client().leases()
                .inNamespace("default")
                .withName(config.name())
                .edit(held -> new LeaseBuilder(held)
                        .editSpec()
                        .withHolderIdentity("second")
                        .withLeaseTransitions(7)
                        .endSpec()
                        .build());

        await().atMost(WAIT).until(first.taken()::isDone);
        assertThat(first.taken()).isCompletedWithValue("the lease default/" + config.name() + " was taken by second");
        assertThat(first.missing()).isPresent();
    }

    @Test
    void thoseOfOneNameHoldItTogether() {
        var first = seek("members of sluice");
        var second = seek("members of sluice");

        awaitHeld(first);
        awaitHeld(second);
        await().during(DURATION.multipliedBy(2))
                .atMost(WAIT)
                .until(() -> first.missing().isEmpty() && second.missing().isEmpty());
    }

    /** The holder's clock is an hour behind or ahead: only the time since its last renewal matters. */
    @Test
    @DisplayName("F8: a Lease runs out by the monotonic clock of the standby")
    void itRunsOutByTheClockOfTheStandby() {
        for (var renewed : List.of(now().minusHours(1), now().plusHours(1))) {
            heldByAnother(renewed);
            var seeker = seek("seeker", lasting(LONGER));
            await().atMost(WAIT)
                    .untilAsserted(() -> assertThat(seeker.missing().orElse("")).contains("is held by another"));
            awaitHeld(seeker);
            seeker.giveBack(WAIT);
        }
    }

    private void heldByAnother(ZonedDateTime renewed) {
        client().leases()
                .inNamespace("default")
                .resource(new LeaseBuilder()
                        .withNewMetadata()
                        .withName(config.name())
                        .endMetadata()
                        .withNewSpec()
                        .withHolderIdentity("another")
                        .withLeaseDurationSeconds((int) LONGER.toSeconds())
                        .withAcquireTime(renewed)
                        .withRenewTime(renewed)
                        .withLeaseTransitions(0)
                        .endSpec()
                        .build())
                .createOr(there -> there.update());
    }

    private Lease lease() {
        return client().leases().inNamespace("default").withName(config.name()).get();
    }

    private static ZonedDateTime now() {
        return ZonedDateTime.now(ZoneOffset.UTC);
    }
}
