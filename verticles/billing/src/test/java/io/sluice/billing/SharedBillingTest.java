package io.sluice.billing;

import static io.sluice.billing.Bills.WAIT;
import static io.sluice.billing.Bills.covered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.billing.wire.UsageEvent;
import io.sluice.shell.FakePeers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two verticles on one bus share VMs, each with its own outbox. One stops, and the other bills all VMs. */
class SharedBillingTest {
    private static final List<String> ENDPOINTS = List.of("ep-1", "ep-2", "ep-3", "ep-4", "ep-5", "ep-6");

    private final FakePeers one = new FakePeers("one", "billing");
    private final FakePeers two = new FakePeers("two", "billing");

    @TempDir
    private Path ones;

    @TempDir
    private Path twos;

    @Test
    void theProcessThatStaysBillsOnWhatItTookOverFromTheOneThatStopped() {
        one.observes(two.self());
        two.observes(one.self());
        try (var rig = new BillingRig(ones, one)) {
            ENDPOINTS.forEach(endpoint -> rig.vm("db-" + endpoint, 1, endpoint, 1_000));
            rig.start();
            rig.startBeside(twos, two);
            await().atMost(WAIT).until(() -> allLast(kept(), Duration.ofSeconds(4)) && !ofTwo().isEmpty());

            rig.stop();
            two.observes();
            var until = kept().values().stream()
                    .map(UsageEvent::stopTime)
                    .max(Instant::compareTo)
                    .orElseThrow()
                    .plusSeconds(5);
            await().atMost(WAIT)
                    .until(() -> ENDPOINTS.stream()
                            .allMatch(endpoint -> ofTwo().stream()
                                    .anyMatch(event -> event.endpointId().equals(endpoint)
                                            && event.stopTime().isAfter(until))));
        }

        var events = List.copyOf(kept().values());
        assertThat(ENDPOINTS)
                .allSatisfy(endpoint -> assertThat(covered(events, endpoint)).isGreaterThan(Duration.ofSeconds(8)));
    }

    private static boolean allLast(Map<String, UsageEvent> events, Duration least) {
        return ENDPOINTS.stream()
                .allMatch(endpoint -> events.values().stream()
                                .anyMatch(event -> event.endpointId().equals(endpoint))
                        && covered(List.copyOf(events.values()), endpoint).compareTo(least) > 0);
    }

    private List<UsageEvent> ofTwo() {
        return Bills.events(BillingRig.lines(twos, "usage"));
    }

    /** Returns the first event of each key, as a receiver keeps it. */
    private Map<String, UsageEvent> kept() {
        var kept = new LinkedHashMap<String, UsageEvent>();
        Bills.events(BillingRig.lines(ones, "usage")).forEach(event -> kept.put(event.idempotencyKey(), event));
        ofTwo().forEach(event -> kept.putIfAbsent(event.idempotencyKey(), event));
        return kept;
    }
}
