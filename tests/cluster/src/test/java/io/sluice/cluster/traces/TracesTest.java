package io.sluice.cluster.traces;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import io.sluice.cluster.roles.OnlyWithFaults;
import io.sluice.cluster.roles.RoleCluster;
import io.sluice.cluster.roles.Split;
import io.sluice.launcher.core.Role;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Goal: what follows from one sample is one trace, whatever processes take part in it. Method: agent, ledger, patcher
 * and monitor sessions are each in a process of its own, and all export to one receiver. An upscale that has come to
 * its end must have all its steps, each with its parent and in its order.
 */
@OnlyWithFaults
class TracesTest {
    private static final Duration READY = Duration.ofSeconds(240);
    private static final Duration TRACED = Duration.ofSeconds(120);
    private static final Set<String> KEYS = Set.of(
            "sluice.vm",
            "k8s.node.name",
            "k8s.pod.uid",
            "sluice.before.milli_cpu",
            "sluice.before.memory_bytes",
            "sluice.requested.milli_cpu",
            "sluice.requested.memory_bytes",
            "sluice.granted.milli_cpu",
            "sluice.granted.memory_bytes",
            "sluice.outcome");

    private static final Map<String, Long> STEPS = Stream.of(
                    "vm.resize",
                    "sample",
                    "goal",
                    "permit",
                    "ledger.permit",
                    "patch",
                    "vm.patch",
                    "status",
                    "guest",
                    "monitor.upscale")
            .collect(Collectors.toMap(name -> name, name -> 1L));

    @Test
    void oneTraceLeadsFromTheSampleToTheGuestAcrossProcesses() throws Exception {
        try (var receiver = new OtlpReceiver();
                var cluster = RoleCluster.onLoopback("traces", split(), "", environment(receiver))) {
            cluster.start();
            cluster.awaitReady(READY);
            cluster.within(
                    TRACED,
                    () -> assertThat(complete(receiver))
                            .as("spans: %s", names(receiver.spans()))
                            .isPresent());
            var trace = receiver.trace(complete(receiver).orElseThrow());

            var root = step(trace, "vm.resize");
            assertThat(root.parent()).isEmpty();
            assertThat(List.of("sample", "goal", "permit", "patch", "status", "guest"))
                    .allSatisfy(stage -> assertThat(step(trace, stage).parent()).isEqualTo(root.id()));
            assertThat(step(trace, "ledger.permit").parent())
                    .isEqualTo(step(trace, "permit").id());
            assertThat(step(trace, "vm.patch").parent())
                    .isEqualTo(step(trace, "patch").id());
            assertThat(step(trace, "monitor.upscale").parent())
                    .isEqualTo(step(trace, "guest").id());
            inOrder(
                    trace,
                    "sample",
                    "goal",
                    "permit",
                    "ledger.permit",
                    "patch",
                    "vm.patch",
                    "guest",
                    "monitor.upscale");
            inOrder(trace, "patch", "status");
            assertThat(trace.stream().map(OtlpReceiver.Received::process))
                    .as("processes")
                    .doesNotContain("");
            assertThat(Set.of(
                            root.process(),
                            step(trace, "ledger.permit").process(),
                            step(trace, "vm.patch").process(),
                            step(trace, "monitor.upscale").process()))
                    .hasSize(4);
            describes(trace);
            hasNoOtherAttributes(receiver);
        }
    }

    private static Split split() {
        var apart = List.of(Role.AGENT, Role.LEDGER, Role.VM, Role.MONITOR);
        var others = EnumSet.copyOf(Split.everyRole());
        others.removeAll(apart);
        var processes = apart.stream().map(Set::of).collect(Collectors.toList());
        processes.add(others);
        return new Split(processes);
    }

    private static Map<String, String> environment(OtlpReceiver receiver) {
        return Map.of(
                "OTEL_EXPORTER_OTLP_ENDPOINT", receiver.url(),
                "OTEL_BSP_SCHEDULE_DELAY", "200",
                "OTEL_TRACES_SAMPLER", "parentbased_always_on");
    }

    /** The id of a trace of an upscale that has ended, and whose patch needed its permit. */
    private static Optional<String> complete(OtlpReceiver receiver) {
        return receiver.named("monitor.upscale").stream()
                .map(OtlpReceiver.Received::trace)
                .filter(id -> names(receiver.trace(id)).equals(STEPS))
                .filter(id -> amount(receiver.trace(id), "patch", "requested")
                        > amount(receiver.trace(id), "permit", "before"))
                .findFirst();
    }

    private static long amount(List<OtlpReceiver.Received> trace, String step, String what) {
        return (Long) step(trace, step).attributes().get("sluice." + what + ".milli_cpu");
    }

    private static void describes(List<OtlpReceiver.Received> trace) {
        var permit = step(trace, "permit");
        var ruled = step(trace, "ledger.permit").attributes();
        assertThat(permit.span().getKind()).isEqualTo(SpanKind.SPAN_KIND_CLIENT);
        assertThat(permit.attributes())
                .containsKeys("sluice.before.milli_cpu", "sluice.requested.milli_cpu", "sluice.granted.milli_cpu");
        assertThat(ruled)
                .containsKey("k8s.node.name")
                .containsEntry(
                        "sluice.requested.memory_bytes", permit.attributes().get("sluice.requested.memory_bytes"))
                .containsEntry("sluice.outcome", permit.attributes().get("sluice.outcome"));
        assertThat(step(trace, "vm.resize").attributes().get("sluice.vm"))
                .asString()
                .startsWith("default/");
        assertThat(step(trace, "vm.patch").attributes()).containsEntry("sluice.outcome", "patched");
        assertThat(step(trace, "monitor.upscale").attributes()).containsEntry("sluice.outcome", "accepted");
    }

    private static void hasNoOtherAttributes(OtlpReceiver receiver) {
        assertThat(receiver.spans())
                .allSatisfy(
                        span -> assertThat(KEYS).containsAll(span.attributes().keySet()));
    }

    private static void inOrder(List<OtlpReceiver.Received> trace, String... names) {
        for (int i = 1; i < names.length; i++) {
            assertThat(step(trace, names[i]).span().getStartTimeUnixNano())
                    .as("%s begins after %s", names[i], names[i - 1])
                    .isGreaterThanOrEqualTo(step(trace, names[i - 1]).span().getStartTimeUnixNano());
        }
    }

    private static OtlpReceiver.Received step(List<OtlpReceiver.Received> trace, String name) {
        return trace.stream()
                .filter(span -> span.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Map<String, Long> names(List<OtlpReceiver.Received> spans) {
        return spans.stream().collect(Collectors.groupingBy(OtlpReceiver.Received::name, Collectors.counting()));
    }
}
