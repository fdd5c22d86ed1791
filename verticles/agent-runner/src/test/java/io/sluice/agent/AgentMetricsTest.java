package io.sluice.agent;

import static io.sluice.agent.Surroundings.cu;
import static io.sluice.agent.Surroundings.loadFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.MonitorAddresses;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.monitor.UpscaleRequest;
import io.sluice.shell.Dumps;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.units.Resources;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Every row of Neon's agent that has a subject here, changed by real events. */
@ExtendWith(VertxExtension.class)
class AgentMetricsTest {
    private static final String AGENT = "autoscaling_agent_";

    private final Exposition metrics = new Exposition();
    private final Exposition vmMetrics = new Exposition();
    private Surroundings world;

    @BeforeEach
    void start(Vertx vertx) throws Exception {
        world = new Surroundings(vertx);
        world.start(vertx).await();
        var shell = new Shell(
                new MonotonicClock(),
                metrics.registry,
                vmMetrics.registry,
                new Readiness(),
                new Dumps(),
                new Random(1));
        vertx.deployVerticle(new AgentVerticle(Surroundings.CONFIG, shell)).await();
    }

    @Test
    void directionsAndRunnersBeginAtZero() {
        for (var pair : new String[] {
            "scheduler_plugin_requested_cpu_change_total",
            "scheduler_plugin_requested_mem_change_total",
            "scheduler_plugin_accepted_cpu_change_total",
            "scheduler_plugin_accepted_mem_change_total",
            "scaling_full_denials_total",
            "scaling_partial_approvals_total",
            "monitor_requested_cpu_change_total",
            "monitor_requested_mem_change_total",
            "monitor_approved_cpu_change_total",
            "monitor_approved_mem_change_total",
            "neonvm_requested_cpu_change_total",
            "neonvm_requested_mem_changed_total"
        }) {
            assertThat(metrics.of(AGENT + pair + "{direction=\"inc\"}")).isZero();
            assertThat(metrics.of(AGENT + pair + "{direction=\"dec\"}")).isZero();
        }
        for (var kind : new String[] {"actual", "hypothetical"}) {
            assertThat(metrics.of(AGENT + "scaling_events_total{kind=\"" + kind + "\"}"))
                    .isZero();
        }
        for (var state : new String[] {"ok", "stuck", "panicked"}) {
            for (var endpoint : new String[] {"true", "false"}) {
                assertThat(metrics.of(
                                AGENT + "runners_current{is_endpoint=\"" + endpoint + "\",state=\"" + state + "\"}"))
                        .isZero();
            }
        }
        assertThat(metrics.text()).contains("# HELP autoscaling_agent_runner_starts ");
    }

    @Test
    void everyMetricIsExplained() {
        world.loads.put("a", loadFor(2));
        world.observe(world.vm("a", 2));
        moves("runner_next_actions_total");
        for (var text : new String[] {metrics.text(), vmMetrics.text()}) {
            assertThat(text.lines().filter(line -> line.startsWith("# HELP")))
                    .isNotEmpty()
                    .allMatch(line -> line.split(" ", 4).length == 4 && line.split(" ", 4)[3].length() > 10);
        }
    }

    @Test
    void countsWhatIsRequestedAndGrantedOnTheWayUpAndDown() {
        var vm = scaledTo(6);
        moves("scheduler_plugin_requests_total{code=\"200\"}");
        movesBothKinds("scheduler_plugin_requested_%s_change_total", "inc");
        movesBothKinds("scheduler_plugin_accepted_%s_change_total", "inc");
        movesBothKinds("monitor_requested_%s_change_total", "inc");
        movesBothKinds("monitor_approved_%s_change_total", "inc");
        moves("neonvm_requested_cpu_change_total{direction=\"inc\"}");
        moves("neonvm_requested_mem_changed_total{direction=\"inc\"}");
        moves("neonvm_outbound_requests_total{result=\"ok\"}");
        moves("monitor_outbound_requests_total{code=\"ok\",endpoint=\"UpscaleNotification\"}");
        assertThat(metrics.of(AGENT + "neonvm_requested_cpu_change_total{direction=\"inc\"}"))
                .as("in cores")
                .isEqualTo(1.0);
        assertThat(metrics.of(AGENT + "neonvm_requested_mem_changed_total{direction=\"inc\"}"))
                .as("in MiB")
                .isEqualTo(4096.0);

        world.loads.put("a", loadFor(3));
        await().untilAsserted(() -> assertThat(world.target(vm)).isEqualTo(cu(3)));
        movesBothKinds("scheduler_plugin_requested_%s_change_total", "dec");
        movesBothKinds("scheduler_plugin_accepted_%s_change_total", "dec");
        movesBothKinds("monitor_requested_%s_change_total", "dec");
        movesBothKinds("monitor_approved_%s_change_total", "dec");
        for (var kind : new String[] {"actual", "hypothetical"}) {
            assertThat(metrics.of(AGENT + "scaling_events_total{kind=\"" + kind + "\"}"))
                    .isGreaterThanOrEqualTo(2);
        }
        moves("neonvm_requested_cpu_change_total{direction=\"dec\"}");
        moves("neonvm_requested_mem_changed_total{direction=\"dec\"}");
        moves("monitor_outbound_requests_total{code=\"ok\",endpoint=\"DownscaleRequest\"}");
    }

