package io.sluice.kube;

import static io.sluice.kube.Vms.UNIT;
import static io.sluice.kube.Vms.node;
import static io.sluice.kube.Vms.units;
import static io.sluice.kube.Vms.vm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.sluice.launcher.core.Role;
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
 * Goal: the scheduler's side is replaced while agents run, and no promise is broken by that. Method: it is a process,
 * which is killed, and another is started at another address; agents ask over HTTP and find it by its pod.
 */
@OnKubernetes
class SchedulerReplacedOnKubernetesTest {
    private static final Set<Role> AGENT_SIDE = EnumSet.of(Role.MONITOR, Role.VM, Role.AGENT, Role.CLUSTER);
    private static final String SYSTEM = "kube-system";
    private static final Duration NOBODY = Duration.ofSeconds(5);

    /** More than four units have. */
    private static final double MUCH = 3;

    private static final List<String> VMS = List.of("holder", "waiter", "idler");

    private final int port = ControlPlane.freePort();

    @TempDir
    private Path folder;

    private ControlPlane plane;
    private Town town;

    @BeforeEach
    void start() {
        plane = ControlPlane.start(folder);
        town = new Town(
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
        town.close();
        plane.close();
    }

    @Test
    void whatVmsHoldStaysPromisedAndGrowthGoesOnWithTheNextScheduler() {
        try (var first = new SchedulerProcess(folder, plane, "127.0.0.2", port)) {
            await().atMost(Town.WITHIN).until(first::isReady);
            announce("scheduler-1", "127.0.0.2");
            town.open(AGENT_SIDE);
            VMS.forEach(vm -> town.settles(vm, UNIT));
            town.errands().compute("holder", MUCH);
            town.settles("holder", units(4));
            covers(first);
        }
        town.client()
                .pods()
                .inNamespace(SYSTEM)
                .withName("scheduler-1")
                .withGracePeriod(0)
                .delete();

        town.errands().compute("waiter", MUCH);
        await().during(NOBODY)
                .atMost(NOBODY.plus(Town.WITHIN))
                .until(() ->
                        town.vm("waiter").settledAt(UNIT) && town.vm("holder").settledAt(units(4)));

        try (var second = new SchedulerProcess(folder, plane, "127.0.0.3", port)) {
            await().atMost(Town.WITHIN).until(second::isReady);
            announce("scheduler-2", "127.0.0.3");
            await().atMost(Town.WITHIN).until(() -> {
                covers(second);
                assertThat(town.vm("holder").is()).isEqualTo(units(4));
                return town.vm("waiter").settledAt(units(4));
            });
            assertThat(second.booked().get("holder-0")).isEqualTo(units(4));
            town.errands().rest("holder");
            town.settles("holder", UNIT);
            await().atMost(Town.WITHIN)
                    .until(() -> second.booked().get("holder-0").equals(UNIT));
            covers(second);
        }
    }

    /** As an auditor: an object that is the same before and after shows what was so at the instant of the books. */
    private void covers(SchedulerProcess scheduler) {
        var before = town.vmStates();
        var booked = scheduler.booked();
        var after = town.vmStates();
        VMS.forEach(name -> {
            var vm = before.get(name);
            if (vm.version().equals(after.get(name).version()) && !booked.isEmpty()) {
                assertThat(booked).containsKey(vm.podName());
                assertThat(vm.told().max(vm.is()).exceeds(booked.get(vm.podName())))
                        .as(name + " has more than is booked for it")
                        .isFalse();
            }
        });
    }

    /** What agents look for. */
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
        await().atMost(Town.WITHIN)
                .ignoreExceptions()
                .until(() -> town.client().resource(pod).create() != null);
        town.client()
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
