package io.sluice.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.billing.BillingConfig;
import io.sluice.billing.core.MeterKey;
import io.sluice.billing.core.UsageRecord;
import io.sluice.billing.wire.AccountLineJson;
import io.sluice.billing.wire.EventKeys;
import io.sluice.billing.wire.UsageEventJson;
import io.sluice.billing.wire.UsageEvents;
import io.sluice.billing.wire.UsageMetricNames;
import io.sluice.units.VmId;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two VMs of two vCPUs, billed for three windows. */
class DemoBillTest {
    private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
    private static final Duration WINDOW = Duration.ofSeconds(24);
    private static final long CPUS = 2;

    @TempDir
    private Path folder;

    /** Both VMs have that size at all times, without a change that could be late. */
    private static final class Account implements DemoBill.Account {
        @Override
        public Optional<BigInteger> held(String vm, Instant from, Instant to) {
            return Optional.of(vcpuSeconds(CPUS * Duration.between(from, to).toSeconds()));
        }

        @Override
        public Set<String> vms() {
            return Set.of("db", "web");
        }

        @Override
        public BigInteger tolerance(String vm, Instant from, Instant to) {
            return BigInteger.ZERO;
        }
    }

    private static BigInteger vcpuSeconds(long seconds) {
        return BigInteger.TEN.pow(12).multiply(BigInteger.valueOf(seconds));
    }

    private void bill(String vm, int window, long seconds) throws IOException {
        var start = START.plus(WINDOW.multipliedBy(window));
        var key = new MeterKey(new VmId("neonvm", "default", vm, "uid-" + vm), "ep-" + vm);
        var charge = new UsageRecord(
                key, start, start.plus(WINDOW), vcpuSeconds(seconds), WINDOW.toNanos(), seconds, WINDOW.toSeconds());
        for (var event :
                new UsageEvents(UsageMetricNames.DEFAULTS, new EventKeys.Exact()).of(List.of(charge), charge.stop())) {
            append("usage", UsageEventJson.write(event));
        }
        append("account", AccountLineJson.billed(charge, Optional.empty()));
    }

    private void append(String word, byte[] line) throws IOException {
        Files.writeString(
                Files.createDirectories(folder.resolve("bills")).resolve(word + "-2026-03-01T000000Z-000001.ndjson"),
                new String(line, StandardCharsets.UTF_8) + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    private List<String> breaches() throws IOException {
        return DemoBill.read(BillingConfig.DEFAULTS.in(folder), new Account()).breaches();
    }

    private void billAllButTheLast() throws IOException {
        for (int window = 0; window < 3; window++) {
            bill("db", window, CPUS * WINDOW.toSeconds());
        }
        bill("web", 0, CPUS * WINDOW.toSeconds());
        bill("web", 1, CPUS * WINDOW.toSeconds());
    }

    @Test
    void everyWindowOfEveryVmIsBilledForWhatItHad() throws IOException {
        billAllButTheLast();
        bill("web", 2, CPUS * WINDOW.toSeconds());
        assertThat(breaches()).isEmpty();
    }

    @Test
    void aWindowThatIsMissingIsABreach() throws IOException {
        billAllButTheLast();
        assertThat(breaches())
                .containsExactly("web had 48.0 vCPU s from 2026-03-01T00:00:48Z to 2026-03-01T00:01:12Z and is billed"
                        + " for 0.0");
    }

    @Test
    void aWindowWithAnotherAmountIsABreach() throws IOException {
        billAllButTheLast();
        bill("web", 2, CPUS * WINDOW.toSeconds() + 1);
        assertThat(breaches())
                .singleElement()
                .asString()
                .contains("web had 48.0 vCPU s")
                .endsWith("for 49.0");
    }

    @Test
    void aVmWithoutABillIsABreach() throws IOException {
        bill("db", 0, CPUS * WINDOW.toSeconds());
        assertThat(breaches())
                .singleElement()
                .asString()
                .startsWith("web had 48.0 vCPU s")
                .endsWith("for 0.0");
    }
}
