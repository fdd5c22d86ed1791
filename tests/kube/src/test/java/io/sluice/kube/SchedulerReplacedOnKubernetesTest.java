package io.sluice.kube;

import static io.sluice.kube.Vms.UNIT;
import static io.sluice.kube.Vms.node;
import static io.sluice.kube.Vms.units;
import static io.sluice.kube.Vms.vm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.launcher.core.Role;
import io.sluice.shell.LoopbackPorts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: the scheduler's side is replaced while agents run, and no invariant is broken by that. Method: it is a process,
 * which is killed, and another one is started at another address; agents send requests over HTTP and find it by its
 * pod.
 */
@OnKubernetes
class SchedulerReplacedOnKubernetesTest {
    private static final Set<Role> AGENT_SIDE = EnumSet.of(Role.MONITOR, Role.VM, Role.AGENT, Role.CLUSTER);
    private static final String SYSTEM = "kube-system";
    private static final Duration NONE = Duration.ofSeconds(5);

    /** More vCPUs than four units have. */
    private static final double MUCH = 3;

    private static final List<String> VMS = List.of("holder", "waiter", "idler");

    private final int port = LoopbackPorts.next();

    @TempDir
    private Path folder;

    private ControlPlane plane;
    private KubeFleet fleet;

    @BeforeEach
    void start() {
        plane = ControlPlane.start(folder);
        fleet = new KubeFleet(
                plane.admin(),
                plane.admin(),
                Map.of(
                        "sluice.agent.scheduler.transport", "http",
                        "sluice.agent.scheduler.discover", "pods",
                        "sluice.agent.scheduler.port", Integer.toString(port)),
                node("node-served", 20, vm("holder"), vm("waiter"), vm("idler")));
    }

    @AfterEach
    void stop() {
        fleet.close();
        plane.close();
    }

    @Test
    void whatVmsHoldStaysPromisedAndGrowthGoesOnWithTheNextScheduler() {
        try (var first = new SchedulerProcess(folder, plane, "127.0.0.2", port)) {
            await().atMost(KubeFleet.WITHIN).until(first::isReady);
            announce("scheduler-1", "127.0.0.2");
            fleet.open(AGENT_SIDE);
            VMS.forEach(vm -> fleet.settles(vm, UNIT));
            fleet.work().compute("holder", MUCH);
            fleet.settles("holder", units(4));
            covers(first);
        }
        fleet.client()
                .pods()
                .inNamespace(SYSTEM)
                .withName("scheduler-1")
                .withGracePeriod(0)
                .delete();

        fleet.work().compute("waiter", MUCH);
        await().during(NONE)
                .atMost(NONE.plus(KubeFleet.WITHIN))
                .until(() ->
                        fleet.vm("waiter").settledAt(UNIT) && fleet.vm("holder").settledAt(units(4)));

        try (var second = new SchedulerProcess(folder, plane, "127.0.0.3", port)) {
            await().atMost(KubeFleet.WITHIN).until(second::isReady);
            announce("scheduler-2", "127.0.0.3");
            await().atMost(KubeFleet.WITHIN).until(() -> {
                covers(second);
                assertThat(fleet.vm("holder").is()).isEqualTo(units(4));
                return fleet.vm("waiter").settledAt(units(4));
            });
            assertThat(second.reserved().get("holder-0")).isEqualTo(units(4));
            fleet.work().rest("holder");
            fleet.settles("holder", UNIT);
            await().atMost(KubeFleet.WITHIN)
                    .until(() -> second.reserved().get("holder-0").equals(UNIT));
            covers(second);
        }
    }

    /**
     * Compares as an auditor: an object that is the same before and after a snapshot shows the state at the snapshot.
     */
    private void covers(SchedulerProcess scheduler) {
        var before = fleet.vmStates();
        var reserved = scheduler.reserved();
        var after = fleet.vmStates();
        VMS.forEach(name -> {
            var vm = before.get(name);
            if (vm.version().equals(after.get(name).version()) && !reserved.isEmpty()) {
                assertThat(reserved).containsKey(vm.podName());
                assertThat(vm.reported().max(vm.is()).exceeds(reserved.get(vm.podName())))
                        .as(name + " has more than is reserved for it")
                        .isFalse();
            }
        });
    }

    /** Creates the pod by which agents find the scheduler. */
    private void announce(String name, String ip) {
        var pod = new PodBuilder()
                .withNewMetadata()
                .withNamespace(SYSTEM)
                .withName(name)
                .addToLabels("name", "autoscale-scheduler")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("scheduler")
                .withImage("example/scheduler:1")
                .endContainer()
                .endSpec()
                .build();
        await().atMost(KubeFleet.WITHIN)
                .ignoreExceptions()
                .until(() -> fleet.client().resource(pod).create() != null);
        fleet.client()
                .pods()
                .inNamespace(SYSTEM)
                .withName(name)
                .editStatus(made -> new PodBuilder(made)
                        .editOrNewStatus()
                        .withPhase("Running")
                        .withPodIP(ip)
                        .addNewPodIP(ip)
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus("True")
                        .endCondition()
                        .endStatus()
                        .build());
    }
}
