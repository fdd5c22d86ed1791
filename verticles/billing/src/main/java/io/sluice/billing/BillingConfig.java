package io.sluice.billing;

import io.sluice.billing.outbox.OutboxConfig;
import io.sluice.billing.sink.AzureBlobSinkConfig;
import io.sluice.billing.sink.HttpSinkConfig;
import io.sluice.billing.sink.S3SinkConfig;
import io.sluice.billing.sink.file.FileSinkConfig;
import io.sluice.billing.wire.EventKeys;
import io.sluice.billing.wire.UsageEvents;
import io.sluice.billing.wire.UsageMetricNames;
import io.sluice.shell.config.ByteSize;
import io.sluice.shell.config.ByteSizes;
import io.sluice.shell.config.Durations;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/**
 * Section {@code billing}: how use is measured, and where bills are sent.
 *
 * @param arithmetic how use becomes billed seconds. {@code exact}: the integral of use, fractions are carried on;
 *     {@code reference}: for each interval the lesser of its two samples, fractions are lost
 * @param cpuMetricName the receivers' name of the metric of vCPU-seconds
 * @param activeTimeMetricName the receivers' name of the metric of active seconds
 * @param collectEvery how often usage meters are collected and checkpointed
 * @param accumulateEvery the length of a window, for which each VM's usage records are made
 * @param host the name of this process in the keys of events; needed where {@code arithmetic} is {@code reference}
 * @param auditEvery how often the ledger's state is requested for the audit of bills; 0s for never
 * @param directory the directory of the outbox, a separate one for each process; relative to the working directory
 * @param outbox how much may wait for each sink
 * @param maxReplicated the most bytes of windows that other processes keep for the next leader until sinks have
 *     confirmed them; more are on this process's disk alone
 * @param file the sink that writes lines to files on this machine
 * @param http the sink that sends by HTTP
 * @param s3 the sink that writes objects of a bucket
 * @param azureBlob the sink that writes blobs of a container
 * @param scalingEvents events about changes of sizes
 */
public record BillingConfig(
        Arithmetic arithmetic,
        String cpuMetricName,
        String activeTimeMetricName,
        Duration collectEvery,
        Duration accumulateEvery,
        String host,
        Duration auditEvery,
        String directory,
        OutboxConfig outbox,
        @ByteSize long maxReplicated,
        FileSinkConfig file,
        HttpSinkConfig http,
        S3SinkConfig s3,
        AzureBlobSinkConfig azureBlob,
        ScalingEventsConfig scalingEvents) {
    static final String SECTION = "billing";

    private static final Duration LEAST = Duration.ofMillis(100);
    private static final Duration MOST = Duration.ofHours(1);

    /** Exact bills, written to files below the working directory. */
    public static final BillingConfig DEFAULTS = new BillingConfig(
            Arithmetic.EXACT,
            UsageMetricNames.DEFAULTS.compute(),
            UsageMetricNames.DEFAULTS.active(),
            Duration.ofSeconds(4),
            Duration.ofSeconds(24),
            "",
            Duration.ofSeconds(4),
            "data/billing",
            new OutboxConfig(1L << 28, Duration.ofDays(7), OutboxConfig.Overflow.BLOCK),
            1L << 27,
            FileSinkConfig.DEFAULTS.in("data/bills"),
            HttpSinkConfig.DEFAULTS,
            S3SinkConfig.DEFAULTS,
            AzureBlobSinkConfig.DEFAULTS,
            ScalingEventsConfig.DEFAULTS);

    public BillingConfig {
        Objects.requireNonNull(arithmetic, "arithmetic");
        requireBetween("collectEvery", collectEvery, LEAST);
        requireBetween("accumulateEvery", accumulateEvery, LEAST);
        if (!auditEvery.isZero()) {
            requireBetween("auditEvery", auditEvery, LEAST);
        }
        if (accumulateEvery.compareTo(collectEvery) < 0) {
            throw new IllegalArgumentException("billing.accumulateEvery=" + Durations.text(accumulateEvery)
                    + " must be at least billing.collectEvery=" + Durations.text(collectEvery));
        }
        requireName("cpuMetricName", cpuMetricName);
        requireName("activeTimeMetricName", activeTimeMetricName);
        if (cpuMetricName.equals(activeTimeMetricName)) {
            throw new IllegalArgumentException(
                    "billing.activeTimeMetricName=" + activeTimeMetricName + " must differ from billing.cpuMetricName");
        }
        if (arithmetic == Arithmetic.REFERENCE && host.isBlank()) {
            throw new IllegalArgumentException("billing.host must name this process where billing.arithmetic is"
                    + " reference: otherwise two processes could make equal keys");
        }
        requirePath(directory);
        outbox.checked(SECTION + ".outbox");
        ByteSizes.requireBetween(SECTION + ".maxReplicated", maxReplicated, 0, 1L << 34);
        file.checked(SECTION + ".file");
        http.checked(SECTION + ".http");
        s3.checked(SECTION + ".s3");
        azureBlob.checked(SECTION + ".azureBlob");
        Objects.requireNonNull(scalingEvents, "scalingEvents");
    }

    private static void requireBetween(String key, Duration value, Duration least) {
        if (value.compareTo(least) < 0 || value.compareTo(MOST) > 0) {
            throw new IllegalArgumentException("billing." + key + "=" + Durations.text(value) + " must be between "
                    + Durations.text(least) + " and " + Durations.text(MOST));
        }
    }

    private static void requireName(String key, String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("billing." + key + " must name a metric, not be blank");
        }
    }

    private static void requirePath(String directory) {
        try {
            if (!directory.isBlank()) {
                Path.of(directory);
                return;
            }
        } catch (InvalidPathException noPath) {
            throw new IllegalArgumentException("billing.directory is not a path: " + noPath.getMessage(), noPath);
        }
        throw new IllegalArgumentException("billing.directory must name a directory, not be blank");
    }

    /** Returns the same config with all directories below one directory. */
    public BillingConfig in(Path below) {
        return new BillingConfig(
                arithmetic,
                cpuMetricName,
                activeTimeMetricName,
                collectEvery,
                accumulateEvery,
                host,
                auditEvery,
                below.resolve("outbox").toString(),
                outbox,
                maxReplicated,
                file.in(below.resolve("bills").toString()),
                http,
                s3,
                azureBlob,
                scalingEvents);
    }

    /** Returns what makes events of usage records. */
    UsageEvents events() {
        var keys = switch (arithmetic) {
            case EXACT -> new EventKeys.Exact();
            case REFERENCE -> new EventKeys.Numbered(host);
        };
        return new UsageEvents(new UsageMetricNames(cpuMetricName, activeTimeMetricName), keys);
    }
}