    @Test
    void timesEachStageInEachDirection() {
        var vm = scaledTo(6);
        for (var stage : new String[] {"scaling", "plugin", "neonvm"}) {
            moves(stage + "_latency_seconds_count{direction=\"inc\"}");
        }
        world.loads.put("a", loadFor(3));
        await().untilAsserted(() -> assertThat(world.target(vm)).isEqualTo(cu(3)));
        for (var stage : new String[] {"scaling", "monitor", "neonvm"}) {
            moves(stage + "_latency_seconds_count{direction=\"dec\"}");
        }
        assertThat(metrics.text())
                .contains("autoscaling_agent_scaling_latency_seconds_bucket{direction=\"inc\",le=\"0.005\"}")
                .contains("autoscaling_agent_scaling_latency_seconds_bucket{direction=\"both\",le=\"0.45\"}")
                .contains("autoscaling_agent_scaling_latency_seconds_bucket{direction=\"none\",le=\"60.0\"}");
    }

    @Test
    @DisplayName("F17: denied downscales are metered")
    void countsFullAndPartialDenialsAndDeniedDownscales() {
        world.ledger = request -> Surroundings.permit(request, request.target().min(cu(4)));
        var vm = scaledTo(6, 4);
        moves("scaling_partial_approvals_total{direction=\"inc\"}");
        moves("scaling_full_denials_total{direction=\"inc\"}");

        world.guest = request -> new ResizeReply.Denied("no");
        world.loads.put("a", loadFor(3));
        moves("scaling_full_denials_total{direction=\"dec\"}");
        assertThat(world.target(vm)).isEqualTo(cu(4));

        world.guest = request -> new ResizeReply.Failed("hung up");
        moves("monitor_outbound_requests_total{code=\"[error: failed]\",endpoint=\"DownscaleRequest\"}");
    }

    @Test
    void countsUpscaleRequestsAndLosses() {
        world.failNext("ledger.permit", 1);
        world.failNext("vm.patch", 1);
        var vm = scaledTo(4);
        moves("scheduler_plugin_requests_total{code=\"[error doing request: no answer]\"}");
        moves("neonvm_outbound_requests_total{result=\"[error: no answer]\"}");
        world.bus.publish(MonitorAddresses.MEMORY_WANTED, new UpscaleRequest(vm.vm(), 1));
        moves("monitor_inbound_requests_total{code=\"ok\",endpoint=\"UpscaleRequest\"}");
    }

    @Test
    void countsRunners() {
        scaledTo(3);
        moves("runner_next_actions_total");
        moves("runner_starts");
        moves("runners_current{is_endpoint=\"false\",state=\"ok\"}");
        world.loads.put("b", loadFor(2));
        var endpoint = world.vm("b", 2);
        world.observe(endpoint.with(
                Optional.empty(), new VmTraits("ep", "", 0, "", Resources.NONE, Resources.NONE, List.of())));
        moves("runners_current{is_endpoint=\"true\",state=\"ok\"}");
        assertThat(metrics.of(AGENT + "runner_restarts")).isZero();
        assertThat(metrics.of(AGENT + "runner_thread_panics_total")).isZero();
    }

