package io.sluice.billing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.shell.Peers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A defect while bills are made: nothing that was metered by then may be lost, nor anything after it. */
class BrokenBillsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Pattern TIMES = Pattern.compile("\"start_time\":\"([^\"]+)\",\"stop_time\":\"([^\"]+)\"");

    @TempDir
    private Path directory;

    /**
     * Increments of its counter of usage records throw: the first ones, until several windows are over. The next commit
     * is written, and the one that follows at once throws too.
     */
    private static final class Throwing extends SimpleMeterRegistry {
        private static final int FIRST = 25;

        private final AtomicInteger increments = new AtomicInteger();

        @Override
        protected Counter newCounter(Meter.Id id) {
            var counter = super.newCounter(id);
            return id.getName().equals("sluice.billing.records") ? new Failing(counter, increments) : counter;
        }

        private record Failing(Counter counter, AtomicInteger increments) implements Counter {
            @Override
            public void increment(double amount) {
                int number = amount > 0 ? increments.incrementAndGet() : 0;
                if (number > 0 && number <= FIRST || number == FIRST + 2) {
                    throw new IllegalStateException("a defect");
                }
                counter.increment(amount);
            }

            @Override
            public double count() {
                return counter.count();
            }

            @Override
            public Id getId() {
                return counter.getId();
            }
        }
    }

    @Test
    void whatCouldNotBeOfferedIsOfferedLater() {
        var throwing = new Throwing();
        try (var rig = new BillingRig(directory, Peers.ALONE, throwing)) {
            rig.start().vm("db", 1, "ep", 1_000);
            await().atMost(TIMEOUT).until(() -> charges(rig).size() >= 3);

            assertThat(throwing.increments).hasValueGreaterThan(Throwing.FIRST + 2);
            var charges = charges(rig);
            for (int i = 1; i < charges.size(); i++) {
                assertThat(start(charges.get(i))).isEqualTo(stop(charges.get(i - 1)));
            }
            assertThat(Instant.parse(start(charges.getFirst())).getNano())
                    .as("from the first observation of the VM, within a window")
                    .isNotZero();
            await().atMost(TIMEOUT)
                    .until(() ->
                            rig.meters.get("sluice.billing.blocked").gauge().value() == 0);
        }
    }

    private static List<String> charges(BillingRig rig) {
        return rig.lines("account").stream()
                .filter(line -> line.contains("billed_milli_cpu_ns"))
                .toList();
    }

    private static String start(String line) {
        return time(line, 1);
    }

    private static String stop(String line) {
        return time(line, 2);
    }

    private static String time(String line, int which) {
        var times = TIMES.matcher(line);
        assertThat(times.find()).as(line).isTrue();
        return times.group(which);
    }
}
