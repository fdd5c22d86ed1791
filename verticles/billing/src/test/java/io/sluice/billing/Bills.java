package io.sluice.billing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.billing.wire.UnreadableEventException;
import io.sluice.billing.wire.UsageEvent;
import io.sluice.billing.wire.UsageEventJson;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Reads the bills in the files of a rig. */
final class Bills {
    static final Duration WAIT = Duration.ofSeconds(60);
    private static final String CPU = "effective_compute_seconds";

    private Bills() {}

    static List<UsageEvent> events(BillingRig rig) {
        return events(rig.lines("usage"));
    }

    static List<UsageEvent> events(List<String> lines) {
        return lines.stream().map(Bills::event).toList();
    }

    private static UsageEvent event(String line) {
        try {
            return UsageEventJson.read(line);
        } catch (UnreadableEventException unreadable) {
            throw new AssertionError(line, unreadable);
        }
    }

    static void awaitEvents(BillingRig rig, int least) {
        await().atMost(WAIT).until(() -> events(rig).size() >= least);
    }

    /** Returns the time that the events of a metric cover, without a gap or an overlap. */
    static Duration covered(List<UsageEvent> events, String endpoint) {
        var of = compute(events, endpoint)
                .sorted(Comparator.comparing(UsageEvent::startTime))
                .toList();
        for (int i = 1; i < of.size(); i++) {
            assertThat(of.get(i).startTime()).isEqualTo(of.get(i - 1).stopTime());
        }
        return of.isEmpty()
                ? Duration.ZERO
                : Duration.between(of.getFirst().startTime(), of.getLast().stopTime());
    }

    static long value(List<UsageEvent> events, String endpoint) {
        return compute(events, endpoint).mapToLong(UsageEvent::value).sum();
    }

    private static Stream<UsageEvent> compute(List<UsageEvent> events, String endpoint) {
        return events.stream()
                .filter(event ->
                        event.endpointId().equals(endpoint) && event.metric().equals(CPU));
    }
}
