package io.sluice.billing.bill;

import io.sluice.billing.core.Gap;
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
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Files of bills and account lines, written line by line. Windows are 24 s long, numbered from {@link #DAY} on. */
final class BillFiles {
    static final Instant DAY = Instant.parse("2026-03-01T00:00:00Z");
    static final int WINDOW_SECONDS = 24;
    static final EventKeys EXACT = new EventKeys.Exact();
    private static final BigInteger MILLI_CPU_NS = BigInteger.TEN.pow(12);

    private final Path directory;

    BillFiles(Path directory) {
        this.directory = directory;
    }

    static Instant start(int window) {
        return DAY.plusSeconds((long) window * WINDOW_SECONDS);
    }

    static MeterKey key(String vm, String endpoint) {
        return new MeterKey(new VmId("neonvm", "default", vm, "uid-" + vm), endpoint);
    }

    /** Returns a usage record of that many vCPUs for one window. */
    static UsageRecord charge(MeterKey key, int window, int cpus) {
        int seconds = cpus * WINDOW_SECONDS;
        return new UsageRecord(
                key, start(window), start(window + 1), vcpuSeconds(seconds), 24_000_000_000L, seconds, WINDOW_SECONDS);
    }

    static BigInteger vcpuSeconds(long seconds) {
        return MILLI_CPU_NS.multiply(BigInteger.valueOf(seconds));
    }

    /** Returns the two event lines of a usage record. */
    static String usage(UsageRecord charge) {
        return usage(charge, UsageMetricNames.DEFAULTS, EXACT);
    }

    static String usage(UsageRecord charge, UsageMetricNames metrics, EventKeys keys) {
        return new UsageEvents(metrics, keys)
                .of(List.of(charge), charge.stop()).stream()
                        .map(event -> line(UsageEventJson.write(event)))
                        .reduce("", String::concat);
    }

    /**
     * Returns the account line of a usage record, for which the ledger held that many vCPU-seconds; negative means
     * unknown.
     */
    static String billed(UsageRecord charge, long heldSeconds) {
        var held = heldSeconds < 0 ? Optional.<BigInteger>empty() : Optional.of(vcpuSeconds(heldSeconds));
        return line(AccountLineJson.billed(charge, held));
    }

    static String unbilled(MeterKey key, int window, Gap.Cause cause) {
        return line(AccountLineJson.unbilled(new Gap(key, start(window), start(window + 1), 1_000, cause)));
    }

    static String line(byte[] json) {
        return new String(json, StandardCharsets.UTF_8) + "\n";
    }

    Path usageFile(int number) {
        return directory.resolve("usage-2026-03-01T000000Z-%06d.ndjson".formatted(number));
    }

    Path accountFile(int number) {
        return directory.resolve("account-2026-03-01T000000Z-%06d.ndjson".formatted(number));
    }

    static void append(Path file, String... texts) throws IOException {
        Files.writeString(file, String.join("", texts), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
