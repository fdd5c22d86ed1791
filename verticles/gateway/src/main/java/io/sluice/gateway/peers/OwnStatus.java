package io.sluice.gateway.peers;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.sluice.messages.member.MemberStatus;
import io.sluice.messages.member.MemberStatus.Count;
import io.sluice.messages.member.MemberStatus.Wait;
import io.sluice.shell.Shell;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Reports the status of this process from the readiness and the metrics of its verticles. Safe from any thread. */
final class OwnStatus {
    private static final int SENTENCE_CHARACTERS_MAX = 1_000;

    /** What the status counts, with the gauge of each; a role that is not run has none. */
    private static final Map<String, String> COUNTED = new LinkedHashMap<>();

    static {
        COUNTED.put(Count.RUNNERS, "sluice.agent.runners");
        COUNTED.put("monitor sessions", "sluice.monitor.connected");
        COUNTED.put("nodes under pressure", "sluice.pressure.nodes.pressed");
        COUNTED.put("migrations under way", "sluice.pressure.migrations.underway");
        COUNTED.put("agents' requests", "sluice.gateway.agent.inflight");
        COUNTED.put("taps", "sluice.gateway.console.taps");
    }

    /** The ledger's notices of pods that no hold was made for. */
    private static final Set<String> WITHOUT_HOLD = Set.of("vm_found", "pod_found", "pod_found_over", "landed_unheld");

    private final Shell shell;
    private final String version;
    private final List<String> roles;

    OwnStatus(Shell shell, String version, Set<String> roles) {
        this.shell = shell;
        this.version = version;
        this.roles = roles.stream().sorted().toList();
    }

    MemberStatus now() {
        var waits = Stream.concat(
                        shell.readiness().reasons().entrySet().stream()
                                .map(part -> new Wait(part.getKey(), cut(part.getValue()))),
                        shell.readiness().troubles().stream()
                                .map(trouble -> new Wait(trouble.part(), cut(trouble.sentence()))))
                .limit(MemberStatus.LIST_MAX)
                .toList();
        return new MemberStatus(
                shell.peers().self().id(),
                version,
                roles,
                Duration.ofMillis(ManagementFactory.getRuntimeMXBean().getUptime()),
                shell.readiness().isReady(),
                waits,
                counts());
    }

    private List<Count> counts() {
        return Stream.concat(
                        COUNTED.entrySet().stream()
                                .flatMap(each -> count(
                                        each.getKey(),
                                        shell.meters().find(each.getValue()).gauges().stream()
                                                .map(Gauge::value))),
                        count(
                                Count.WITHOUT_HOLD,
                                shell.meters().find("sluice.ledger.notices").counters().stream()
                                        .filter(notice -> WITHOUT_HOLD.contains(
                                                notice.getId().getTag("notice")))
                                        .map(Counter::count)))
                .toList();
    }

    private static Stream<Count> count(String what, Stream<Double> values) {
        return values.reduce(Double::sum).map(sum -> new Count(what, Math.round(sum))).stream();
    }

    private static String cut(String sentence) {
        return sentence.length() <= SENTENCE_CHARACTERS_MAX
                ? sentence
                : sentence.substring(0, SENTENCE_CHARACTERS_MAX - 1) + "…";
    }
}
