package io.sluice.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.lab.api.RawApi;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.shell.LoopbackPorts;
import io.sluice.units.Resources;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: of two processes that could serve a Kubernetes cluster the second only waits and reports that, and takes over
 * when the first has ended, in whichever way. Method: two processes of the distribution, and a watch on their Lease.
 */
@OnKubernetes
class StandbyOnKubernetesTest {
    /** The holder may have to wait for the machine for seconds, and must not lose the Lease by that. */
    private static final Duration DURATION = Duration.ofSeconds(30);

    private static final Duration WITHIN = KubeFleet.WITHIN;
    private static final String SYSTEM = "kube-system";
    private static final Resources TENANT = new Resources(1_000, 1L << 30);
    private static final AtomicInteger NUMBER = new AtomicInteger();

    /** Metrics of roles that list, watch, write or hold ledger state. */
    private static final Pattern WORK = Pattern.compile("(?m)^(sluice_(cluster|ledger|vm|pressure)_|autoscaling_)");

    private static ControlPlane plane;
    private static KubernetesClient client;

    private final String lease = "stood-by-" + NUMBER.incrementAndGet();
    private final List<LeaseSpec> reported = new CopyOnWriteArrayList<>();
    private final List<AutoCloseable> ends = new ArrayList<>();

    @TempDir
    private Path folder;

    @BeforeAll
    static void startPlane(@TempDir Path planes) {
        plane = ControlPlane.start(planes);
        client = KubernetesConnection.open(plane.admin());
        var raw = new RawApi(client);
        assertThat(raw.post("/api/v1/nodes", """
            {"metadata":{"name":"node-a"},"status":{"allocatable":{"cpu":"8","memory":"32Gi","pods":"100"}}}\
            """).status()).isEqualTo(201);
        bind("tenant");
    }

    @AfterAll
    static void stopPlane() {
        client.close();
        plane.close();
    }

    @BeforeEach
    void watch() {
        ends.add(client.leases().inNamespace(SYSTEM).withName(lease).watch(new Reported()));
    }

    @AfterEach
    void end() throws Exception {
        for (var end : ends.reversed()) {
            end.close();
        }
    }

    private final class Reported implements Watcher<Lease> {
        @Override
        public void eventReceived(Action action, Lease changed) {
            reported.add(changed.getSpec());
        }

        @Override
        public void onClose(WatcherException broken) {}
    }

    private static void bind(String pod) {
        assertThat(new RawApi(client).post(Residents.PODS, """
            {"metadata":{"name":"%s"},"spec":{"nodeName":"node-a","containers":[
              {"name":"a","image":"none","resources":{"requests":{"cpu":"1","memory":"1Gi"}}}]}}\
            """.formatted(pod)).status())
                .isEqualTo(201);
    }

    private SchedulerProcess start(String host) {
        var section = new JsonObject().put("name", lease).put("duration", DURATION.toSeconds() + "s");
        var started = new SchedulerProcess(folder, plane, host, LoopbackPorts.next(), section);
        ends.add(started);
        return started;
    }

    private SchedulerProcess leads(String host) {
        var first = start(host);
        leads(first);
        return first;
    }

    private static void leads(SchedulerProcess process) {
        await().atMost(WITHIN).until(process::isReady);
        assertThat(process.hasOpened()).isTrue();
        assertThat(process.ops("/metrics")).contains("sluice_lease_held 1.0").containsPattern(WORK);
        await().atMost(WITHIN).until(() -> Objects.equals(process.reserved().get("tenant"), TENANT));
    }

    private SchedulerProcess standsByFor(String holder, String host) {
        var second = start(host);
        await().atMost(WITHIN)
                .untilAsserted(() -> assertThat(second.ops("/readyz?verbose"))
                        .contains("lease: the lease " + SYSTEM + "/" + lease + " is held by " + holder));
        return second;
    }

    /** Checks that the first renews the Lease twice more, and the second makes no progress meanwhile. */
    private void doesNothing(SchedulerProcess second, String holder) {
        int renewals = reported.size();
        await().atMost(WITHIN).until(() -> reported.size() >= renewals + 2);
        assertThat(second.isReady()).isFalse();
        assertThat(second.hasOpened()).isFalse();
        assertThat(second.ops("/metrics"))
                .contains("sluice_lease_wanted 1.0", "sluice_lease_held 0.0")
                .doesNotContainPattern(WORK);
        assertThat(holders()).containsExactly(holder);
    }

    /** The holders, one after the other; without a holder the entry is empty. */
    private List<String> holders() {
        var holders = new ArrayList<String>();
        reported.stream()
                .map(spec -> Objects.requireNonNullElse(spec.getHolderIdentity(), ""))
                .filter(holder -> holders.isEmpty() || !holders.getLast().equals(holder))
                .forEach(holders::add);
        return holders;
    }

    private String holder() {
        await().atMost(WITHIN).until(() -> !holders().isEmpty());
        return holders().getLast();
    }

    @Test
    void theStandbyLeadsOnceTheLeaseIsGivenBack() {
        var first = leads("127.0.0.4");
        var holder = holder();
        var second = standsByFor(holder, "127.0.0.5");
        doesNothing(second, holder);

        assertThat(first.stop()).isTrue();

        leads(second);
        assertThat(holders()).hasSize(2).startsWith(holder);
        assertThat(lastOf(holder).getLeaseDurationSeconds())
                .as("seconds after which the released Lease has run out")
                .isEqualTo(1);
    }

    @Test
    void theStandbyLeadsOnceTheLeaseOfAKilledLeaderHasRunOut() {
        var first = leads("127.0.0.6");
        var holder = holder();
        var second = standsByFor(holder, "127.0.0.7");
        doesNothing(second, holder);

        first.close();
        bind("unseen");

        leads(second);
        assertThat(holders()).hasSize(2).startsWith(holder);
        assertThat(lastOf(holder).getLeaseDurationSeconds()).isEqualTo((int) DURATION.toSeconds());
        assertThat(lastOf(holder).getRenewTime().plus(DURATION))
                .isBeforeOrEqualTo(firstOf(holders().getLast()).getRenewTime());
        await().atMost(WITHIN).until(() -> Objects.equals(second.reserved().get("unseen"), TENANT));
    }

    private LeaseSpec lastOf(String holder) {
        return heldBy(holder).getLast();
    }

    private LeaseSpec firstOf(String holder) {
        return heldBy(holder).getFirst();
    }

    private List<LeaseSpec> heldBy(String holder) {
        return reported.stream()
                .filter(spec -> holder.equals(spec.getHolderIdentity()))
                .toList();
    }
}