    @Test
    void showsEachVmsSizesAndGoalWhileItIsThere() {
        var vm = scaledTo(6);
        double gibi = 1 << 30;
        shows("cpu_cores", "value", "status_use", 1.5);
        shows("cpu_cores", "value", "spec_use", 1.5);
        shows("cpu_cores", "value", "autoscaling_min", 0.25);
        shows("cpu_cores", "value", "autoscaling_max", 4);
        shows("memory_bytes", "value", "status_use", 6 * gibi);
        shows("memory_bytes", "value", "spec_use", 6 * gibi);
        shows("memory_bytes", "value", "autoscaling_min", gibi);
        shows("memory_bytes", "value", "autoscaling_max", 16 * gibi);
        shows("desired_cu", "component", "total", 1.5);
        shows("desired_cu", "component", "cpu", 1.5);
        shows("desired_cu", "component", "mem", (1e8 + (100 << 20)) / 0.75 / gibi * 0.25);
        assertThat(vmMetrics.text()).doesNotContain("component=\"lfc\"");

        world.bus.publish(ClusterAddresses.VM_GONE, new VmGone(vm.vm(), 99));
        await().untilAsserted(() -> assertThat(vmMetrics.text()).doesNotContain("autoscaling_vm_"));
    }

    @Test
    void showsWhatAVmsObjectSpecifiesAndFollowsIt() {
        var vm = world.moved(world.vm("a", 2), VmPhase.PENDING, "pod-a", "n1");
        var limits = new VmTraits("ep-1", "proj-1", 2, "10.1.0.7", cu(1), cu(20), List.of());
        world.observe(vm.with(Optional.empty(), limits));
        var labels = "endpoint_id=\"ep-1\",project_id=\"proj-1\"";
        showsOf(labels, "cpu_cores", "spec_min", 0.25);
        showsOf(labels, "cpu_cores", "spec_max", 5);
        showsOf(labels, "memory_bytes", "spec_min", 1 << 30);
        showsOf(labels, "memory_bytes", "spec_max", 20.0 * (1 << 30));
        showsOf(labels, "restart_count", "", 2);
        showsOf(labels, "extra_ip", "", 1);

        world.observe(vm.with(Optional.empty(), new VmTraits("ep-2", "", 3, "", cu(2), cu(8), List.of())));
        labels = "endpoint_id=\"ep-2\",project_id=\"\"";
        showsOf(labels, "cpu_cores", "spec_min", 0.5);
        showsOf(labels, "cpu_cores", "spec_max", 2);
        showsOf(labels, "memory_bytes", "spec_min", 2.0 * (1 << 30));
        showsOf(labels, "memory_bytes", "spec_max", 8.0 * (1 << 30));
        showsOf(labels, "restart_count", "", 3);
        showsOf(labels, "extra_ip", "", 0);
        assertThat(vmMetrics.text()).as("it is one VM still").doesNotContain("ep-1");
    }

    private void showsOf(String traits, String metric, String which, double expected) {
        var value = which.isEmpty() ? "" : "value=\"" + which + "\",";
        var series =
                "autoscaling_vm_" + metric + "{" + traits + "," + value + "vm_name=\"a\",vm_namespace=\"default\"}";
        await().untilAsserted(() -> assertThat(vmMetrics.value(series).orElse(Double.NaN))
                .as(series)
                .isCloseTo(expected, within(expected * 1e-6)));
    }

    private void shows(String metric, String label, String which, double expected) {
        var common = new TreeMap<>(
                Map.of(label, which, "endpoint_id", "", "project_id", "", "vm_name", "a", "vm_namespace", "default"));
        var labels = common.entrySet().stream()
                .map(entry -> entry.getKey() + "=\"" + entry.getValue() + "\"")
                .collect(Collectors.joining(",", "{", "}"));
        await().untilAsserted(() -> assertThat(
                        vmMetrics.value("autoscaling_vm_" + metric + labels).orElse(Double.NaN))
                .as(metric + labels)
                .isCloseTo(expected, within(expected * 1e-6)));
    }

    private VmObserved scaledTo(int cu) {
        return scaledTo(cu, cu);
    }

    private VmObserved scaledTo(int wanted, int reached) {
        var vm = world.vm("a", 2);
        world.loads.put("a", loadFor(wanted));
        world.observe(vm);
        await().untilAsserted(() -> assertThat(world.target(vm)).isEqualTo(cu(reached)));
        return vm;
    }

    private void movesBothKinds(String pattern, String direction) {
        for (var kind : new String[] {"cpu", "mem"}) {
            moves(pattern.formatted(kind) + "{direction=\"" + direction + "\"}");
        }
    }

    private void moves(String series) {
        await().untilAsserted(() ->
                assertThat(metrics.value(AGENT + series).orElse(0)).as(series).isPositive());
    }
}
